import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs that keep their state in a folder, and continue from it.
@Suite struct StateTests {
  private let folder = Fixture.Folder()
  private static let lines = (0..<300).map { "{\"k\":\($0 % 7),\"v\":\($0),\"t\":\(1_000 * $0 / 3)}\n" }.joined()

  /// Totals by key that are printed after two quiet seconds.
  private static let totals = """
    { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
      "operators": [ { "groupBy": { "key": "value.k", "operators": [
        { "scan": { "initialValue": 0, "expression": "acc + value.v" } },
        { "debounce": { "seconds": 2 } }, { "map": { "expression": "{'k': key, 'sum': value}" } } ] } } ] }
    """

  init() {
    folder.add("s.json", Self.totals)
    folder.add("a.ndjson", Self.lines)
  }

  @discardableResult
  private func run(_ arguments: [String], input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private func read(_ name: String) -> String { Fixture.read(folder.path(name)) }

  private static let eventTime = ["s.json", "--input", "a=a.ndjson", "--event-time", "value.t"]

  // MARK: The same outputs

  @Test(
    "A run in pieces has the outputs of one run",
    arguments: [["--event-time", "value.t"], ["--virtual"]], ["ndjson", "json", "csv", "text"])
  func pieces(_ clock: [String], _ format: String) {
    let common = ["s.json", "--input", "a=a.ndjson", "--format", format] + clock
    run(common + ["--output", "whole"])
    var codes: Set<Int32> = []
    for limit in [1, 2, 1, 3, 1000] {
      codes.insert(run(common + ["--output", "out", "--state", "d", "--limit", "\(limit)"]).code)
    }
    #expect(codes == [0])
    #expect(read("out") == read("whole"))
    #expect(!read("out").isEmpty || clock == ["--virtual"])
    let again = run(common + ["--output", "out", "--state", "d"])
    #expect(again.errors == "note: the stream has ended, as the state in 'd' says; nothing is run\n")
    #expect(read("out") == read("whole"))
  }

  @Test(
    "A run that is stopped by its time continues from that time, also if nothing happens then",
    arguments: [["--event-time", "value.t"], ["--virtual"]])
  func piecesOfTime(_ clock: [String]) {
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"delay": {"seconds": 7}}]}"#)
    folder.add("a.ndjson", "{\"t\":0}\n{\"t\":1000}\n{\"t\":20000}\n")
    let common = ["s.json", "--input", "a=a.ndjson", "--timestamps"] + clock
    run(common + ["--output", "whole.ndjson"])
    // Nothing is due in some of these pieces.
    for _ in 0..<11 { run(common + ["--output", "out.ndjson", "--state", "d", "--for", "2.5"]) }
    #expect(read("out.ndjson") == read("whole.ndjson"))
    #expect(!read("out.ndjson").isEmpty)
  }

  @Test("Two inputs take turns as if the run had not been stopped")
  func inputs() {
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"merge": {"with": [{"source": {"input": {"name": "b"}}}]}}]}"#
    )
    folder.add("a.ndjson", (0..<50).map { "\($0)\n" }.joined())
    folder.add("b.ndjson", (100..<130).map { "\($0)\n" }.joined())
    for clock in [["--virtual"], []] {
      let common = ["s.json", "--input", "a=a.ndjson", "--input", "b=b.ndjson"] + clock
      run(common + ["--output", "whole"])
      for limit in [1, 3, 4, 1000] { run(common + ["--output", "out", "--state", "d", "--limit", "\(limit)"]) }
      #expect(read("out") == read("whole"))
      for name in ["out", "whole"] { unlink(folder.path(name)) }
      #expect(Subprocess.shell("rm -r d", in: folder.path) == "")
    }
  }

  @Test("A run that is killed continues, and its outputs are those of a run that is not")
  func killed() {
    #if DEBUG
    let count = 40_000
    #else
    let count = 1_000_000
    #endif
    folder.add("a.ndjson", (0..<count).map { "{\"k\":\($0 % 50),\"v\":\($0),\"t\":\(40 * $0)}\n" }.joined())
    run(Self.eventTime + ["--output", "whole"])
    let state = ["--output", "out", "--state", "d", "--every", "500"]
    var kills = 0
    for seconds in [0.1, 0.2, 0.3, 0.2] {
      let child = Child(
        Self.eventTime + state, input: Subprocess.openRead("/dev/null"),
        output: Subprocess.openWrite(folder.path("log")), errors: nil, in: folder.path)
      child.wait(forWork: seconds)
      child.send(SIGKILL)
      if child.wait() != 0 { kills += 1 }
    }
    #expect(kills > 0)
    // It may have come to its end before the last signal.
    #expect(run(Self.eventTime + state).code == 0)
    #expect(read("out") == read("whole"))
  }

  @Test("A run that is asked to stop saves its state", arguments: [SIGINT, SIGTERM])
  func stopped(_ signal: Int32) {
    run(Self.eventTime + ["--output", "whole"])
    let input = Pipe()
    let child = Child(
      ["s.json", "--event-time", "value.t", "--output", "out", "--state", "d"], input: input.reader,
      output: Subprocess.openWrite(folder.path("log")), errors: nil, in: folder.path)
    let lines = Self.lines.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines[..<100].joined(separator: "\n") + "\n"
    input.write(first)
    child.wait { Subprocess.shell("cat out 2>/dev/null", in: folder.path).contains("\n") }
    poll(nil, 0, 100)
    child.send(signal)
    #expect(child.wait() == 128 + signal)
    close(input.writer)
    let rest = run(
      ["s.json", "--event-time", "value.t", "--output", "out", "--state", "d"],
      input: lines[100...].joined(separator: "\n"))
    #expect(rest.errors.hasPrefix("note: the input 'a' continues at line 101;"))
    #expect(read("out") == read("whole"))
  }

  // MARK: Versions

  @Test("Another version of the stream continues with the state, is refused, or begins again")
  func versions() {
    let common = Self.eventTime + ["--state", "d", "--output", "out"]
    run(common + ["--limit", "5"])
    folder.add("s.json", Self.totals.replacing("{'k': key, 'sum': value}", with: "{'key': key, 'sum': value}"))
    let refused = run(common + ["--state-mismatch", "refuse"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("the state in 'd' is of another version of 's.json'"))
    let kept = run(common)
    #expect(kept.code == 0)
    #expect(kept.errors.contains("s.json: continued as another version; kept "))
    let whole = run(Self.eventTime).output.split(separator: "\n")
    let out = read("out").split(separator: "\n")
    #expect(out[5...].elementsEqual(whole[5...]))
    let other = run(["s.json", "--input", "a=a.ndjson", "--virtual", "--state", "d", "--output", "out"])
    #expect(other.code == 2)
    #expect(
      other.errors.contains("the state in 'd' was saved by a run with --event-time 'value.t', and this run has virtual")
    )
    #expect(other.errors.contains("--state-mismatch reset"))
  }

  @Test("A version whose hash is the same, but not its numbers, is another version")
  func numbers() {
    let stream = """
      { "inputs": { "a": {} }, "source": { "input": { "name": "a" } }, "x-start": 1,
        "operators": [ { "scan": { "initialValue": 0, "expression": "acc + 1" } } ] }
      """
    folder.add("s.json", stream)
    let common = ["s.json", "--input", "a=a.ndjson", "--virtual", "--state", "d", "--output", "out", "--limit", "1"]
    #expect(run(common).errors == "")
    folder.add("s.json", stream.replacing("\"x-start\": 1", with: "\"x-start\": 1.0"))
    #expect(run(common).errors.contains("s.json: continued as another version; "))
  }

  @Test("A parameter that changes is sent to its input")
  func parameters() {
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {}, "rate": { "initialValue": 1 } }, "source": { "input": { "name": "a" } },
        "operators": [ { "withLatestFrom": { "with": [ { "source": { "input": { "name": "rate" } } } ] } },
          { "map": { "expression": "value[0].v * value[1]" } } ] }
      """)
    let common = ["s.json", "--input", "a=a.ndjson", "--virtual", "--state", "d", "--limit", "3"]
    #expect(run(common + ["--set", "rate=10"]).output == "0\n10\n20\n")
    #expect(run(common + ["--set", "rate=10"]).output == "30\n40\n50\n")
    #expect(run(common + ["--set", "rate=100"]).output == "600\n700\n800\n")
  }

  // MARK: The folder

  @Test("A damaged state is refused, and the one before it named")
  func damaged() {
    let common = Self.eventTime + ["--state", "d", "--output", "out"]
    run(common + ["--limit", "2"])
    folder.add("d/state-2", read("d/state-2").replacing("event", with: "evenT"))
    let refused = run(common)
    #expect(refused.code == 2)
    #expect(refused.errors.hasPrefix("error S412: 'd/state-2' is damaged: its content does not match its digest\n"))
    #expect(refused.errors.contains("remove it to continue from 'd/state-1', which was saved at "))
    unlink(folder.path("d/state-2"))
    let whole = run(Self.eventTime + ["--output", "whole"])
    #expect(run(common) == whole)
    #expect(read("out") == read("whole"))
  }

  @Test("One process at a time uses a folder")
  func locked() {
    let input = Pipe()
    let first = Child(
      ["s.json", "--state", "d"], input: input.reader, output: Subprocess.openWrite(folder.path("log")), errors: nil,
      in: folder.path)
    first.wait { access(folder.path("d/lock"), R_OK) == 0 }
    poll(nil, 0, 100)
    let second = run(["s.json", "--state", "d"])
    #expect(second.code == 2)
    #expect(second.errors.hasPrefix("error S506: another process uses the state in 'd'\n"))
    close(input.writer)
    _ = first.wait()
  }

  @Test("The states of a folder are shown, verified, exported and imported without the stream file")
  func command() {
    run(Self.eventTime + ["--state", "d", "--output", "out", "--limit", "3"])
    let common = Self.eventTime + ["--output", "out"]
    #expect(run(["state", "verify", "d"]).output.hasPrefix("d/state-2: whole, saved at 2"))
    let shown = run(["state", "show", "d", "--instances", "1"])
    #expect(shown.code == 0)
    for text in ["\"stream\": \"s.json\"", "\"name\": \"scan\"", "\"instances\": 7", "\"records\": "] {
      #expect(shown.output.contains(text), "\(text) in \(shown.output)")
    }
    run(["state", "export", "d", "-o", "state.json"])
    #expect(run(["state", "import", "e", "--input", "state.json"]).errors == "wrote 'e/state-1'\n")
    run(common + ["--state", "e"])
    run(Self.eventTime + ["--output", "whole"])
    #expect(read("out") == read("whole"))
    folder.add("state.json", "{}")
    #expect(run(["state", "import", "e", "--input", "state.json"]).code == 2)
    #expect(run(["state", "show", "none"]).errors.contains("there is no folder 'none'"))
  }

  // MARK: Beside other options

  @Test("A recording continues with the state, and repeats the whole run")
  func recording() {
    let common = Self.eventTime + ["--state", "d", "--output", "out", "--record", "run.ndjson"]
    let whole = run(Self.eventTime + ["--output", "whole"])
    for limit in [2, 3] { #expect(run(common + ["--limit", "\(limit)"]) == Outcome(output: "", errors: "", code: 0)) }
    #expect(run(common + ["--limit", "1000"]) == whole)
    #expect(read("out") == read("whole"))
    #expect(run(["replay", "run.ndjson"]).output == read("whole"))
    run(Self.eventTime + ["--state", "e", "--output", "other", "--limit", "2"])
    let late = run(Self.eventTime + ["--state", "e", "--output", "other", "--record", "late.ndjson"])
    #expect(late.code == 2)
    #expect(late.errors.contains("'late.ndjson' would begin in the middle of the run"))
  }

  @Test("The replay of a live run that was stopped has the calendar times of the run")
  func recordedPresent() {
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "map": { "expression": "[value, string(now())]" } } ] }
      """)
    let arguments = ["s.json", "--state", "d", "--record", "r.ndjson", "--refeed", "--output", "out.ndjson"]
    run(arguments + ["--limit", "2"], input: "1\n2\n3\n")
    run(arguments, input: "1\n2\n3\n4\n")
    #expect(read("out.ndjson").split(separator: "\n").count == 4)
    #expect(run(["replay", "r.ndjson"]).output == read("out.ndjson"))
  }

  @Test("A recording that a run left before its first state is begun again, unless it has events")
  func recordingWithoutState() {
    run(Self.eventTime + ["--record", "whole.ndjson", "--output", "whole"])
    let lines = read("whole.ndjson").split(separator: "\n", maxSplits: 2).map { "\($0)\n" }
    let remains = [lines[0], String(lines[0].prefix(30)), lines[0].prefix(3) + "\0\0", "\0\0\0"]
    for (number, text) in remains.enumerated() {
      let common = Self.eventTime + ["--output", "out\(number)", "--record", "run\(number).ndjson"]
      folder.add("run\(number).ndjson", text)
      #expect(run(common).code == 2)
      #expect(run(common + ["--state", "d\(number)"]).code == 0)
      #expect(read("out\(number)") == read("whole"))
      #expect(run(["replay", "run\(number).ndjson"]).output == read("whole"))
    }
    for text in [lines[0] + lines[1], "1\n"] {
      folder.add("run.ndjson", text)
      let refused = run(Self.eventTime + ["--record", "run.ndjson", "--state", "e", "--output", "out"])
      #expect(refused.errors.contains("'run.ndjson' exists and is not empty"))
      #expect(read("run.ndjson") == text)
    }
  }

  @Test("A call without an answer is made again by the run that continues")
  func calls() {
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"flatMap": {"stream": {"source": {"call": {"function": "f", "argument": "outer"}}}}}]}"#
    )
    folder.add("n.ndjson", "1\n2\n3\n4\n5\n")
    let program = "while read -r l; do echo \"$l\" >> asked; echo \"$l\" | sed 's/argument/value/'; done"
    let common = [
      "s.json", "--input", "a=n.ndjson", "--virtual", "--call", "f=\(program)", "--state", "d", "--output", "out",
    ]
    for _ in 0..<3 { run(common + ["--limit", "2"]) }
    #expect(read("out") == "1\n2\n3\n4\n5\n")
  }

  @Test("Standard output that is appended to a file is cut to what the state has")
  func appended() {
    run(Self.eventTime + ["--output", "whole"])
    let line = "streamrun s.json --input a=a.ndjson --event-time value.t --state d"
    _ = Subprocess.shell("\(line) --limit 4 >> out; echo '{\"more\":1}' >> out; \(line) >> out", in: folder.path)
    #expect(read("out") == read("whole"))
  }

  @Test("Options of the state without a folder are refused, and so is a folder that cannot be made")
  func options() {
    #expect(run(["s.json", "--every", "5s"]).errors.contains("--every needs --state DIR"))
    #expect(run(["s.json", "--refeed"]).errors.contains("--refeed needs --state DIR"))
    #expect(run(["s.json", "--state", "d", "--every", "0s"]).code == 2)
    #expect(run(["s.json", "--state", "none/d"]).errors.contains("'none/d' cannot be written"))
    #expect(run(["s.json", "--state", "a.ndjson"]).code == 2)
  }
}
