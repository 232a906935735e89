import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// With two threads a run does what it does with one.
@Suite struct TwoThreadsTests {
  /// Much more than is read before a thread is started.
  private static let long = (0..<140).map { _ in UnreadFieldsTests.lines }.joined(separator: "\n")

  private static func stream(_ operators: String, type: String = "") -> String {
    #"{"inputs": {"i": {\#(type)}}, "source": {"input": {"name": "i"}}, "operators": [\#(operators)]}"#
  }

  private func run(_ operators: String, type: String = "", _ arguments: [String], input: String) -> Outcome {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.stream(operators, type: type))
    return Subprocess.run(["s.json"] + arguments, input: input, in: folder.path)
  }

  @Test(
    "Two threads have the same output as one",
    arguments: UnreadFieldsTests.streams.filter { !$0.contains("delay") }.enumerated())
  func agrees(_ number: Int, _ operators: String) {
    #expect(Self.long.utf8.count > 2 * ReadAheadPolicy.worth)
    // Each of them is run in one of these ways.
    let ways: [(type: String, arguments: [String])] = [
      ("", []), (#""type": {"n": "int", "d": "string", "z": "double", "ok": "bool"}"#, []),
      ("", ["--virtual", "--format", "json"]),
    ]
    let way = ways[number % ways.count]
    let arguments = way.arguments + ["--skip-errors", "--threads"]
    let one = run(operators, type: way.type, arguments + ["1"], input: Self.long)
    let two = run(operators, type: way.type, arguments + ["2"], input: Self.long)
    #expect(one == two)
    #expect(one.code == 0)
    #expect(!one.output.isEmpty)
  }

  @Test("A run that fails, or that has had enough, ends at the same line")
  func ends() {
    let lines = (0..<40_000).map { #"{"n":\#($0),"text":"so that it is long enough","d":"d\#($0 % 7)"}"# }
    #expect(lines.prefix(30_000).joined(separator: "\n").utf8.count > 3 * ReadAheadPolicy.worth / 2)
    let wrong = lines.prefix(33_123) + ["{\"n\":"] + lines.dropFirst(33_123)
    let cases: [(operators: String, arguments: [String], lines: [String], code: Int32)] = [
      (#"{"filter": {"expression": "value.n % 10 == 0"}}"#, [], Array(wrong), 2),
      (#"{"map": {"expression": "1000 / (35000 - value.n)"}}"#, [], lines, 1),
      (#"{"filter": {"expression": "value.n % 3 == 0"}}"#, ["--limit", "12000"], lines, 0),
      (#"{"prefix": {"count": 32000}}, {"map": {"expression": "value.d"}}"#, [], lines, 0),
      (#"{"scan": {"initialValue": 0, "expression": "acc + value.n"}}, {"last": {}}"#, [], lines + [""], 0),
    ]
    for (operators, arguments, lines, code) in cases {
      let input = lines.joined(separator: "\n")
      let one = run(operators, arguments + ["--threads", "1"], input: input)
      let two = run(operators, arguments + ["--threads", "2"], input: input)
      #expect(one == two)
      #expect(one.code == code)
      #expect(!one.output.isEmpty)
    }
  }

  // MARK: Files that streams name

  /// Tables and lines much longer than what is read before a thread is started, with some lines that are not plain.
  private static let files: [(name: String, format: String, text: String)] = [
    ("rows.csv", "csv", table { "\($0),d\($0 % 7),\(Double($0 % 1000) / 1000),so that it is long enough" }),
    (
      "odd.csv", "csv",
      table { number in
        switch number % 500 {
        case 77: "\(number),\"d,\n1,d,0.5,x\",1,ä\r"
        case 78: "\n\(number),d,1e-1,\"\""
        default: "\(number),d\(number % 7),\(number % 3),so that it is long enough\r"
        }
      }
    ),
    (
      "lines", "ndjson",
      (0..<40_000).map { #"{"n":\#($0),"d":"d\#($0 % 7)","x":0.\#($0 % 9)5,"deep":{"so that":["it","is","long"]}}"# }
        .joined(separator: "\n")
    ),
  ]

  private static func table(_ row: (Int) -> String) -> String {
    "n,d,x,t\n" + (0..<44_000).map(row).joined(separator: "\n")
  }

  @Test("A file that a stream names comes to the same", arguments: files.indices)
  func filesOfStreams(_ number: Int) {
    let (name, format, text) = Self.files[number]
    #expect(text.utf8.count > 3 * ReadAheadPolicy.worth / 2)
    let folder = Fixture.Folder()
    folder.add(name, text)
    let wrong = text.split(separator: "\n", omittingEmptySubsequences: false)
    folder.add("wrong-" + name, (wrong.prefix(38_000) + ["{\"n\":x"] + wrong.dropFirst(38_000)).joined(separator: "\n"))
    let cases: [(operators: String, arguments: [String], code: Int32)] = [
      (#"{"filter": {"expression": "value.n % 10 == 0"}}"#, [], 0),
      (#"{"filter": {"expression": "value.n % 10 == 7"}}"#, ["--format", "csv"], 0),
      (
        #"{"map": {"expression": "{'x': value.x, 'd': value.d}"}}"#, ["--format", "json", "--timestamps", "--virtual"],
        0
      ),
      (#"{"filter": {"expression": "value.d != 'd1'"}}, {"count": {}}"#, [], 0),
      (#"{"map": {"expression": "1000 / (35000 - value.n)"}}"#, [], 1),
      (
        #"{"map": {"expression": "1000 / (35000 - value.n)"}}, {"filter": {"expression": "value > 3"}}"#,
        ["--skip-errors"], 0
      ),
      (#"{"filter": {"expression": "value.n % 3 == 0"}}"#, ["--limit", "12000"], 0),
      (#"{"prefix": {"count": 32000}}, {"map": {"expression": "value.d"}}"#, ["--format", "text"], 0),
    ]
    for prefix in ["", "wrong-"] {
      for (operators, arguments, code) in cases {
        folder.add(
          "s.json",
          #"""
          {"source": {"file": {"path": "\#(prefix + name)", "format": "\#(format)",
                               "type": {"n": "int", "d": "string", "x": "double"}}},
           "operators": [\#(operators)]}
          """#)
        let one = Subprocess.run(["s.json", "--threads", "1"] + arguments, in: folder.path)
        let two = Subprocess.run(["s.json", "--threads", "2"] + arguments, in: folder.path)
        #expect(one == two)
        if prefix.isEmpty { #expect(one.code == code, "\(operators): \(one.errors)") }
        if !prefix.isEmpty {
          #expect(one.code != 1 || one.errors.contains("1000 cannot be divided by zero"))
          #expect(one.code != 2 || one.errors.hasPrefix("wrong-\(name):"))
        }
        #expect(!one.output.isEmpty || one.code != 0)
      }
    }
  }

  @Test("A pipe that a stream names is read ahead, and comes to its end")
  func namedPipe() {
    let (_, format, text) = Self.files[0]
    let folder = Fixture.Folder()
    folder.add("rows", text)
    folder.add(
      "s.json",
      #"""
      {"source": {"file": {"path": "pipe", "format": "\#(format)", "type": {"n": "int", "d": "string", "x": "double"}}},
       "operators": [{"filter": {"expression": "value.d != 'd1'"}}, {"count": {}}]}
      """#)
    let output = Subprocess.shell(
      "mkfifo pipe; cat rows > pipe & streamrun s.json --threads 2 --allow-read pipe; wait; (cat rows; sleep 1; echo; echo 1,d,1,t) > pipe & streamrun s.json --threads 2 --allow-read pipe; wait",
      in: folder.path)
    let count = (0..<44_000).count { $0 % 7 != 1 }
    #expect(output == "\(count)\n\(count + 1)\n")
  }

  // MARK: Pipes

  private let folder = Fixture.Folder()

  /// The inputs of the streams in these tests.
  private static let sources = [#"{"input": {"name": "i"}}"#, #"{"file": {"path": "/dev/stdin", "format": "ndjson"}}"#]

  /// Starts a run that reads ahead, and lets through what is a number.
  private func start(_ source: String = sources[0], _ input: Pipe, _ output: Pipe) -> Child {
    let inputs = source.contains("input") ? #""inputs": {"i": {}}, "# : ""
    folder.add(
      "s.json",
      #"{\#(inputs)"source": \#(source), "operators": [{"filter": {"expression": "type(value) == int"}}]}"#)
    let child = Child(
      ["s.json", "--threads", "2", "--allow-read", "/dev/stdin"], input: input.reader, output: output.writer,
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
    input.write(String(repeating: "{\"a\":\"filtered out\"}\n", count: 2 * ReadAheadPolicy.worth / 21 + 1) + "1\n2")
    #expect(output.read(through: "1\n") == "1\n")
    #if os(Linux)
    #expect(Subprocess.shell("ls /proc/\(child.id)/task | wc -l", in: folder.path) == "2\n")
    #endif
    return child
  }

  @Test("Late input after much early input is processed at once", arguments: sources)
  func slow(_ source: String) {
    let (input, output) = (Pipe(), Pipe())
    let child = start(source, input, output)
    input.write("3\n4\n")
    #expect(output.read(through: "23\n4\n") == "23\n4\n")
    input.write("5\n")
    #expect(output.read(through: "5\n") == "5\n")
    input.write("6")
    close(input.writer)
    #expect(output.read(through: "6\n") == "6\n")
    #expect(child.wait() == 0)
    close(output.reader)
  }

  @Test("An interruption ends a run whose thread waits for more", arguments: sources)
  func interruption(_ source: String) {
    let (input, output) = (Pipe(), Pipe())
    let child = start(source, input, output)
    child.send(SIGINT)
    #expect(child.wait() == 130)
    close(output.reader)
    close(input.writer)
  }

  @Test("A closed output ends a run whose thread waits for more", arguments: sources)
  func closedOutput(_ source: String) {
    let (input, output) = (Pipe(), Pipe())
    // The pipe has a reader until the end of the test, so that writing to it never fails.
    let spare = fcntl(input.reader, F_DUPFD_CLOEXEC, 0)
    let child = start(source, input, output)
    close(output.reader)
    // NB: A process that another test starts has the output open until it runs its own program, so that the write of one
    // value may succeed. The write of a later value fails.
    child.wait(until: {
      input.write("3\n")
      return false
    })
    #expect(child.wait() == 0)
    for file in [spare, input.writer] { close(file) }
    #expect(Fixture.read(folder.path("errors")) == "")
  }
}
