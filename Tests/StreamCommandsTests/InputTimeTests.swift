import TestSupport
import Testing

/// The clock of an input, `time`, as the commands read and refuse it.
@Suite struct InputTimeTests {
  private static func file(_ input: String, _ members: String = "") -> String {
    #"{ "inputs": { "a": { \#(input) } }, "source": { "input": { "name": "a" } }\#(members) }"#
  }

  /// An input, the rest of the file, the code, the place, and a part of the message.
  static let refused = [
    (#""time": { "expression": "value.t", "unit": "min" }"#, "", "S104", "/unit", #"expected "s", "ms", "us" or "ns""#),
    (#""time": { "expression": "value.t", "lateness": -1 }"#, "", "S104", "/lateness", "from 0 to 31536000"),
    (#""time": { "expression": "value.t", "lateness": 4e7 }"#, "", "S104", "/lateness", "from 0 to 31536000"),
    (#""time": { "expression": "value.t", "maxJump": 0 }"#, "", "S104", "/maxJump", "expected more than 0"),
    (#""time": { "expression": "value.t", "idle": 0 }"#, "", "S104", "/idle", "expected more than 0"),
    (#""time": { "expression": "value.t", "limit": 0 }"#, "", "S104", "/limit", "from 1 to 1000000000"),
    (#""time": { "expression": "value.t", "late": "skip" }"#, "", "S104", "/late", #""apply", "drop" or "output""#),
    (#""time": { "expression": "value.t", "latenes": 2 }"#, "", "S101", "/latenes", "did you mean 'lateness'?"),
    (#""time": { "unit": "s" }"#, "", "S103", "", "'time' needs 'expression'"),
    (#""time": "value.t""#, "", "S102", "", #"write {"time": {"expression": "value.t"}}"#),
    (
      #""type": { "t": "string" }, "time": { "expression": "value.t" }"#, "", "S305", "/expression",
      "write timestamp(value.time)"
    ),
    (#""type": { "t": "int" }, "time": { "expression": "value.u" }"#, "", "S206", "/expression", "no field 'u'"),
    (
      #""time": { "expression": "value.t" }"#, #", "partition": { "key": "value.k", "time": "value.t" }"#, "S111",
      "/partition/time", "and so does 'partition'"
    ),
  ]

  @Test("A clock that is wrong is refused at its place", arguments: refused)
  func refusals(_ input: String, _ members: String, _ code: String, _ place: String, _ message: String) {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file(input, members))
    let outcome = Subprocess.run(["validate", "s.json"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("error \(code): "), "\(outcome.errors)")
    let pointer = place.hasPrefix("/partition") ? place : "/inputs/a/time" + place
    #expect(outcome.errors.contains("= at \(pointer)\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  /// Options, and a part of the message.
  static let options = [
    (["--lateness", "2"], "--lateness needs the time of values"),
    (["--unit", "s"], "--unit needs the time of values"),
    (["--idle", "3"], "--idle needs the time of values"),
    (["--event-time", "value.t", "--lateness", "-1"], "--lateness is -1.0"),
    (["--event-time", "value.t", "--max-jump", "0"], "--max-jump is 0.0"),
    (["--event-time", "value.t", "--unit", "min"], "'s', 'ms', 'us' or 'ns'"),
    (["--event-time", "value.t", "--late", "output"], "write --late-output FILE"),
  ]

  @Test("Options that say when values happened are checked", arguments: options)
  func wrongOptions(_ options: [String], _ message: String) {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file(""))
    let outcome = Subprocess.run(["run", "s.json"] + options, input: "{\"t\":1}\n", in: folder.path)
    #expect(outcome.code != 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("The clock is in `explain`, and a change of it that keeps the state in `diff`")
  func descriptions() {
    let folder = Fixture.Folder()
    let clock = #""time": { "expression": "value.t", "unit": "s", "lateness": 2, "late": "drop", "idle": 10 }"#
    folder.add("a.json", Self.file(clock))
    folder.add("b.json", Self.file(clock.replacing("\"lateness\": 2", with: "\"lateness\": 5")))
    let explanation = Subprocess.run(["explain", "a.json"], in: folder.path)
    #expect(
      explanation.output.contains(
        #"The stream runs by its times: value.t, unit "s", lateness 2, late "drop", idle 10."#),
      "\(explanation.output)")
    let difference = Subprocess.run(["diff", "a.json", "b.json"], in: folder.path)
    #expect(difference.output.contains("changed  input 'a'  state kept"), "\(difference.output)")
    #expect(difference.output.contains("\"lateness\":5,"), "\(difference.output)")
  }

  @Test("Options replace the members of the file's clock")
  func replacement() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file(#""time": { "expression": "value.t", "unit": "s" }"#))
    let input = [3, 1, 2, 9].map { "{\"t\":\($0)}\n" }.joined()
    let file = Subprocess.run(["s.json"], input: input, in: folder.path)
    #expect(file.output == input)
    #expect(file.errors.contains("2 values arrived out of order"), "\(file.errors)")
    let options = Subprocess.run(["s.json", "--lateness", "2"], input: input, in: folder.path)
    #expect(options.output == "{\"t\":1}\n{\"t\":2}\n{\"t\":3}\n{\"t\":9}\n")
    #expect(options.errors.isEmpty, "\(options.errors)")
  }

  @Test("Times that seem to be in another unit get a warning if they are numbers")
  func units() {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file(#""time": { "expression": "value.t" }"#))
    let seconds = Subprocess.run(["s.json"], input: "{\"t\":1700000000}\n", in: folder.path)
    #expect(seconds.errors.contains("for seconds, write --unit s"), "\(seconds.errors)")
    folder.add("t.json", Self.file(#""time": { "expression": "timestamp(value.t)" }"#))
    let text = Subprocess.run(["t.json"], input: "{\"t\":\"1970-01-20T16:13:20Z\"}\n", in: folder.path)
    #expect(text.errors.isEmpty, "\(text.errors)")
    #expect(text.code == 0)
  }
}
