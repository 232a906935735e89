import TestSupport
import Testing

/// Every command that runs a stream reports values that it does not deliver on standard error.
@Suite struct NothingLostCommandTests {
  /// A timer of a hundred ticks before an operator that takes ten times as long for each and lets one wait.
  private static let slow = """
    {"source": {"timer": {"every": 0.001, "count": 100}}, "operators": [
      {"flatMap": {"strategy": "concat", "limit": 1, "stream":
        {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.01}}]}}}, {"count": {}}],
     "tests": [{"name": "t", "expect": {"values": [12]}}]}
    """

  @Test("`run`, `test` and `show` report the operator and the number of values that it has dropped")
  func dropped() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.slow)
    for arguments in [["s.json", "--virtual"], ["test", "s.json"], ["show", "s.json", "--limit", "2000"]] {
      let outcome = Subprocess.run(arguments, in: folder.path)
      let warning = "s.json:1:22: warning S418: 'timer' dropped "
      #expect(outcome.errors.contains(warning), "\(arguments): \(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.split(separator: "S418").count == 2, "\(arguments)")
    }
  }

  @Test(
    "`run` and `replay` report the values that wait in an operator when the stream ends, and how to publish them",
    arguments: [
      ("debounce(10)", "'debounce' dropped 1 value that waited when its stream ended", "write onFinish: flush"),
      ("sample(10)", "'sample' dropped 1 value that waited when its stream ended", "'collectTime' publishes"),
      (
        "groupBy(value.k, (debounce(10)))", "'debounce' dropped 2 values that waited when their streams ended",
        "write onFinish: flush"
      ),
      (
        "range(1, 4) | zip(input)", "'zip' dropped 1 value that waited when its stream ended",
        "no other stream had a value"
      ),
    ])
  func waiting(_ text: String, _ message: String, _ help: String) {
    let folder = Fixture.Folder()
    let rows = [(1, "a"), (48, "b"), (53, "a")].map { #"{"t":\#($0),"k":"\#($1)"}"# + "\n" }.joined()
    let arguments = ["-e", text, "--event-time", "value.t", "--unit", "s"]
    let outcome = Subprocess.run(arguments + ["--record", "run.ndjson"], input: rows, in: folder.path)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("warning S418: \(message)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("help: \(help)"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "S418").count == 2)
    let replayed = Subprocess.run(["replay", "run.ndjson"], in: folder.path)
    #expect(replayed.errors.contains("warning S418: \(message)"), "\(replayed.errors)")
  }

  @Test("Nothing is reported of values that are flushed, of a run that is stopped, and by `test` and `show`")
  func silentEnds() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"""
      {"source": {"range": {"from": 1, "through": 3}}, "operators": [{"debounce": {"seconds": 1}}],
       "tests": [{"name": "t", "expect": {"values": []}}]}
      """#)
    for arguments in [
      ["test", "s.json"], ["show", "s.json"], ["-e", "range(1, 3) | debounce(1, onFinish: flush)", "--virtual"],
      ["-e", "timer(1) | debounce(5)", "--virtual", "--for", "3"],
    ] {
      let outcome = Subprocess.run(arguments, in: folder.path)
      #expect(outcome.code == 0 && !outcome.errors.contains("S418"), "\(arguments): \(outcome.errors)")
    }
  }

  @Test("Two branches of standard input see all lines, the slower one too")
  func branches() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      """
      {"inputs": {"a": {}}, "streams": {"slow": {"source": {"input": {"name": "a"}}, "operators": [
         {"flatMap": {"strategy": "concat", "stream":
           {"source": {"just": {"expression": "outer"}}, "operators": [{"delay": {"seconds": 0.0001}}]}}}, {"count": {}}]}},
       "source": {"input": {"name": "a"}}, "operators": [{"count": {}}, {"zip": {"with": ["slow"]}}]}
      """)
    let input = (1...3_000).map { "\($0)\n" }.joined()
    for arguments in [[], ["--virtual"], ["--threads", "1"], ["--threads", "2"], ["--event-time", "value"]] {
      let outcome = Subprocess.run(["s.json"] + arguments, input: input, in: folder.path)
      #expect(outcome.output == "[3000,3000]\n", "\(arguments): \(outcome.errors)")
    }
  }

  @Test("Values that 'lateness' holds back are reported when a run ends early")
  func held() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "partition": {"key": "value.k", "time": "value.t", "lateness": 60},
       "operators": [{"map": {"expression": "value.t"}}]}
      """#)
    let good = (0...3).map { #"{"k":1,"t":\#(1_700_000_000_000 + $0 * 1_000)}"# + "\n" }.joined()
    let whole = Subprocess.run(["s.json"], input: good, in: folder.path)
    #expect(whole.output.split(separator: "\n").count == 4, "\(whole.errors)")
    #expect(whole.errors.isEmpty)
    let bad = Subprocess.run(["s.json"], input: good + "oops\n", in: folder.path)
    #expect(bad.errors.contains("warning S418: the run ended early: 4 values held because of 'lateness' were dropped"))
    let limited = Subprocess.run(["s.json", "--limit", "1"], input: good, in: folder.path)
    #expect(limited.errors.contains("3 values held because of 'lateness' were dropped"), "\(limited.errors)")
  }
}
