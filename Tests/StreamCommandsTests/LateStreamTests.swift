import TestSupport
import Testing

/// Streams of late values, as the commands run them.
@Suite struct LateStreamTests {
  private let folder = Fixture.Folder()
  private static let data = [(1000, 1), (1009, 2), (1001, 3), (1008, 4), (1020, 5), (1002, 6)]
    .map { "{\"t\":\($0),\"v\":\($1)}\n" }.joined()

  init() {
    folder.add("s.json", Self.file(Self.outputs))
    folder.add("a.ndjson", Self.data)
  }

  private static let outputs = #"""
    "outputs": {
      "sum": {"stream": {"source": {"input": {"name": "a"}}, "operators": [
        {"map": {"expression": "value.v"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}]}},
      "late": {"stream": {"source": {"input": {"name": "a", "late": true}}}}}
    """#

  private static func file(_ members: String, late: String = "output") -> String {
    #"{"inputs": {"a": {"time": {"expression": "value.t", "unit": "s", "lateness": 5, "late": "\#(late)"}}}, \#(members)}"#
  }

  private static let lines = """
    {"sum":1}
    {"late":{"t":1001,"v":3}}
    {"sum":5}
    {"sum":7}
    {"late":{"t":1002,"v":6}}
    {"sum":12}

    """

  @Test("A file has its late values as an output, which a recording repeats")
  func outputs() {
    let run = Subprocess.run(["s.json", "--record", "r.ndjson"], input: Self.data, in: folder.path)
    #expect(run.output == Self.lines)
    #expect(run.code == 0)
    #expect(run.errors.contains("2 values arrived more than 5 s late"), "\(run.errors)")
    #expect(run.errors.contains("and went to the streams of late values"), "\(run.errors)")
    let replay = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(replay.output == Self.lines)
    #expect(replay.errors.isEmpty, "\(replay.errors)")
    let added = Subprocess.run(["replay", "r.ndjson", "--as-test", "recorded"], in: folder.path)
    #expect(added.code == 0, "\(added.errors)")
    let test = Subprocess.run(["test", "s.json"], in: folder.path)
    #expect(test.output == "1 passed, 0 failed\n", "\(test.output)")
  }

  @Test("The output of late values has a file and a format of its own, beside --late-output")
  func destinations() {
    let run = Subprocess.run(
      ["s.json", "--output", "late=l.csv", "--late-output", "l.ndjson", "--timestamps"], input: Self.data,
      in: folder.path)
    #expect(run.code == 0)
    #expect(run.errors.contains("and went to l.ndjson"), "\(run.errors)")
    #expect(
      Fixture.read(folder.path("l.csv"))
        == "at,time,t,v\r\n4,1970-01-01T00:16:44Z,1001,3\r\n15,1970-01-01T00:16:55Z,1002,6\r\n")
    #expect(Fixture.read(folder.path("l.ndjson")) == "{\"t\":1001,\"v\":3}\n{\"t\":1002,\"v\":6}\n")
  }

  @Test("A run continues with the late values that it has read and not delivered")
  func states() {
    var output = ""
    for _ in 0..<10 {
      let run = Subprocess.run(
        ["s.json", "--input", "a=a.ndjson", "--state", "state", "--limit", "1"], in: folder.path)
      #expect(run.code == 0, "\(run.errors)")
      output += run.output
    }
    #expect(output == Self.lines)
  }

  @Test("Late values that are kept apart need a place")
  func needsPlace() {
    folder.add("none.json", Self.file(#""source": {"input": {"name": "a"}}"#))
    let run = Subprocess.run(["none.json"], input: Self.data, in: folder.path)
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("late values of the input 'a' have no output"), "\(run.errors)")
    #expect(run.errors.contains(#"{"source": {"input": {"name": "a", "late": true}}}"#), "\(run.errors)")
    let other = Subprocess.run(["s.json", "--late", "drop"], input: Self.data, in: folder.path)
    #expect(other.output == "{\"sum\":1}\n{\"sum\":5}\n{\"sum\":7}\n{\"sum\":12}\n")
    #expect(other.errors.contains("and were dropped"), "\(other.errors)")
  }

  @Test("Files cannot feed the stream of late values; explanations and pictures name it")
  func isNoInput() {
    let fed = Subprocess.run(["s.json", "--input", "a (late)=a.ndjson"], input: Self.data, in: folder.path)
    #expect(fed.errors.contains("there is no input 'a (late)' for --input"), "\(fed.errors)")
    #expect(fed.errors.contains("inputs: a\n"), "\(fed.errors)")
    let explanation = Subprocess.run(["explain", "s.json"], in: folder.path)
    #expect(explanation.output.contains("Publishes the values of the input a that arrive too late."), "\(explanation)")
    let picture = Subprocess.run(["show", "s.json", "--input", "a=a.ndjson", "--ascii"], in: folder.path)
    #expect(picture.output.contains("a (late)"), "\(picture.output)")
    #expect(picture.code == 0)
  }

  @Test("A partition runs by a clock that the command line gives")
  func partitions() {
    folder.add(
      "p.json",
      #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "partition": {"key": "value.v % 2"},
       "operators": [{"debounce": {"seconds": 3}}]}
      """#)
    let refused = Subprocess.run(["p.json"], input: Self.data, in: folder.path)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("or run with --event-time value.time"), "\(refused.errors)")
    let words = ["--event-time", "value.t", "--unit", "s", "--lateness", "20"]
    let run = Subprocess.run(["p.json", "--timestamps"] + words, input: Self.data, in: folder.path)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output == """
        {"at":4,"time":"1970-01-01T00:16:44Z","value":{"t":1001,"v":3}}
        {"at":5,"time":"1970-01-01T00:16:45Z","value":{"t":1002,"v":6}}
        {"at":12,"time":"1970-01-01T00:16:52Z","value":{"t":1009,"v":2}}

        """, "\(run.output)")
    let picture = Subprocess.run(["show", "p.json", "--input", "a=a.ndjson"] + words, in: folder.path)
    #expect(picture.code == 0, "\(picture.errors)")
  }
}
