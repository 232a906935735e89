import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// CSV is read back as it was written: by Python's csv, and by a source of ours.
@Suite struct CSVOutputTests {
  private let folder = Fixture.Folder()
  private static let reader = """
    import csv, json, sys
    rows = csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"))
    for row in rows: print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    """

  static let tables: [(values: [String], rows: [String])] = [
    ([#"{"v":"a"}"#, #"{"v":""}"#, #"{"v":"b"}"#], [#"{"v":"a"}"#, #"{"v":""}"#, #"{"v":"b"}"#]),
    ([#"{"v":null}"#, #"{"v":1}"#, #"{"v":null}"#], [#"{"v":""}"#, #"{"v":"1"}"#, #"{"v":""}"#]),
    ([#"{"":"a"}"#, #"{"":""}"#], [#"{"":"a"}"#, #"{"":""}"#]),
    ([#""""#, #""a""#, "null"], [#"{"value":""}"#, #"{"value":"a"}"#, #"{"value":""}"#]),
    ([#"{"v":" "}"#, #"{"v":"\t"}"#], [#"{"v":" "}"#, #"{"v":"\t"}"#]),
    ([#"{"a;b":"1;2"}"#, #"{"a;b":"3;4"}"#], [#"{"a;b":"1;2"}"#, #"{"a;b":"3;4"}"#]),
    ([#"{"a":"","b":""}"#, #"{"a":"x","b":null}"#], [#"{"a":"","b":""}"#, #"{"a":"x","b":""}"#]),
    ([#"{"v":"a\"b"}"#, #"{"v":"a,b"}"#, #"{"v":"a\nb"}"#], [#"{"v":"a\"b"}"#, #"{"v":"a,b"}"#, #"{"v":"a\nb"}"#]),
  ]

  private func write(_ values: [String]) {
    folder.add("in.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    folder.add("csv.json", #"{"source": {"file": {"path": "out.csv", "format": "csv"}}}"#)
    folder.add("read.py", Self.reader)
    let outcome = Subprocess.run(
      ["in.json", "--format", "csv"], input: values.joined(separator: "\n") + "\n", in: folder.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    folder.add("out.csv", outcome.output)
  }

  @Test("A source reads every row, also after it was written again", arguments: tables.indices)
  func source(_ number: Int) {
    let table = Self.tables[number]
    write(table.values)
    let first = Subprocess.run(["csv.json"], in: folder.path)
    #expect(first.output.split(separator: "\n").map(String.init) == table.rows, "\(first.errors)")
    let text = Fixture.read(folder.path("out.csv"))
    let again = Subprocess.run(["csv.json", "--format", "csv"], in: folder.path)
    #expect(again.output == text, "\(again.errors)")
  }

  fileprivate static let pythonPath: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    access($0, X_OK) == 0
  }

  @Test(
    "Python reads every row", .enabled(if: CSVOutputTests.pythonPath != nil, "Python is not installed"),
    arguments: tables.indices)
  func python(_ number: Int) throws {
    let table = Self.tables[number]
    write(table.values)
    let python = try #require(Self.pythonPath)
    let said = Subprocess.shell("PYTHONUTF8=1 \(python) read.py out.csv", in: folder.path)
    #expect(said.split(separator: "\n").map(String.init) == table.rows)
  }

  @Test("The columns of times have names that the values do not have")
  func times() {
    folder.add("in.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    for (value, header) in [
      (#"{"time":1000,"at":5}"#, "stream.at,stream.time,time,at"), (#"{"time":1000}"#, "at,stream.time,time"),
      (#"{"time":1000,"at":1,"stream.at":2}"#, "stream.stream.at,stream.time,time,at,stream.at"),
      (#"{"time":1000,"x":1}"#, "at,stream.time,time,x"),
    ] {
      let outcome = Subprocess.run(
        ["in.json", "--event-time", "value.time", "--timestamps", "--format", "csv"], input: value + "\n",
        in: folder.path)
      #expect(outcome.output.hasPrefix(header + "\r\n"), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test("An object without members has no form in CSV")
  func noColumns() {
    folder.add("in.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    let outcome = Subprocess.run(["in.json", "--format", "csv"], input: "{}\n", in: folder.path)
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error S408: a value is an object without members"))
  }
}
