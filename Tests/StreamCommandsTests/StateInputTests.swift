import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The inputs of runs that continue: they are the files that they were.
@Suite struct StateInputTests {
  private let folder = Fixture.Folder()
  private static let lines = (0..<300).map { "{\"k\":\($0 % 7),\"v\":\($0),\"t\":\(1_000 * $0 / 3)}\n" }.joined()
  private static let sums = """
    { "inputs": { "a": {} }, "source": { "input": { "name": "a" } },
      "operators": [ { "scan": { "initialValue": 0, "expression": "acc + value" } } ] }
    """

  init() { folder.add("a.ndjson", Self.lines) }

  @discardableResult
  private func run(_ arguments: [String], input: String = "") -> Outcome {
    Subprocess.run(arguments, input: input, in: folder.path)
  }

  private func read(_ name: String) -> String { Fixture.read(folder.path(name)) }

  @Test("A pipe continues at a line, or brings everything again")
  func pipes() {
    let shell = { (line: String) in Subprocess.shell(line, in: folder.path) }
    folder.add("s.json", Self.sums)
    #expect(shell("seq 10 | streamrun s.json --state d --limit 4 | cat") == "1\n3\n6\n10\n")
    #expect(shell("seq 5 6 | streamrun s.json --state d --limit 2 2>log | cat") == "15\n21\n")
    #expect(
      read("log").hasPrefix(
        "note: the input 'a' continues at line 5; with --refeed, what has been read of it is skipped\n"))
    #expect(shell("seq 10 | streamrun s.json --state d --refeed 2>log | cat") == "28\n36\n45\n55\n")
  }

  @Test("A replaced file is refused, and a file that has grown is not")
  func files() {
    let common = ["s.json", "--input", "a=a.ndjson", "--virtual", "--state", "d", "--output", "out"]
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value.v"}}]}"#
    )
    run(common + ["--limit", "10"])
    folder.add("a.ndjson", "{\"v\":1}\n")
    let short = run(common)
    #expect(short.code == 2)
    #expect(short.errors.hasPrefix("error S412: 'a.ndjson' has 8 bytes, and the saved state has read "))
    folder.add("a.ndjson", Self.lines.replacing("\"v\":3", with: "\"v\":4"))
    #expect(run(common).errors.contains("'a.ndjson' is not the file that the saved state has read up to line 11"))
    folder.add("a.ndjson", Self.lines + "{\"v\":1}\n")
    #expect(run(common) == Outcome(output: "", errors: "", code: 0))
    #expect(read("out").split(separator: "\n").count == 301)
    let gone = run(["s.json", "--input", "a=b.ndjson", "--virtual", "--state", "d", "--output", "out"])
    #expect(gone.code == 0 || gone.errors.contains("b.ndjson"))
  }

  @Test(
    "An input that was changed in its middle, before the position, is refused",
    arguments: ["cat", "gzip -nc", "zstd -qc", "xz -c"], ["input", "*put"])
  func changed(_ program: String, _ path: String) {
    let lines = (10_000..<200_000).map { "\($0)\n" }.joined()
    let pack = { (text: String) in
      folder.add("text", text)
      _ = Subprocess.shell("\(program) text > input", in: folder.path)
    }
    folder.add(
      "s.json",
      #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"filter": {"expression": "value % 1000 == 0"}}]}"#
    )
    let common = ["s.json", "--input", path, "--input-format", "ndjson", "--state", "d"]
    pack(lines)
    #expect(run(common + ["--limit", "150"]).code == 0)
    pack(lines.replacing("\n80001\n", with: "\n80009\n"))
    let refused = run(common)
    #expect(refused.code == 2)
    #expect(refused.output == "")
    #expect(refused.errors.contains("error S412: 'input' "), "\(refused.errors)")
    // Content that has not been read yet may change.
    pack(lines.replacing("\n190001\n", with: "\n190009\n"))
    #expect(run(common).output == (160...199).map { "\($0)000\n" }.joined())
  }

  @Test("A file of a pattern that has been read is refused if it has changed, and not read again if it was renamed")
  func patterns() {
    folder.add("s.json", Self.sums)
    let common = ["s.json", "--input", "n*", "--state", "d"]
    for number in 1...3 { folder.add("n\(number)", "\(number)\n\(number)\n") }
    #expect(run(common + ["--limit", "3"]).output == "1\n2\n4\n")
    folder.add("n1", "1\n2\n")
    let refused = run(common)
    #expect(refused.errors.hasPrefix("error S412: 'n1' is not the file that the saved state has read up to line 3"))
    #expect(refused.code == 2)
    _ = Subprocess.shell("printf '1\\n1\\n' > n1", in: folder.path)
    #expect(run(common + ["--limit", "1"]).output == "6\n")
    _ = Subprocess.shell("mv n1 n9", in: folder.path)
    #expect(run(common).output == "9\n12\n")
  }

  @Test("The files of a pattern that have been read are not read again, however often the run is stopped")
  func patternsEnd() {
    folder.add(
      "s.json",
      """
      { "inputs": { "a": {}, "b": {} }, "source": { "input": { "name": "a" } },
        "operators": [ { "merge": { "with": [ { "source": { "input": { "name": "b" } } } ] } } ] }
      """)
    for number in 1...2 { folder.add("n\(number)", "\(number)\n") }
    for round in 0..<4 {
      let (input, output) = (Pipe(), Pipe())
      let child = Child(
        ["s.json", "--input", "a=n*", "--input", "b=-", "--state", "d"], input: input.reader, output: output.writer,
        errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
      var text = ""
      for line in ["8\n", "9\n"] {
        input.write(line)
        while !text.contains(line) || round == 0 && text.utf8.count < 6 { text += output.read(through: "\n") }
      }
      #expect(text.split(separator: "\n").sorted() == (round == 0 ? ["1", "2", "8", "9"] : ["8", "9"]))
      child.send(SIGTERM)
      #expect(child.wait() == 143)
      close(input.writer)
    }
  }

  @Test("A pipe that brings other data again is refused, however long it is")
  func otherPipe() {
    let shell = { (line: String) in Subprocess.shell(line, in: folder.path) }
    folder.add("s.json", Self.sums)
    for count in [4, 60_000] {
      let run = "streamrun s.json --state d\(count) --refeed"
      #expect(shell("seq 100000 | \(run) --limit \(count) | tail -1") == "\(count * (count + 1) / 2)\n")
      let refusal = "error S412: '<stdin>' does not have the content that the saved state has read"
      for other in ["seq 2 100000", "seq 100000 | sed 's/^2$/3/'", "seq 3"] {
        #expect(shell("\(other) | \(run) 2>log | cat") == "")
        #expect(read("log").contains(refusal), "\(read("log"))")
      }
      _ = shell("seq 100000 | gzip | head -c 100 | \(run) 2>log | cat")
      #expect(read("log").contains("error S505: '<stdin>' cannot be read"), "\(read("log"))")
      for same in ["seq 100000", "seq 100000 | gzip"] {
        #expect(shell("\(same) | \(run) 2>log --limit 1 | cat") != "")
        #expect(!read("log").contains("error"), "\(read("log"))")
      }
    }
  }

  @Test("A file that the stream names is recognized, too")
  func namedFile() {
    folder.add("s.json", #"{"source": {"file": {"path": "a.csv"}}}"#)
    let lines = (1000..<1300).map { "\($0)\n" }.joined()
    folder.add("a.csv", "n\n" + lines)
    #expect(run(["s.json", "--state", "d", "--limit", "200"]).code == 0)
    for other in ["n\n" + lines.replacing("1100", with: "1101"), "m\n" + lines, "n\n" + lines.prefix(500)] {
      folder.add("a.csv", other)
      let refused = run(["s.json", "--state", "d"])
      #expect(refused.code == 2)
      #expect(
        refused.errors.contains(
          "the state of its 'file' is in a file that has changed: 'a.csv' does not have the content"),
        "\(refused.errors)")
    }
    folder.add("a.csv", "n\n" + lines + "9999\n")
    #expect(run(["s.json", "--state", "d"]).output.hasPrefix("{\"n\":\"1200\"}\n"))
  }

  @Test("A file without any bytes whose name promises compressed data is damaged", arguments: ["gz", "zst", "xz"])
  func emptyCompressed(_ ending: String) {
    folder.add("empty.ndjson.\(ending)", "")
    let outcome = run(["-e", "count()", "--input", "empty.ndjson.\(ending)"])
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error S505: 'empty.ndjson.\(ending)' cannot be read: "), "\(outcome.errors)")
  }
}
