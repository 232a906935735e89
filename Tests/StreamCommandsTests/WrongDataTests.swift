import StreamCore
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

/// Invalid data are reported alike for every source of the data.
@Suite struct WrongDataTests {
  /// The source of the lines.
  enum Door: CaseIterable {
    case standardInput, input, file, rows, twoThreads
  }

  private let folder = Fixture.Folder()

  private func run(_ text: String, through door: Door, _ arguments: [String] = ["--skip-errors"]) -> Outcome {
    let source = #"{"input": {"name": "i"}}"#
    let file = #"{"file": {"path": "data", "format": "ndjson"}}"#
    let operators = #"[{"filter": {"expression": "value.n >= 0"}}, {"count": {}}]"#
    folder.add("data", text)
    folder.add("input.json", #"{"inputs": {"i": {}}, "source": \#(source), "operators": [{"count": {}}]}"#)
    folder.add("file.json", #"{"source": \#(file), "operators": [{"count": {}}]}"#)
    folder.add("rows.json", #"{"source": \#(file), "operators": \#(operators)}"#)
    switch door {
    case .standardInput: return Subprocess.run(["input.json"] + arguments, input: text, in: folder.path)
    case .input: return Subprocess.run(["input.json", "--input", "i=data"] + arguments, in: folder.path)
    case .file: return Subprocess.run(["file.json"] + arguments, in: folder.path)
    case .rows: return Subprocess.run(["rows.json"] + arguments, in: folder.path)
    case .twoThreads: return Subprocess.run(["rows.json", "--threads", "2"] + arguments, in: folder.path)
    }
  }

  /// The numbers of the lines that warnings are about.
  private func lines(_ outcome: Outcome) -> [Int] {
    outcome.errors.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 3)
      guard parts.count == 4, parts[3].hasPrefix(" warning S0") else { return nil }
      return Int(parts[1])
    }
  }

  /// Lines with CR in and behind them, and where those stand that are wrong.
  private static func text(seed: UInt64, count: Int) -> (text: String, wrong: [Int], valueCount: Int) {
    var state = seed &* 2_654_435_761 &+ 1
    func next(_ limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var (text, wrong, valueCount) = ("", [Int](), 0)
    for number in 1...count {
      let space = ["", " ", "\r", "\r\r", "\t\r"][Int(next(5))]
      switch next(UInt64(count / 10 + 4)) {
      case 0 where wrong.count < 9:
        text += "{\(space)\"n\":\(space)0\(number)\(space)}"
        wrong.append(number)
      case 1: text += space
      case 2:
        text += "\u{FEFF}{\"n\":1}"
        valueCount += 1
      default:
        text += "{\(space)\"n\":\(space)\(number)\(space)}\(next(3) == 0 ? "\r" : "")"
        valueCount += 1
      }
      text += "\n"
    }
    return (text, wrong, valueCount)
  }

  @Test("A line has the same number through every door", arguments: 0..<12)
  func numbers(_ seed: UInt64) {
    let (text, wrong, valueCount) = Self.text(seed: seed, count: 40)
    for door in Door.allCases {
      let outcome = run(text, through: door)
      #expect(lines(outcome) == wrong, "\(door)")
      #expect(outcome.output == "\(valueCount)\n", "\(door)")
      #expect(outcome.code == 0)
      #expect(wrong.isEmpty || outcome.errors.hasSuffix("skipped \(wrong.count.counted("line")), 0 values\n"))
    }
  }

  @Test("Line numbers are the same with read-ahead")
  func numbersAhead() {
    let (text, wrong, valueCount) = Self.text(seed: 99, count: 150_000)
    #expect(text.utf8.count > 3 * ReadAheadPolicy.worth / 2)
    for door in Door.allCases {
      let outcome = run(text, through: door)
      #expect(lines(outcome) == wrong, "\(door)")
      #expect(outcome.output == "\(valueCount)\n", "\(door)")
    }
  }

  @Test("The row of a table is shown, also with quotes and line breaks")
  func shownRows() {
    let text = "n,s\n1\n\"2\n,\",x,y\n4,\"a\"b\n5"
    let outcome = run(text, through: .input, ["--skip-errors", "--input-format", "csv"])
    #expect(outcome.output == "0\n")
    for excerpt in [
      "data:2:1: warning S302: the row has 1 field; the first row has 2 names\n 2 | 1\n",
      "data:3:1: warning S302: the row has 3 fields; the first row has 2 names\n 3 | \"2\n",
      "\n 5 | 4,\"a\"b\n", "\n 6 | 5\n",
    ] {
      #expect(outcome.errors.contains(excerpt), "\(outcome.errors)")
    }
    // No help about lines of JSON.
    #expect(outcome.errors.hasSuffix("skipped 4 lines, 0 values\n"))
  }

  @Test("A line that is wrong, and a value, end a run with the same code", arguments: Door.allCases)
  func codes(_ door: Door) {
    let outcome = run("{\"n\":1}\n{\"n\":\r01}\n{\"n\":3}\n", through: door, [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(":2:7: error S001: "), "\(outcome)")
    #expect(outcome.errors.hasPrefix(door == .standardInput ? "<stdin>:" : "data:"))
  }

  // MARK: Tables and lists

  private func runTable(_ text: String, type: String = "", _ arguments: [String] = ["--skip-errors"]) -> Outcome {
    folder.add("t.csv", text)
    folder.add("t.json", #"{"source": {"file": {"path": "t.csv", "format": "csv"\#(type)}}}"#)
    return Subprocess.run(["t.json"] + arguments, in: folder.path)
  }

  @Test("Rows that are wrong are left out, and counted")
  func rows() {
    let outcome = runTable(
      "a,b\n1,x\n2\n3,y\"\n4,z\nq,w\n5,\"v\n6,\"u\"v\n7,t", type: #", "type": {"a": "int", "b": "string"}"#)
    #expect(outcome.output.split(separator: "\n").map { $0.prefix(6) } == ["{\"a\":1", "{\"a\":4", "{\"a\":7"])
    #expect(lines(outcome) == [4, 8])
    #expect(outcome.errors.hasSuffix("skipped 3 lines, 1 value\n"), "\(outcome)")
    #expect(outcome.code == 0)
  }

  @Test("An error in a table shows the row, the column and the text")
  func column() {
    let outcome = runTable("a,b\n1,x\n\n\"2\",y\nabc,z\n", type: #", "type": {"a": "int", "b": "string"}"#, [])
    #expect(
      outcome
        == Outcome(
          output: "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n",
          errors: """
            t.csv:5:1: error S304: column 'a': found a string, but the declared type is int; the field contains "abc"
                = note: read by the source at t.json:1:30
                = help: skip such lines with --skip-errors

            """, code: 2))
  }

  @Test(
    "Rows end with LF, CR LF or CR, and each counts as one line", arguments: ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"])
  func breaks(_ end: String) {
    let rows = ["a,b", "1,\"x\(end)y\"", "2,z", "3", "4,w"].joined(separator: end)
    let outcome = runTable(rows + end, [])
    #expect(outcome.code == 2)
    let each = end.utf8.count { $0 == 0x0A } + (end == "\r" ? 1 : 0)
    #expect(outcome.errors.hasPrefix("t.csv:\(4 * each + 1):1: error S302: "), "\(outcome)")
  }

  @Test("The separator of a table is found in its first row", arguments: [";", "\t"])
  func separators(_ separator: String) {
    let outcome = runTable("a\(separator)b\n1\(separator)2\n")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(runTable("\"a\(separator)b\"\n1\n", []).code == 0)
    #expect(runTable("a\(separator)b,c\n1,2\n", []).code == 0)
  }

  @Test("Elements of a list that are wrong are left out")
  func elements() {
    folder.add("l.json", "[1, 02,\n tru, {\"a\": [}, 3]")
    folder.add("t.json", #"{"source": {"file": {"path": "l.json", "format": "json"}}}"#)
    let outcome = Subprocess.run(["t.json", "--skip-errors"], in: folder.path)
    #expect(outcome.output.hasPrefix("1\n"))
    #expect(lines(outcome).prefix(2) == [1, 2])
  }

  @Test("A file that is not there, and one that cannot be read, are not left out")
  func missing() {
    folder.add("t.json", #"{"source": {"file": {"path": "gone", "format": "csv"}}}"#)
    let outcome = Subprocess.run(["t.json", "--skip-errors"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error S502"))
    let bench = Subprocess.run(["bench", "t.json"], in: folder.path)
    #expect(bench.code == 2)
  }

  // MARK: Kinds

  /// Files of other kinds, and what is said to do.
  static let kinds: [(text: String, help: String)] = [
    ("{\n  \"a\": 1\n", "'jq -c . FILE'"), ("[\n  1 2\n]\n", "--input-format json"),
    ("id,name\n1,x\n", "--input-format csv"),
    ("\"id\";\"name\"\n1;x\n", "--input-format csv"), ("1,2,3\n", "--input-format csv"),
    ("127.0.0.1 - - [22/Nov/2026] GET / 200\n", "--input-format text"),
    ("2026-11-22 12:00:00,123 INFO started a thing\n", "--input-format text"),
    ("{\u{0}\"\u{0}", "iconv"),
  ]

  @Test("A file of another kind is recognized, and what to do is said", arguments: kinds, [Door.standardInput, .file])
  func kind(_ kind: (text: String, help: String), _ door: Door) {
    let outcome = run(kind.text, through: door, [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("= help: "), "\(outcome)")
    #expect(outcome.errors.contains(kind.help), "\(outcome)")
  }

  @Test("Data that are compressed are recognized by their first bytes", arguments: [Door.standardInput, .file])
  func compressed(_ door: Door) throws {
    let path = folder.path("data")
    _ = run("", through: door)
    let bytes: [[UInt8]] = [
      [0x1F, 0x8B, 8, 0, 10, 1], [0x28, 0xB5, 0x2F, 0xFD, 1], [0xFF, 0xFE, 0x31, 0, 10, 0], Array("BZh91AY&SY".utf8),
    ]
    for (bytes, word) in zip(bytes, ["gzip: ", "zstd: ", "iconv -f UTF-16", "bzcat FILE"]) {
      try AtomicFile.write(bytes, to: path)
      let command = door == .file ? "streamrun file.json" : "streamrun input.json < data"
      let told = Subprocess.shell("\(command) 2>&1; echo $?", in: folder.path)
      #expect(told.contains(word) && told.hasSuffix("2\n"), "\(told)")
      #expect(told.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
      for format in ["csv", "json"] {
        folder.add("t.json", #"{"source": {"file": {"path": "data", "format": "\#(format)"}}}"#)
        let told = Subprocess.run(["t.json", "--skip-errors"], in: folder.path)
        #expect(told.code == 2 && told.errors.contains(word), "\(told)")
      }
    }
  }

  @Test("An error in JSON is reported as such")
  func mistakes() {
    for text in ["{\"a\": tru}\n", "{'a': 1}\n", "nul\n", "{\"a\":1}\n[\n"] {
      let outcome = run(text, through: .standardInput, [])
      #expect(!outcome.errors.contains("FILE"), "\(outcome)")
    }
  }
}
