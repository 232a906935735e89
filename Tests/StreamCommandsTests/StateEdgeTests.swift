import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The edges of runs that keep a state: what a save writes, and the messages about what is lost.
@Suite struct StateEdgeTests {
  private let folder = Fixture.Folder()

  private func run(_ arguments: [String], input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private func shell(_ line: String) -> String { Subprocess.shell(line, in: folder.path) }
  private func read(_ name: String) -> String { Fixture.read(folder.path(name)) }

  init() {
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    let lines = (0..<300).map { number in
      "{\"n\":\(number)" + (number > 9 ? ",\"x\":\(number)" : "") + (number > 120 ? ",\"y\":1" : "") + "}\n"
    }
    folder.add("a.ndjson", lines.joined())
  }

  // MARK: Saving writes nothing but the state

  @Test(
    "A save within the first rows of a table writes none of them",
    arguments: [
      "--output o.csv", "--output o.tsv", "--output '|cat >> o'", "--format csv >> o", "--format tsv | cat > o",
    ])
  func firstRows(_ output: String) {
    let line = "streamrun -e 'timer(0.04, count: 7) | map({\"tick\": value})' \(output)"
    _ = shell(line + "; mkdir w; mv o* w")
    _ = shell(line.replacing("streamrun", with: "streamrun --state d --every 50ms"))
    #expect(shell("cat o*") == shell("cat w/o*"))
    #expect(shell("cat o*").contains("tick"))
  }

  @Test("Columns that appear after a stop are those of a run that was not stopped", arguments: [2, 40, 99])
  func openColumns(_ limit: Int) {
    let common = ["s.json", "--input", "a=a.ndjson", "--output"]
    _ = run(common + ["whole.csv"])
    #expect(read("whole.csv").hasPrefix("n,x\r\n0,\r\n"))
    _ = run(common + ["o.csv", "--state", "d", "--limit", "\(limit)"])
    #expect(read("o.csv").hasPrefix(limit > 10 ? "n,x\r\n0,\r\n" : "n\r\n0\r\n"))
    _ = run(common + ["o.csv", "--state", "d"])
    #expect(read("o.csv") == read("whole.csv"))
  }

  @Test(
    "A compressed output is cut at a frame, and has the content of a run that was not stopped",
    arguments: ["o.ndjson.gz", "o.csv.gz", "o.json.zst", "o.csv.xz"])
  func compressed(_ name: String) {
    guard shell("command -v zstd xz gzip | wc -l") == "3\n" else { return }
    let program = ["gz": "gzip", "st": "zstd", "xz": "xz"][String(name.suffix(2))] ?? ""
    let common = ["s.json", "--input", "a=a.ndjson", "--output"]
    _ = run(common + ["w" + name])
    for limit in [3, 50, 1, 1000] {
      let outcome = run(common + [name, "--state", "d", "--every", "7", "--limit", "\(limit)"])
      #expect(outcome == Outcome(output: "", errors: limit == 1000 ? outcome.errors : "", code: 0))
      // A process that is killed leaves a part of a frame.
      if limit < 1000 { _ = shell("printf 'half a frame' >> \(name)") }
    }
    #expect(shell("\(program) -dc < \(name)") == shell("\(program) -dc < w\(name)"))
    #expect(shell("\(program) -dc < \(name)").contains("299"))
  }

  @Test("No late value is written before the first state")
  func lateOutput() {
    let lines = ["10", "1", "12", "2", "13"].map { "{\"t\":17000000\($0.count > 1 ? $0 : "0" + $0)000,\"v\":1}\n" }
    folder.add("t.ndjson", lines.joined())
    let common = [
      "s.json", "--input", "a=t.ndjson", "--event-time", "value.t", "--lateness", "1", "--late", "output", "--output",
      "o",
      "--late-output", "late", "--state", "d",
    ]
    // The first state cannot replace a folder.
    _ = shell("mkdir -p d/state-1/x")
    #expect(run(common).code == 2)
    #expect(read("late").isEmpty)
    _ = shell("rm -r d")
    #expect(run(common).code == 0)
    #expect(read("late") == lines[1] + lines[3])
  }

  // MARK: States that cannot be saved

  @Test("A run whose last state cannot be saved fails, also when it is asked to stop", arguments: [false, true])
  func unsaved(_ isAsked: Bool) {
    let input = Pipe()
    let child = Child(
      ["s.json", "--state", "d", "--every", "1", "--output", "o"], input: input.reader,
      output: Subprocess.openWrite(folder.path("log")), errors: nil, in: folder.path)
    input.write("1\n")
    child.wait { read("o") == "1\n" }
    _ = shell("rm -r d; touch d")
    input.write("2\n")
    child.wait { read("log").contains("S506") }
    input.write("3\n")
    // Each save that fails has a warning.
    child.wait { read("log").ranges(of: "warning S506: the state was not saved").count == 2 }
    if isAsked { child.send(SIGTERM) } else { close(input.writer) }
    #expect(child.wait() == 1)
    #expect(read("log").contains("error S506: the state was not saved"), "\(read("log"))")
    if isAsked { close(input.writer) }
  }

  @Test("A state of a newer program is called newer, and is not to be removed")
  func newer() {
    let common = ["s.json", "--input", "a=a.ndjson", "--state", "d", "--output", "o", "--limit", "2"]
    _ = run(common)
    folder.add("d/state-2", read("d/state-2").replacing("streamrun-state 1", with: "streamrun-state 3"))
    let outcome = run(common)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors
        == """
        error S412: 'd/state-2' was saved by a newer program: it has version 3 of the format, and this program reads version 1
            = help: use the newer program, or begin again with --state-mismatch reset

        """)
  }

  @Test("Only the owner can read a state")
  func modes() {
    _ = run(["s.json", "--input", "a=a.ndjson", "--state", "d", "--output", "o"])
    #expect(shell("stat -c %a d d/lock d/state-2") == "700\n600\n600\n")
  }

  @Test("A run that begins again renames its former outputs")
  func reset() {
    let common = ["s.json", "--input", "a=a.ndjson", "--output", "o.csv", "--state", "d", "--limit", "3"]
    _ = run(common)
    let former = read("o.csv")
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "name": "other"}"#)
    let outcome = run(common + ["--state-mismatch", "reset"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("note: the run begins again; the former 'o.csv' is 'o-2"), "\(outcome.errors)")
    #expect(read("o.csv") == former)
    #expect(shell("cat o-2*.csv") == former)
  }

  // MARK: Files and programs that fail

  @Test("A full disk under the file of metrics or of taps does not end the run")
  func observation() {
    folder.add(
      "t.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"filter": {"expression": "true"}}]}"#
    )
    let outcome = run(
      ["t.json", "--tap", "*", "--tap-to", "/dev/full", "--metrics", "/dev/full", "--metrics-every", "0.01"],
      input: (0..<2000).map { "\($0)\n" }.joined())
    #expect(outcome.code == 0)
    #expect(outcome.output == (0..<2000).map { "\($0)\n" }.joined())
    #expect(outcome.errors.ranges(of: "warning S506").count == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("the run continues without its metrics"))
  }

  @Test("A program that never reads ends the run after its fifth end", .timeLimit(.minutes(1)))
  func idleProgram() {
    // More than a pipe holds.
    folder.add("a.ndjson", String(repeating: "{\"k\":1,\"v\":1}\n", count: 20_000))
    for command in ["exit 1", "head -c 1 > /dev/null"] {
      let outcome = run(["s.json", "--input", "a=a.ndjson", "--output", "|" + command])
      #expect(outcome.code == 2)
      #expect(
        outcome.errors.contains("it has ended 5 times in a row without reading a line"), "\(outcome.errors)")
    }
  }
}
