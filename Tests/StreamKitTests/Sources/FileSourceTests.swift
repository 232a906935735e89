import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Synchronization
import TestSupport
import Testing

/// The contents of value files, and how far they are read.
@Suite struct FileSourceTests {
  /// The values of a text as JSON, and the last is what is wrong with it.
  private func read(_ text: String, _ format: FileFormat) -> [String] {
    var texts: [String] = []
    do throws(Diagnostic) {
      let reader = try ValueFilesInMemory(["f": text]).open("f", format: format, relativeTo: nil, at: FilePlace())
      while let value = try reader.next() { texts.append(JSONWriter.compact(value)) }
    } catch {
      let place = error.location.map { "\($0.line):\($0.column)" } ?? "?"
      texts.append("\(error.code.rawValue) \(place)")
    }
    return texts
  }

  @Test(
    "Lines are values, and blank ones are nothing",
    arguments: [
      ("", []), ("\n \r\n\t\n", []), ("1", ["1"]), ("\u{FEFF}1\r\n[2]\r\n", ["1", "[2]"]),
      ("1\n2 3\n4", ["1", "S008 2:3"]), ("\"ä\" x", ["S008 1:5"]), ("{\"a\":1,\"a\":2}", ["S003 1:8"]),
    ])
  func lines(_ text: String, _ expected: [String]) { #expect(read(text, .ndjson) == expected) }

  @Test("A record whose member changes its type is published once", arguments: ["map", "filter"])
  func changingTypes(_ name: String) throws {
    let values = ["1", "1.5", "2.5", "2", "null", "null", "3", "\"a\"", "4.5", "5", "6", "true", "7"]
    let text = values.map { #"{"x":\#($0)}"# + "\n" }.joined()
    let operators =
      name == "map"
      ? #"{"map": {"expression": "value.x"}}"# : #"{"filter": {"expression": "value.x != 0"}}, {"count": {}}"#
    let model = try stream(
      #"{"source": {"file": {"path": "f", "format": "ndjson"}}, "operators": [\#(operators)]}"#)
    let pipeline = try model.compile(CompileOptions(files: ValueFilesInMemory(["f": text])))
    let found = VirtualRun(Execution(pipeline)).run().values.map { JSONWriter.compact($0) }
    #expect(found == (name == "map" ? values : ["\(values.count)"]))
  }

  @Test(
    "The elements of a list are values, wherever its brackets and commas stand",
    arguments: [
      ("[]", []), (" [ ] \n", []), ("[1]", ["1"]),
      ("\u{FEFF}[1,\n 2 , [3, {\"a\": \"],\\\"\"}]\n]\n", ["1", "2", "[3,{\"a\":\"],\\\"\"}]"]),
      ("", ["S009 1:1"]), ("{}", ["S302 1:1"]), ("[1,]", ["1", "S001 1:3"]), ("[1,,2]", ["1", "S001 1:4"]),
      ("[1 2]", ["S008 1:4"]), ("[1", ["S010 1:2"]), ("[1,\n  tru]", ["1", "S001 2:3"]), ("[1] 2", ["1", "S008 1:5"]),
      ("[\"ä\", x]", ["\"ä\"", "S001 1:7"]), ("[\"a\n\"]", ["S001 1:4"]), ("[{]", ["S010 1:2"]),
    ])
  func list(_ text: String, _ expected: [String]) { #expect(read(text, .json) == expected) }

  @Test(
    "The rows of a table are objects of strings",
    arguments: [
      ("", []), ("a,b", []), ("a\n\n1\n\r\n2", ["{\"a\":\"1\"}", "{\"a\":\"2\"}"]),
      (
        "\u{FEFF}a,b\r\n1,\r\n\"x\n\"\"y\"\"\",\"\"",
        ["{\"a\":\"1\",\"b\":\"\"}", "{\"a\":\"x\\n\\\"y\\\"\",\"b\":\"\"}"]
      ),
      ("a,b\n1", ["S302 2:1"]), ("a,a\n", ["S003 1:3"]), ("a\n1\"", ["S001 2:2"]), ("a\n\"1", ["S010 2:1"]),
      ("a\n\"1\"2", ["S001 2:4"]), ("a,b\n\"\"\"\",ä", ["{\"a\":\"\\\"\",\"b\":\"ä\"}"]),
      ("BZhours,x\n1,2", ["{\"BZhours\":\"1\",\"x\":\"2\"}"]), ("BZh0\n1", ["{\"BZh0\":\"1\"}"]),
      ("BZh\n1", ["{\"BZh\":\"1\"}"]), ("BZh91AY&SY", ["S302 1:1"]),
    ])
  func table(_ text: String, _ expected: [String]) { #expect(read(text, .csv) == expected) }

  @Test(
    "A table of one column may have a semicolon, a tab or a bar in its name; a row with some shows that they separate fields",
    arguments: [
      ("note; free text\nhello\n", ["{\"note; free text\":\"hello\"}"]),
      ("a;b\n1;2;3\n", ["S302 2:1"]), ("a|b\n1|2\n", [Self.row]), ("a\tb\nx\n", ["{\"a\\tb\":\"x\"}"]), ("a;b", []),
      ("a;b\n\n", []),
      ("a;b\n1;2\n", [Self.row]), ("a;b\r\n\r\n1;2", [Self.row]),
      ("a;b\n1,5;2\n", ["{\"a\":\"1,5\",\"b\":\"2\"}"]), ("a\tb\r1\t2\r", [Self.row]),
      ("a; b\tc\nx\ty\n", ["{\"a; b\":\"x\",\"c\":\"y\"}"]), ("\"a;b\"\n1;2\n", ["{\"a;b\":\"1;2\"}"]),
      ("\"a\";\"b\"\n\"1\";2\n", [Self.row]), ("a;b|c\n1;2|3\n", ["S302 1:1"]),
      ("a;b;c|d\n1;2;3|4\n", ["{\"a\":\"1\",\"b\":\"2\",\"c|d\":\"3|4\"}"]),
    ])
  func separators(_ text: String, _ expected: [String]) { #expect(read(text, .csv) == expected) }

  private static let row = "{\"a\":\"1\",\"b\":\"2\"}"

  @Test("Whether a semicolon separates fields is decided by the beginning of a long line")
  func longRow() {
    let long = String(repeating: "x", count: 100_000)
    #expect(read("a;b\n1;\(long)\n", .csv) == ["{\"a\":\"1\",\"b\":\"\(long)\"}"])
    #expect(read("a;b\n\(long);2\n", .csv) == ["{\"a;b\":\"\(long);2\"}"])
  }

  /// A file of each format with three values.
  private static let threeValues: [FileFormat: String] = [
    .ndjson: "1\n\n[2, 3]\n\"x\"\n", .json: "[1, [2,\n 3] , \"x\"]", .csv: "a,b\n1,2\n\"x\ny\",3\n4,5\n",
    .tsv: "a\tb\n1\t2\n\"x\ny\"\t3\n4,5\t6\n", .text: "one\r\n\ntwo",
  ]

  @Test("A reader continues at the place of another one", arguments: FileFormat.allCases)
  func places(_ format: FileFormat) throws {
    let text = try #require(Self.threeValues[format])
    let files = ValueFilesInMemory(["f": text])
    var reader = try files.open("f", format: format, relativeTo: nil, at: FilePlace())
    var values: [Value] = []
    while let value = try reader.next() {
      values.append(value)
      reader = try files.open("f", format: format, relativeTo: nil, at: reader.place)
    }
    let whole = read(text, format)
    #expect(values.map(JSONWriter.compact) == whole)
    #expect(values.count == 3)
  }

  @Test("Values are of the declared type, and what is not fails with its place")
  func types() throws {
    let files = ValueFilesInMemory(["f": "n,x,when\n1,2.5,2024-02-29T12:30:00Z\nx,1,2024-02-29T12:30:00Z\n"])
    let model = try stream(
      """
      {"source": {"file": {"path": "f", "format": "csv", "type": {"n": "int", "x": "double", "when": "timestamp"}}},
       "operators": [{"map": {"expression": "[dyn(value.n + 1), value.x, value.when.getFullYear()]"}}]}
      """)
    let history = VirtualRun(Execution(try model.compile(CompileOptions(files: files)))).run()
    #expect(history.values == [[2, 2.5, 2024]])
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.code == "S304")
    #expect(
      failure.message.hasPrefix(
        "f:3:1: column 'n': found a string, but the declared type is int; the field contains \"x\""))
    #expect("\(failure.pointer)" == "/source/file/path")
  }

  @Test("Without access to files such a source is an error at its path")
  func refused() {
    let found = problems(#"{"source": {"file": {"path": "f", "format": "csv"}}}"#)
    #expect(found == ["S505 /source/file/path"])
  }

  /// A file without an end, which counts what is read of it.
  private final class Endless: ValueFiles, ByteStream {
    let readCount = Atomic<Int>(0)

    func open(
      _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
    ) -> any ValueReader {
      format.reader(of: self, named: path, at: place)
    }

    func read(atMost count: Int) -> [UInt8] {
      readCount.add(count, ordering: .relaxed)
      return Array("1234567\n".utf8 as String.UTF8View).cycled(count)
    }
  }

  /// A file that cannot be read behind its first bytes.
  private final class Failing: ValueFiles, ByteStream {
    private let bytes: [UInt8]
    private let isRead = Atomic<Bool>(false)

    init(_ text: String) { bytes = Array(text.utf8) }

    func open(
      _ path: String, format: FileFormat, relativeTo base: String?, at place: FilePlace
    ) -> any ValueReader {
      format.reader(of: self, named: path, at: place)
    }

    func read(atMost count: Int) throws(Diagnostic) -> [UInt8] {
      if isRead.exchange(true, ordering: .relaxed) { throw Diagnostic(.cannotRead, "the device is gone") }
      return bytes
    }
  }

  @Test(
    "A file that can be read no further fails once, though errors are skipped and one has been",
    arguments: [
      (FileFormat.csv, "n\n1\n2,x\n3\n", #"{"n":"1"}"#, #"{"n":"3"}"#, "S302"),
      (.csv, "n\n1\n2\"x\n3\n", #"{"n":"1"}"#, #"{"n":"3"}"#, "S001"),
      (.ndjson, "1\n02\n3\n", "1", "3", "S001"), (.json, "[1, 02, 3,", "1", "3", "S001"),
    ], ["", #"{"filter": {"expression": "value != null"}}"#])
  func unreadable(
    _ file: (format: FileFormat, text: String, first: String, last: String, code: String), _ operators: String
  ) throws {
    let model = try stream(
      #"{"source": {"file": {"path": "f", "format": "\#(file.format.rawValue)"}}, "operators": [\#(operators)]}"#)
    let pipeline = try model.compile(CompileOptions(files: Failing(file.text)))
    let history = VirtualRun(Execution(pipeline, skipsErrors: true), eventLimit: 20).run()
    #expect(history.texts() == ["\(file.first)@0", "skipped \(file.code)@0", "\(file.last)@0", "#S505@0"])
  }

  @Test("A file without an end is read no further than values are asked for")
  func endless() throws {
    let files = Endless()
    let model = try stream(
      #"{"source": {"file": {"path": "f", "format": "ndjson"}}, "operators": [{"prefix": {"count": 100000}}, {"count": {}}]}"#
    )
    let execution = Execution(try model.compile(CompileOptions(files: files)))
    #expect(files.readCount.load(ordering: .relaxed) == 0)
    let history = VirtualRun(execution).run()
    #expect(history.values == [100_000])
    #expect(files.readCount.load(ordering: .relaxed) < 800_000 + 2 * 65_536)
  }

  @Test("Asked for three values, it reads what holds them and no more")
  func demand() throws {
    let files = Endless()
    let model = try stream(#"{"source": {"file": {"path": "f", "format": "ndjson"}}}"#)
    let execution = Execution(try model.compile(CompileOptions(files: files)))
    execution.request(Demand(3))
    var count = 0
    while execution.next() != nil { count += 1 }
    #expect(count == 3)
    #expect(files.readCount.load(ordering: .relaxed) <= 65_536)
  }
}

extension [UInt8] {
  /// The bytes again and again, so many in all.
  fileprivate func cycled(_ count: Int) -> [UInt8] { (0..<count).map { self[$0 % self.count] } }
}
