import StreamCore
import StreamTesting
import TestSupport
import Testing

/// `--record` and `streamrun replay`: the output of a replay is that of the recorded run.
@Suite struct ReplayTests {
  private let folder = Fixture.Folder()

  /// Runs a stream file with a recording, and replays it. Returns both outcomes.
  private func both(
    _ stream: String, _ arguments: [String] = [], input: String = ""
  ) -> (run: Outcome, replay: Outcome) {
    folder.add("s.json", stream)
    let run = Subprocess.run(["s.json", "--record", "r.ndjson"] + arguments, input: input, in: folder.path)
    return (run, Subprocess.run(["replay", "r.ndjson"], in: folder.path))
  }

  private static func numbers(_ count: Int) -> String {
    (0..<count).map { #"{"t":\#($0 * 700),"k":"\#("xyz".dropFirst($0 % 3).prefix(1))","n":\#($0)}"# + "\n" }.joined()
  }

  /// Streams with timed and stateful operators over the input `a`.
  private static let operators = [
    #"{"debounce": {"seconds": 0.01}}"#, #"{"throttle": {"seconds": 0.5}}"#, #"{"delay": {"seconds": 0.02}}"#,
    #"{"sample": {"seconds": 0.01}}"#, #"{"collectTime": {"seconds": 0.01}}"#,
    #"{"scan": {"initialValue": 0, "expression": "acc + value.n"}}"#,
    #"{"timeout": {"seconds": 5}}"#, #"{"measureInterval": {}}"#, #"{"timestamp": {}}"#, #"{"collect": {"count": 3}}"#,
    #"{"removeDuplicates": {"by": "value.k"}}"#, #"{"map": {"expression": "string(now())"}}"#,
    #"{"delay": {"seconds": 0.01}}, {"buffer": {"capacity": 5}}, {"throttle": {"seconds": 0.005, "latest": true}}"#,
    #"{"filter": {"expression": "value.n % 2 == 0"}}, {"delay": {"seconds": 1}}, {"debounce": {"seconds": 0.2}}"#,
  ]

  private static let input = #""inputs": {"a": {}}, "source": {"input": {"name": "a"}}"#

  @Test("A live, a virtual and a replay by event time give the same bytes", arguments: operators)
  func timed(_ operators: String) {
    let stream = "{\(Self.input), \"operators\": [\(operators)]}"
    for arguments in [[], ["--virtual"], ["--event-time", "value.t"]] {
      let (run, replay) = both(stream, arguments + ["--timestamps"], input: Self.numbers(20))
      if run.code == 2 { continue }
      #expect(replay.output == run.output, "\(arguments) \(run.errors) \(replay.errors)")
      #expect(replay.code == run.code)
      _ = Subprocess.shell("rm r.ndjson", in: folder.path)
    }
  }

  @Test("Each output format is that of the recorded run", arguments: ["ndjson", "json", "text", "csv", "marbles"])
  func formats(_ format: String) {
    let stream = "{\(Self.input), \"operators\": [{\"delay\": {\"seconds\": 1}}]}"
    let (run, replay) = both(stream, ["--format", format, "--event-time", "value.t"], input: Self.numbers(5))
    #expect(run.code == 0, "\(run.errors)")
    #expect(replay.output == run.output)
  }

  @Test("Timers of a live run fire in the replay as they did")
  func live() {
    folder.add("s.json", "{\(Self.input), \"operators\": [{\"debounce\": {\"seconds\": 0.05}}]}")
    let run = Subprocess.shell(
      #"(echo '{"n":1}'; echo '{"n":2}'; sleep 0.2; echo '{"n":3}'; sleep 0.02; echo '{"n":4}'; sleep 0.2) "#
        + "| streamrun s.json --record r.ndjson --timestamps", in: folder.path)
    #expect(Subprocess.run(["replay", "r.ndjson"], in: folder.path).output == run)
  }

  @Test("Lateness, skipped errors, limits and initial values are those of the recorded run")
  func options() {
    let late =
      #"{"inputs": {"a": {"type": {"t": "int", "v": "int"}}}, "source": {"input": {"name": "a"}},"#
      + #" "partition": {"key": "'k'", "time": "value.t", "lateness": 2}, "operators": [{"map": {"expression": "10 / value.v"}}]}"#
    let data = [(1000, 1), (3000, 0), (2000, 5), (9000, 2), (1000, 4)].map { #"{"t":\#($0),"v":\#($1)}"# + "\n" }
      .joined()
    let (run, replay) = both(late, ["--skip-errors"], input: data + "no JSON\n")
    #expect(run.code == 0, "\(run.errors)")
    #expect(replay.output == run.output && !run.output.isEmpty)
    _ = Subprocess.shell("rm r.ndjson", in: folder.path)
    let set =
      #"{"inputs": {"a": {}, "b": {"initialValue": 1}}, "streams": {"c": {"source": {"input": {"name": "b"}}}}, "#
      + #""source": {"input": {"name": "a"}}, "operators": [{"combineLatest": {"with": ["c"]}}]}"#
    let pair = both(set, ["--set", "b=7", "--limit", "3", "--input", "a=-"], input: Self.numbers(9))
    #expect(pair.run.code == 0, "\(pair.run.errors)")
    #expect(pair.replay.output == pair.run.output && pair.run.output.split(separator: "\n").count == 3)
  }

  @Test("Values keep their types")
  func types() {
    let stream =
      #"{"inputs": {"a": {"type": "timestamp"}}, "source": {"input": {"name": "a"}}, "operators": "#
      + #"[{"map": {"expression": "value - timestamp('2020-01-01T00:00:00Z')"}}]}"#
    let (run, replay) = both(stream, ["--virtual"], input: "\"2020-01-02T00:00:00.5Z\"\n")
    #expect(run.output == "\"86400.500s\"\n" || !run.output.isEmpty, "\(run.errors)")
    #expect(replay.output == run.output)
    #expect(Fixture.read(folder.path("r.ndjson")).contains(#"{"$timestamp":"2020-01-02T00:00:00.5"#))
  }

  @Test("A stream that fails, fails in the replay, with the same message and exit code")
  func failure() {
    let stream = "{\(Self.input), \"operators\": [{\"map\": {\"expression\": \"1 % value.n\"}}]}"
    let (run, replay) = both(stream, ["--virtual"], input: Self.numbers(3))
    #expect(run.code == 1 && replay.code == 1)
    #expect(replay.errors == run.errors)
    #expect(replay.output == run.output)
  }

  @Test("A version that --watch swaps in is in the recording")
  func swap() {
    folder.add(
      "s.json", "{\(Self.input), \"operators\": [{\"scan\": {\"initialValue\": 0, \"expression\": \"acc + value\"}}]}")
    let (input, output) = (Pipe(), Pipe())
    let child = Child(
      ["--watch", "s.json", "--record", "r.ndjson", "--timestamps"], input: input.reader, output: output.writer,
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
    input.write("1\n2\n")
    var text = output.read(through: "\"value\":3}\n")
    folder.add(
      "s.json",
      "{\(Self.input), \"operators\": [{\"scan\": {\"initialValue\": 0, \"expression\": \"acc + 100 * value\"}}]}")
    child.wait { Fixture.read(folder.path("errors")).contains("swapped") }
    input.write("3\n")
    text += output.read(through: "}\n")
    child.send(15)
    _ = child.wait()
    let replay = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(replay.output == text, "\(replay.errors)")
    #expect(text.contains("303"))
  }

  @Test("Random pipelines", arguments: 0..<PropertyCount.cases(byDefault: 12))
  func random(_ seed: UInt64) {
    let pipeline = RandomPipeline(seed: 7_000 + seed, atMost: 200)
    folder.add("s.json", JSONWriter.compact(pipeline.model))
    var arguments = ["s.json", "--record", "r.ndjson", "--timestamps", "--virtual", "--limit", "2000"]
    if case .map(let inputs)? = pipeline.model.member("inputs") {
      for name in inputs.keys.compactMap(\.text) {
        var generator = SeededGenerator(seed: seed)
        let lines = (0..<40).map { _ in
          #"{"isOn":true,"t":\#(generator.below(9)),"z":\#(generator.below(90)).5}"# + "\n"
        }
        folder.add("\(name).ndjson", lines.joined())
        arguments += ["--input", "\(name)=\(name).ndjson"]
      }
    }
    let run = Subprocess.run(arguments, in: folder.path)
    guard run.code != 2 || !run.output.isEmpty else { return }
    let replay = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(replay.output == run.output, "seed \(seed): \(run.errors) \(replay.errors)")
  }

  // MARK: Other versions

  @Test("--compare prints the first difference, and sets the exit code")
  func compares() {
    let stream = "{\(Self.input), \"operators\": [{\"map\": {\"expression\": \"value.n\"}}]}"
    _ = both(stream, ["--virtual"], input: Self.numbers(4))
    let same = Subprocess.run(["replay", "r.ndjson", "--compare"], in: folder.path)
    #expect(same.output == "1 run, 0 different\n")
    #expect(same.code == 0)
    folder.add("t.json", "{\(Self.input), \"operators\": [{\"map\": {\"expression\": \"value.n * 2\"}}]}")
    let other = Subprocess.run(["replay", "r.ndjson", "t.json", "--compare"], in: folder.path)
    #expect(other.code == 1)
    #expect(other.output.hasSuffix("1 run, 1 different\n"))
    #expect(Subprocess.run(["replay", "r.ndjson", "t.json"], in: folder.path).output == "0\n2\n4\n6\n")
  }

  @Test("--until ends by events, by time and by the calendar")
  func until() {
    _ = both("{\(Self.input)}", ["--event-time", "value.t"], input: Self.numbers(9))
    for (end, count) in [("3", 3), ("1.4s", 3), ("0", 0), ("1970-01-01T00:00:02.1Z", 4)] {
      let replay = Subprocess.run(["replay", "r.ndjson", "--until", end], in: folder.path)
      #expect(replay.output.split(separator: "\n").count == count, "\(end)")
    }
  }

  // MARK: Damage

  @Test("A recording of a run that was killed replays as far as it goes")
  func isCut() {
    let (run, _) = both("{\(Self.input)}", ["--virtual"], input: Self.numbers(9))
    let text = Fixture.read(folder.path("r.ndjson"))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    folder.add("r.ndjson", lines.prefix(5).joined(separator: "\n") + "\n" + lines[5].prefix(9))
    let replay = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(replay.output == run.output.split(separator: "\n").prefix(4).map { $0 + "\n" }.joined())
    #expect(replay.errors.contains("note: the recording has no end; its last line is cut"))
    #expect(replay.code == 0)
  }

  @Test("A damaged line is an error with its place; another format is refused")
  func isDamaged() {
    _ = both("{\(Self.input)}", ["--virtual"], input: Self.numbers(4))
    let text = Fixture.read(folder.path("r.ndjson"))
    var lines = text.split(separator: "\n").map(String.init)
    lines[2] = #"{"at":0,"input":"a"}"#
    folder.add("r.ndjson", lines.joined(separator: "\n") + "\n")
    let damaged = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(damaged.errors.hasPrefix("r.ndjson:3:1: error S302: the recording is damaged"), "\(damaged.errors)")
    #expect(damaged.code == 2)
    folder.add("r.ndjson", text.replacing(#""recording":1"#, with: #""recording":9"#))
    let other = Subprocess.run(["replay", "r.ndjson"], in: folder.path)
    #expect(other.errors.contains("error S113: the recording has the format 9; expected 1"), "\(other.errors)")
    folder.add("r.ndjson", "{}\n")
    #expect(Subprocess.run(["replay", "r.ndjson"], in: folder.path).errors.contains("not the header of a recording"))
    folder.add("r.ndjson", "")
    #expect(Subprocess.run(["replay", "r.ndjson"], in: folder.path).code == 2)
  }

  @Test("A recording never replaces a file, and a full disk ends the run with an error")
  func keepsFiles() {
    folder.add("s.json", "{\(Self.input)}")
    folder.add("r.ndjson", "mine\n")
    let refused = Subprocess.run(["s.json", "--record", "r.ndjson"], input: "1\n", in: folder.path)
    #expect(refused.errors.contains("'r.ndjson' exists and is not empty"))
    #expect(refused.code == 2)
    #expect(Fixture.read(folder.path("r.ndjson")) == "mine\n")
    let own = Subprocess.run(["s.json", "--record", "s.json"], input: "1\n", in: folder.path)
    #expect(own.code == 2)
    let full = Subprocess.run(["s.json", "--record", "/dev/full"], input: "1\n", in: folder.path)
    #expect(full.errors.contains("'/dev/full' cannot be written: the disk is full"))
    #expect(full.code == 2)
  }

  // MARK: Tests and steps

  @Test("--as-test adds a test that passes")
  func asTest() {
    let stream = "{\n  \(Self.input),\n  \"operators\": [{\"debounce\": {\"seconds\": 0.5}}]\n}\n"
    _ = both(stream, ["--event-time", "value.t"], input: Self.numbers(5))
    let added = Subprocess.run(["replay", "r.ndjson", "--as-test", "five"], in: folder.path)
    #expect(added.errors.hasSuffix("s.json: added the test 'five' of 6 events\n"))
    #expect(added.code == 0)
    let tested = Subprocess.run(["test", "s.json", "--verbose"], in: folder.path)
    #expect(tested.code == 0, "\(tested.output)\(tested.errors)")
    let part = Subprocess.run(
      ["replay", "r.ndjson", "--as-test", "part", "--from", "1s", "--until", "2.2s"], in: folder.path)
    #expect(part.code == 0, "\(part.errors)")
    #expect(Subprocess.run(["test", "s.json"], in: folder.path).code == 0)
    let again = Subprocess.run(["replay", "r.ndjson", "--as-test", "part"], in: folder.path)
    #expect(again.errors.contains("has a test with the name 'part' already"))
  }

  @Test("A recording that is too long for a test is refused")
  func asLongTest() {
    _ = both("{\(Self.input)}", ["--virtual"], input: Self.numbers(10_001))
    let refused = Subprocess.run(["replay", "r.ndjson", "--as-test", "long"], in: folder.path)
    #expect(refused.errors.contains("has more than 10000 events"))
    #expect(refused.code == 2)
  }

  @Test("--step goes forward and back, to the output of an operator and to the end")
  func steps() {
    let stream =
      "{\(Self.input), \"operators\": [{\"id\": \"even\", \"filter\": {\"expression\": \"value.n % 2 == 0\"}},"
      + " {\"id\": \"sum\", \"scan\": {\"initialValue\": 0, \"expression\": \"acc + value.n\"}}]}"
    _ = both(stream, ["--virtual"], input: Self.numbers(6))
    let stepped = Subprocess.run(
      ["replay", "r.ndjson", "--step"], input: "n\nn\nb\no sum\no sum\ne\nq\n", in: folder.path)
    let events = stepped.output.split(separator: "\n").filter { $0.hasPrefix("event") || $0.hasPrefix("  output") }
    #expect(
      events.map { $0.prefix(15) } == [
        "event 0 of 7 be", "event 1 of 7 at", "  output at 0: ", "event 2 of 7 at", "event 1 of 7 at",
        "  output at 0: ", "event 3 of 7 at", "  output at 0: ", "event 5 of 7 at", "  output at 0: ",
        "event 7 of 7 at",
        "  output at 0: ",
      ], "\(stepped.output)\(stepped.errors)")
    #expect(stepped.output.contains("sum scan  latest 6 at 0"), "\(stepped.output)")
    #expect(stepped.code == 0)
    let strange = Subprocess.run(["replay", "r.ndjson", "--step"], input: "o sun\n", in: folder.path)
    #expect(strange.output.contains("there is no operator 'sun'; did you mean 'sum'?"))
  }
}
