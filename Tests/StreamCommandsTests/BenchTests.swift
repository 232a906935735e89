import StreamCore
import TestSupport
import Testing

/// `streamrun bench`: what it says of a stream beside its times.
@Suite struct BenchTests {
  private static let counting = """
    {
      "source": { "range": { "from": 1, "through": 100 } },
      "operators": [ { "filter": { "expression": "value % 2 == 0" } }, { "count": {} } ]
    }
    """

  private static let fed = """
    {
      "inputs": { "a": { "type": "int" } },
      "source": { "input": { "name": "a" } },
      "operators": [ { "prefix": { "count": 3 } } ],
      "tests": [
        {
          "name": "three",
          "inputs": { "a": { "values": [1, 2, 3, 4] } },
          "expect": { "values": [1, 2, 3] }
        }
      ]
    }
    """

  /// The streams of a report.
  private static func streams(_ outcome: Outcome) -> [Value] {
    guard let report = try? JSONDocument(reading: outcome.output, file: "").value,
      case .list(let streams)? = report[JSONPointer(["streams"])]
    else { return [] }
    return streams.elements
  }

  /// A member of each stream.
  private static func members(_ name: String, _ outcome: Outcome) -> [Value?] {
    streams(outcome).map { $0[JSONPointer([name])] }
  }

  private static func bench(_ files: [(String, String)], _ arguments: [String]) -> Outcome {
    let folder = Fixture.Folder()
    for (name, text) in files { folder.add(name, text) }
    return Subprocess.run(["bench", "--rounds", "2", "--format", "json"] + arguments, in: folder.path)
  }

  @Test("A stream with calls is refused, since nothing answers them")
  func calls() {
    let folder = Fixture.Folder()
    folder.add("s.json", #"{"source": {"call": {"function": "geo"}}}"#)
    let outcome = Subprocess.run(["bench", "s.json"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error S121: this host has no function 'geo'"))
    #expect(outcome.errors.contains("bench measures the stream alone, without a program for calls; record a run"))
    #expect(outcome.errors.contains("streamrun FILE --call geo='COMMAND' --record run.ndjson"))
  }

  @Test("A stream with a source of its own runs to its end, and is counted where the source publishes")
  func source() {
    let outcome = Self.bench([("s.json", Self.counting)], ["s.json", "--values", "10", "--operators"])
    #expect(outcome.code == 0)
    #expect(Self.members("operators", outcome) == [0, 1, nil])
    // A stream that publishes at once is stopped at the limit. A stream that publishes at its end runs to its end.
    #expect(Self.members("valuesIn", outcome) == [10, 10, 100])
    #expect(Self.members("valuesOut", outcome) == [10, 5, 1])
    #expect(Self.members("subscriptions", outcome) == [1, 1, 1])
    #expect(Self.members("ratio", outcome).last == 1.0)
    for case .list(let rounds)? in Self.members("rounds", outcome) { #expect(rounds.count == 2) }
  }

  @Test("Without a recording, the values of the file's tests are fed repeatedly, and a stream that ends starts again")
  func tests() {
    let outcome = Self.bench([("s.json", Self.fed)], ["s.json", "--values", "10"])
    #expect(outcome.code == 0)
    #expect(Self.members("valuesIn", outcome) == [10])
    #expect(Self.members("valuesOut", outcome) == [10])
    #expect(Self.members("subscriptions", outcome) == [4])
  }

  @Test("A recording is fed to all files, and the first is the measure of the others")
  func recording() {
    let other = Self.fed.replacing("\"count\": 3", with: "\"count\": 5")
    let outcome = Self.bench(
      [("s.json", Self.fed), ("t.json", other), ("a.ndjson", "1\n2\n")],
      ["s.json", "t.json", "--values", "15", "--input", "a=a.ndjson"])
    #expect(outcome.code == 0)
    #expect(Self.members("name", outcome) == ["s.json", "t.json"])
    #expect(Self.members("subscriptions", outcome) == [5, 3])
    #expect(Self.members("ratio", outcome).first == 1.0)
  }

  @Test("Timers fire in virtual time")
  func timers() {
    let timer = #"{"source": {"timer": {"every": 3600}}, "operators": [{"delay": {"seconds": 60}}]}"#
    let outcome = Self.bench([("s.json", timer)], ["s.json", "--values", "20"])
    #expect(outcome.code == 0)
    #expect(Self.members("valuesIn", outcome) == [20])
    #expect(Self.members("valuesOut", outcome) == [19])
  }

  @Test("Values that an operator fails at are left out where that is wished for, and counted")
  func skipping() {
    let dividing = Self.fed.replacing(
      "{ \"prefix\": { \"count\": 3 } }", with: #"{"map": {"expression": "6 / value"}}"#)
    let files = [("s.json", dividing), ("a.ndjson", "1\n0\n")]
    let arguments = ["s.json", "--values", "10", "--input", "a=a.ndjson"]
    let failed = Self.bench(files, arguments)
    #expect(failed.code == 1)
    #expect(failed.errors.contains("error S402"))
    #expect(failed.output == "")
    let skipped = Self.bench(files, arguments + ["--skip-errors"])
    #expect(skipped.code == 0)
    #expect(Self.members("skipped", skipped) == [5])
    #expect(Self.members("valuesOut", skipped) == [5])
  }

  @Test("Lines that are wrong are left out of a recording where that is wished for")
  func wrongLines() {
    let files = [("s.json", Self.fed), ("a.ndjson", "1\nnope\n\"text\"\n2\n")]
    let arguments = ["s.json", "--values", "6", "--input", "a=a.ndjson"]
    let refused = Self.bench(files, arguments)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("a.ndjson:2:1: error S001"))
    let skipped = Self.bench(files, arguments + ["--skip-errors"])
    #expect(skipped.code == 0)
    #expect(Self.members("valuesIn", skipped) == [6])
  }

  @Test("The table has a line for each stream")
  func text() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.counting)
    let lines = Subprocess.run(["bench", "s.json", "--rounds", "1", "--operators"], in: folder.path).output
      .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.map(\.first) == ["ns/value", "0", "1", "s.json"])
    #expect(lines.last?.dropFirst(4).prefix(3) == ["1.00", "100", "1"])
  }

  @Test("A run has a limit as a whole: a stream that takes much work for each value is stopped")
  func wholeLimit() {
    let file = (
      "s.json",
      #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"flatMap": {"stream": {
         "source": {"range": {"from": 1, "through": 2000}}, "operators": [{"filter": {"expression": "value == 2000"}}]}}}],
       "tests": [{"name": "t", "inputs": {"a": {"values": [1]}}, "expect": {"values": [2000]}}]}
      """#
    )
    let cut = Self.bench([file], ["s.json", "--values", "5000", "--budget", "100000"])
    #expect(cut.code == 0, "\(cut.errors)")
    guard case .int(let count)?? = Self.members("valuesIn", cut).first else {
      Issue.record("\(cut.output)")
      return
    }
    #expect((1..<5000).contains(count))
    let folder = Fixture.Folder()
    folder.add(file.0, file.1)
    let text = Subprocess.shell("streamrun bench s.json --rounds 1 --values 5000 --budget 100000", in: folder.path)
    #expect(text.contains("note: s.json: "), "\(text)")
    #expect(text.contains("a run was stopped after \(count) values, by --budget"), "\(text)")
    let whole = Self.bench([file], ["s.json", "--values", "100", "--budget", "100000000"])
    #expect(Self.members("valuesIn", whole) == [100])
  }
}
