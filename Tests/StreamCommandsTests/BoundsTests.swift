import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `--time-per-value`, the operator that `--memory` names, and `--sandbox`.
@Suite struct BoundsTests {
  private let folder = Fixture.Folder()

  private func run(_ stream: String, _ arguments: [String], input: String = "") -> Outcome {
    folder.add("s.json", stream)
    return Subprocess.run(["run", "s.json"] + arguments, input: input, in: folder.path)
  }

  private static let endless = """
    {"source": {"input": {"name": "a"}}, "inputs": {"a": {}}, "operators": [{"flatMap": {"stream": {"source": \
    {"generate": {"initialValue": 0, "next": "value + 1"}}, "operators": [{"filter": {"expression": "value < 0"}}]}}}]}
    """

  @Test("An endless instant ends with the operator that works longest", arguments: [[], ["--virtual"]])
  func endless(_ arguments: [String]) {
    let outcome = run(Self.endless, arguments + ["--time-per-value", "5ms"], input: "1\n")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains(
        "error S417: the stream works on one event for longer than 5ms; 'generate' takes most of it"))
    #expect(outcome.errors.contains("= at /operators/0/flatMap/stream/source/generate"))
  }

  @Test("A value whose expression takes too long is skipped where that is wished for")
  func slow() {
    let stream = """
      {"source": {"input": {"name": "a"}}, "inputs": {"a": {"type": "int"}}, "operators": [
        {"map": {"expression": "lists.range(value).map(x, lists.range(100).map(y, y * x)).size()"}}]}
      """
    let input = "10\n100000\n20\n"
    let strict = run(stream, ["--time-per-value", "4ms"], input: input)
    #expect(strict.code == 1)
    #expect(strict.output == "10\n")
    #expect(strict.errors.contains("error S406: the evaluation took longer than 4ms"))
    #expect(strict.errors.contains("= at /operators/0/map/expression"))
    let tolerant = run(stream, ["--time-per-value", "4ms", "--skip-errors"], input: input)
    #expect(tolerant.output == "10\n20\n")
    #expect(tolerant.code == 0)
  }

  @Test("A time has a unit", arguments: ["10", "10m", "0ms", "1ns", "-5ms", "ms", "1e99s", ""])
  func times(_ text: String) {
    let outcome = run(Self.endless, ["--time-per-value=\(text)"], input: "1\n")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--time-per-value"))
    #expect(outcome.errors.contains("such as 10ms, 500us or 1s"))
  }

  @Test("Times are printed in the greatest unit")
  func shown() {
    let texts = ["1us", "500us", "1.5ms", "2000ms", "1µs", "1500ns"].map { WorkTime(argument: $0)?.description }
    #expect(texts == ["1us", "500us", "1500us", "2s", "1us", "1500ns"])
  }

  @Test("A run that takes too much memory names the operator that holds most")
  func memory() {
    let outcome = run(
      #"{"source": {"generate": {"initialValue": 0, "next": "value + 1"}}, "operators": [{"map": {"expression": "'a long key of a group ' + string(value)"}}, {"distinct": {"limit": 100000000}}, {"ignoreOutput": {}}]}"#,
      ["--memory", "60MB"])
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("of memory; --memory allows at most 60MB; 'distinct' holds most: about "))
    #expect(outcome.errors.contains(/bytes in \d+ values/), "\(outcome.errors)")
    #expect(outcome.errors.contains("= at /operators/1"))
  }

  // MARK: Compiling

  /// Definitions that each apply the next one twice.
  private static func doubling(_ levels: Int) -> String {
    let definitions = (0..<levels).map { level in
      let next = #"{"apply": {"definition": "d\#(level + 1)"}}"#
      return #""d\#(level)": {"operators": [\#(next), \#(next)]}"#
    }
    let all = (definitions + [#""d\#(levels)": {"operators": []}"#]).joined(separator: ", ")
    return #"""
      {"definitions": {\#(all)}, "source": {"just": {"value": 1}}, "operators": [{"apply": {"definition": "d0"}}]}
      """#
  }

  @Test(
    "Definitions that multiply are refused by every command, with the chain that leads there",
    arguments: [
      ["validate", "s.json"], ["run", "s.json"], ["run", "s.json", "--sandbox", "--time-per-value", "10ms"],
      ["test", "s.json"], ["explain", "s.json"], ["show", "s.json"], ["show", "s.json", "--graph"],
      ["bench", "s.json"], ["edit", "s.json", "--rename", "x"], ["diff", "--behavior", "s.json", "s.json"],
    ])
  func multiplying(_ arguments: [String]) {
    folder.add("s.json", Self.doubling(40))
    let outcome = Subprocess.run(arguments, in: folder.path)
    #expect(outcome.code == 2)
    let all = outcome.output + outcome.errors
    #expect(all.contains("error S114: with its references written out, the file is longer than 4 MB: the definition "))
    #expect(all.contains("→ the definition 'd37' → the definition 'd38'"))
  }

  @Test("The limit on memory acts while a file is compiled", arguments: ["run", "show", "test", "bench"])
  func memoryOfCompiling(_ command: String) {
    // A definition with an expression of 4 kB, which is applied 900 times.
    let text = "[value" + String(repeating: ", value", count: 500) + "].size()"
    let uses = Array(repeating: #"{"apply": {"definition": "d"}}"#, count: 900).joined(separator: ", ")
    folder.add(
      "s.json",
      #"""
      {"definitions": {"d": {"operators": [{"map": {"expression": "\#(text)"}}]}}, "source": {"just": {"value": 1}},
       "operators": [\#(uses)], "tests": [{"name": "t", "expect": {"values": [501]}}]}
      """#)
    let outcome = Subprocess.run([command, "s.json", "--memory", "45MB"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(
      (outcome.output + outcome.errors).contains(
        /error S409: the program uses \S+ of memory while it compiles the file; the limit is 45MB/))
  }

  // MARK: Sandbox

  private func fill() {
    for name in ["in", "in/given", "out"] { folder.addFolder(name) }
    folder.add("out/secret", "{\"secret\": 1}\n")
    folder.add("in/beside", "{\"secret\": 2}\n")
    folder.add("in/row", "5\n")
    folder.add("in/given/row", "6\n")
    folder.add("in/good.json", #"{"source": {"just": {"value": 7}}}"#)
    symlink("../out/secret", folder.path("in/link"))
    symlink("/proc/self/cwd", folder.path("in/cwd"))
    symlink("../../out/secret", folder.path("in/given/link"))
    link(folder.path("in/beside"), folder.path("in/hard"))
  }

  private func sandboxed(_ source: String, _ arguments: [String] = []) -> Outcome {
    folder.add("in/s.json", #"{"source": \#(source)}"#)
    return Subprocess.run(
      ["run", "in/s.json", "--sandbox", "--allow-read", "in/row", "--allow-read", "in/given"] + arguments,
      input: "{\"secret\": 3}\n", in: folder.path)
  }

  @Test("In a sandbox, a file that the command line does not name is refused")
  func refused() {
    fill()
    let paths = [
      "beside", "../out/secret", "link", "cwd/in/beside", "cwd/out/secret", "hard", "given/link", "given/../beside",
      "/etc/passwd", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/self/cwd/in/beside", "/proc/self/environ",
      "nothing", "s.json",
    ]
    for path in paths {
      let sources = [
        #"{"file": {"path": "\#(path)", "format": "ndjson"}}"#, #"{"stream": {"file": "\#(path)"}}"#,
      ]
      for source in sources {
        let outcome = sandboxed(source)
        #expect(outcome.code == 2, "\(source): \(outcome)")
        #expect(outcome.errors.contains("is denied: --sandbox lets a stream file refer only to files that "))
        #expect(outcome.errors.contains("help: '--allow-read "))
        #expect(outcome.output == "" && !outcome.errors.contains("secret\":"))
      }
    }
  }

  @Test("In a sandbox, a file that the command line names is read")
  func named() {
    fill()
    func read(_ path: String, _ arguments: [String] = []) -> String {
      sandboxed(#"{"file": {"path": "\#(path)", "format": "ndjson"}}"#, arguments).output
    }
    #expect(read("row") == "5\n")
    #expect(read("./given/row") == "6\n")
    #expect(sandboxed(#"{"stream": {"file": "good.json"}}"#, ["--allow-read", "in/good.json"]).output == "7\n")
    // A stream file that may be read grants nothing beside it.
    folder.add("in/good.json", #"{"source": {"file": {"path": "beside", "format": "ndjson"}}}"#)
    let outcome = sandboxed(#"{"stream": {"file": "good.json"}}"#, ["--allow-read", "in/good.json"])
    #expect(outcome.code == 2 && outcome.errors.contains("access to 'in/beside' is denied"))
  }

  @Test("In a sandbox, the files of inputs are named by the command line")
  func inputs() {
    fill()
    folder.add("in/s.json", #"{"source": {"input": {"name": "a"}}, "inputs": {"a": {}}}"#)
    let outcome = Subprocess.run(["run", "in/s.json", "--sandbox", "--input", "a=in/row"], in: folder.path)
    #expect(outcome == Outcome(output: "5\n", errors: "", code: 0))
  }
}
