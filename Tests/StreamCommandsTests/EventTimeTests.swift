import TestSupport
import Testing

/// `--event-time`: a stream by the clock of its data.
@Suite struct EventTimeTests {
  static let debounce = """
    { "inputs": { "n": {} }, "source": { "input": { "name": "n" } }, "operators": [ { "debounce": { "seconds": 2 } } ] }
    """

  private func run(_ stream: String, _ arguments: String..., input: String) -> Outcome {
    let folder = Fixture.Folder()
    folder.add("s.json", stream)
    return Subprocess.run(["s.json", "--timestamps"] + arguments, input: input, in: folder.path)
  }

  @Test("Timers fire between the records")
  func timers() {
    let input = [0, 1, 5, 6, 20].map { "{\"t\": \(1_700_000_000_000 + $0 * 1000), \"n\": \($0)}\n" }.joined()
    let stream = Self.debounce.replacing(
      "} } ] }", with: "} }, { \"map\": { \"expression\": \"value.n\" } } ] }")
    let outcome = run(stream, "--event-time", "value.t", input: input)
    #expect(
      outcome.output
        == """
        {"at":3,"time":"2023-11-14T22:13:23Z","value":1}
        {"at":8,"time":"2023-11-14T22:13:28Z","value":6}

        """)
    #expect(outcome.code == 0)
  }

  @Test("A time may be a timestamp, and one that goes back counts as the present")
  func late() {
    let times = ["10:00:00Z", "10:00:02Z", "10:00:01Z", "10:00:03.5Z"]
    let input = times.map { "\"2024-05-01T\($0)\"\n" }.joined()
    let outcome = run(RunTests.pass, "--event-time", "timestamp(value)", input: input)
    let places = outcome.output.split(separator: "\n").map { $0.prefix { $0 != "," } }
    #expect(places == ["{\"at\":0", "{\"at\":2", "{\"at\":2", "{\"at\":3.5"])
    #expect(outcome.errors.contains("warning S305: 1 value arrived out of order"))
    #expect(outcome.code == 0)
  }

  @Test("A time out of range is reported with its line, or left out")
  func outOfRange() {
    let input = "{\"t\":0}\n{\"t\":99999999999999}\n{\"t\":1000}\n"
    let refused = run(RunTests.pass, "--event-time", "value.t", input: input)
    #expect(refused.output.hasPrefix("{\"at\":0,"))
    #expect(refused.errors.contains("<stdin>:2:1: error S305: the event time is 5138-"))
    #expect(refused.code == 2)
    let skipped = run(RunTests.pass, "--event-time", "value.t", "--skip-errors", input: input)
    let lines = skipped.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix(#"{"at":1,"time":"1970-01-01T00:00:01Z""#) == true)
    #expect(skipped.errors.contains("skipped 0 lines, 1 value"))
    #expect(skipped.code == 0)
  }

  @Test(
    "The help for a time that is not one depends on its type",
    arguments: [
      ("1700000000000000", "write --unit us"), ("1.7e18", "write --unit ns"),
      ("1700000000000000000", "write --unit ns"), ("\"1700000000000\"", "write int(value.t)"),
      ("\"2024-02-29\"", "write timestamp(value.time)"), ("null", "name the field that holds the time"),
      ("{}", "name the field that holds the time"),
    ])
  func help(time: String, expected: String) {
    let outcome = run(RunTests.pass, "--event-time", "value.t", input: "{\"t\":\(time)}\n")
    #expect(outcome.errors.contains("error S305: the event time is "))
    #expect(outcome.errors.contains(expected))
    #expect(outcome.code == 2)
  }

  @Test(
    "Times that seem to be in seconds get a warning",
    arguments: [("1700000000", true), ("1700000000000", false), ("1700", false), ("0", false)])
  func seconds(time: String, isWarned: Bool) {
    let outcome = run(RunTests.pass, "--event-time", "value.t", input: "{\"t\":\(time)}\n")
    #expect(outcome.errors.contains("as if times were given in another unit") == isWarned, "\(outcome.errors)")
    #expect(outcome.code == 0)
  }

  @Test("If one of several inputs begins out of range, it is reported")
  func outOfRangeFirst() {
    let folder = Fixture.Folder()
    folder.add("a", "0\n3000\n")
    folder.add("b", "99999999999999\n2000\n")
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {}, "b": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "merge": { "with": ["b"] } } ] }
      """)
    let outcome = Subprocess.run(
      ["s.json", "--event-time", "value", "--input", "a=a", "--input", "b=b", "--skip-errors"], in: folder.path)
    #expect(outcome.output == "0\n2000\n3000\n")
    #expect(outcome.errors.contains("b:1:1: warning S305"))
  }

  @Test("`now()` is right before 1970")
  func before1970() {
    let stream =
      #"{"inputs": {"n": {}}, "source": {"input": {"name": "n"}}, "operators": [{"map": {"expression": "string(now())"}}]}"#
    let outcome = run(
      stream, "--event-time", "timestamp(value)", input: "\"1601-03-04T05:06:07Z\"\n\"1890-01-01T00:00:00Z\"\n")
    #expect(outcome.output.contains("\"value\":\"1601-03-04T05:06:07Z\""))
    #expect(outcome.output.contains("\"value\":\"1890-01-01T00:00:00Z\""))
  }

  @Test(
    "Every format prints the calendar's time",
    arguments: [
      ("csv", "at,time,value\r\n0,1970-01-01T00:00:01Z,1000\r\n1.5,1970-01-01T00:00:02.500Z,2500\r\n"),
      ("text", "0.000\t1970-01-01T00:00:01Z\t1000\n1.500\t1970-01-01T00:00:02.500Z\t2500\n"),
    ])
  func formats(_ format: String, _ text: String) {
    let outcome = run(RunTests.pass, "--event-time", "value", "--format", format, input: "1000\n2500\n")
    #expect(outcome.output == text)
  }

  @Test("Several inputs are merged by time")
  func merge() {
    let folder = Fixture.Folder()
    folder.add("a", "0\n3000\n4000\n")
    folder.add("b", "1000\n2000\n5000\n")
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {}, "b": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "merge": { "with": ["b"] } } ] }
      """)
    let outcome = Subprocess.run(
      ["s.json", "--event-time", "value", "--input", "a=a", "--input", "b=b"], in: folder.path)
    #expect(outcome.output == "0\n1000\n2000\n3000\n4000\n5000\n")
  }

  @Test("A record without a time is reported with its line")
  func noTime() {
    let outcome = run(RunTests.pass, "--event-time", "value.t", input: "{\"t\": 1}\n{\"u\": 2}\n")
    #expect(outcome.errors.hasPrefix("<stdin>:2:1: error S305: the event time cannot be evaluated"))
    #expect(outcome.code == 2)
    let skipping = run(RunTests.pass, "--event-time", "value.t", "--skip-errors", input: "{\"t\": 1}\n{\"u\": 2}\n")
    #expect(skipping.errors.hasSuffix("skipped 0 lines, 1 value\n"))
    #expect(skipping.code == 0)
  }

  @Test("An expression that gives no time is refused before anything runs")
  func badExpression() {
    let outcome = run(RunTests.pass, "--event-time", "'now'", input: "1\n")
    #expect(outcome.errors.hasPrefix("--event-time:1:1: error S305: the event time has the type string"))
    #expect(outcome.code == 2)
    let wrong = run(RunTests.pass, "--event-time", "valeu.t", input: "1\n")
    #expect(wrong.errors.hasPrefix("--event-time:1:1: error S202"))
  }

  @Test("The end of the input comes at the time of its last record")
  func end() {
    let stream = """
      { "inputs": { "n": {} }, "source": { "input": { "name": "n" } }, "operators": [ { "count": {} } ] }
      """
    let outcome = run(stream, "--event-time", "value", input: "1000\n9000\n")
    #expect(outcome.output == "{\"at\":8,\"time\":\"1970-01-01T00:00:09Z\",\"value\":2}\n")
  }
}
