import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that grow, of runs that are stopped and continued: each line is read once.
@Suite struct FollowedStateTests {
  private let folder = Fixture.Folder()

  init() { folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#) }

  /// Runs until a line has been printed, stops, and returns the output.
  private func run(
    _ input: String = "a.log", through line: String?, _ signal: Int32 = SIGTERM, format: String = "ndjson"
  ) -> String {
    let run = Following(input, ["--state", "d", "--every", "20ms"], format: format, in: folder)
    let text = line.map { run.output.read(through: $0 + "\n") } ?? ""
    if line == nil { run.child.wait { access(folder.path("d/state-1"), R_OK) == 0 } }
    let code = run.stop(signal)
    #expect(code == 128 + signal)
    return text
  }

  private func shell(_ line: String) { _ = Subprocess.shell(line, in: folder.path) }
  /// The run continues an output that it cannot shorten.
  private let pipeWarning = """
    warning S506: <stdout> cannot be shortened: values that were written after the last save are written again
        = help: write to a file: --output FILE

    """
  private var errors: String { Fixture.read(folder.path("errors")) }

  @Test(
    "A file that was empty, or missing, when the state was saved is read however it was rotated since",
    arguments: [
      "printf '1\\n2\\n' >> a.log; mv a.log a.log.1", "printf '1\\n2\\n' >> a.log; mv a.log a.log.1; gzip a.log.1",
      "printf '1\\n2\\n' >> a.log; cp a.log a.log.1; : > a.log",
      "printf '1\\n' >> a.log; mv a.log a.log.1; printf '2\\n' > a.log; mv a.log.1 a.log.2; mv a.log a.log.1",
    ], [SIGTERM, SIGKILL])
  func empty(_ rotation: String, _ signal: Int32) {
    for beginning in [": > a.log", "rm -f a.log"] {
      shell("rm -rf d a.log*; \(beginning); echo 0 > a.log-20250101")
      #expect(run(through: nil, signal) == "")
      shell(rotation + "; printf '3\\n' >> a.log")
      #expect(run(through: "3") == "1\n2\n3\n", "\(beginning); \(rotation)")
    }
  }

  @Test(
    "The rest of a file that was rotated, copied or compressed while the run was stopped is read first",
    arguments: [
      "mv a.log a.log.1", "mv a.log a.log-20260131", "mv a.log a.log.old", "cp a.log a.log.1; : > a.log",
      "mv a.log a.log.1; gzip a.log.1", "cp a.log a.log.1; : > a.log; gzip a.log.1",
      "mv a.log a.log.1; zstd -q --rm a.log.1",
      "mv a.log a.log.1; printf '3\\n' > a.log; mv a.log.1 a.log.2; gzip a.log.2; mv a.log a.log.1; gzip a.log.1",
    ], ["ndjson", "csv"])
  func rotated(_ rotation: String, _ format: String) {
    let values = { (numbers: String) in
      format == "csv" ? numbers.split(separator: "\n").map { "{\"n\":\"\($0)\"}" }.joined(separator: "\n") : numbers
    }
    let header = format == "csv" ? "n\\n" : ""
    // A path with the extension of the format, since a rotated file has none.
    let rotation = rotation.replacing("a.log", with: "a.csv").replacing("printf '", with: "printf '\(header)")
    let path = format == "csv" ? "a.csv" : "a.ndjson"
    let inFile = { (line: String) in line.replacing("a.csv", with: path) }
    shell(inFile("printf '\(header)1\\n' > a.csv"))
    #expect(run(path, through: values("1"), format: format) == values("1") + "\n")
    shell(inFile("printf '2\\n' >> a.csv; \(rotation); printf '\(header)4\\n' > a.csv"))
    let rest = run(path, through: values("4"), format: format)
    #expect(rest == values(rotation.contains("printf") ? "2\n3\n4" : "2\n4") + "\n")
    #expect(errors == pipeWarning)
  }

  @Test(
    "Files that were rotated while the run was stopped are read in the order of their names, whichever was changed last",
    arguments: [["a.log.3", "a.log.2", "a.log.1"], ["a.log-20260101", "a.log-20260102", "a.log-20260103"]])
  func namesInOrder(_ names: [String]) {
    folder.add("a.log", "1\n")
    #expect(run(through: "1") == "1\n")
    shell(
      "printf '2\\n' >> a.log; mv a.log \(names[0]); printf '3\\n' > \(names[1]); printf '4\\n' > \(names[2]);"
        + "touch -d '+1 second' \(names[1]); printf '5\\n' > a.log")
    #expect(run(through: "5") == "2\n3\n4\n5\n")
  }

  @Test("The copy of a truncated file that has been read is known when it is compressed while the run is stopped")
  func compressedCopy() {
    folder.add("a.log", "1\n2\n")
    let first = Following("a.log", ["--state", "d", "--every", "20ms"], in: folder)
    #expect(first.output.read(through: "2\n") == "1\n2\n")
    shell("cp a.log a.log.1; : > a.log; printf '3\\n' >> a.log")
    #expect(first.output.read(through: "3\n") == "3\n")
    #expect(first.stop() == 130)
    shell("gzip a.log.1; printf '4\\n' >> a.log")
    #expect(run(through: "4") == "4\n")
  }

  @Test("A table whose header alone was read may have become any of its rotated files", arguments: [2, 1])
  func headerOnly(_ number: Int) {
    folder.add("a.csv", "n\n")
    #expect(run("a.csv", through: nil, format: "csv") == "")
    let (first, second) = number == 2 ? ("n\n", "n\n1\n") : ("n\n1\n", "n\n")
    folder.add("a.csv", first)
    shell("mv a.csv a.csv.2; printf '\(second)' > a.csv.1; printf 'n\\n2\\n' > a.csv")
    #expect(run("a.csv", through: "{\"n\":\"2\"}", format: "csv") == "{\"n\":\"1\"}\n{\"n\":\"2\"}\n")
  }

  @Test("A run that follows a pattern and had no file leaves out what it cannot read when it continues")
  func patternOfNothing() {
    shell("mkdir logs; printf '1\\n' > logs/a.log")
    #expect(run("logs/*", through: "1") == "1\n")
    shell("rm logs/a.log")
    let second = Following("logs/*", ["--state", "d", "--every", "20ms"], in: folder)
    second.child.wait { errors.contains("is gone or was truncated") }
    #expect(second.stop() == 130)
    shell("echo 0 | gzip > logs/z.log; printf '2\\n' > logs/b.log; printf '3\\n' > logs/b.log.1")
    #expect(run("logs/*", through: "2") == "3\n2\n")
  }

  @Test("A file that was rewritten while the run was stopped is read from its start, with a warning")
  func rewritten() {
    folder.add("a.log", "1\n2\n")
    #expect(run(through: "2") == "1\n2\n")
    for text in ["3\n", "4\n5\n", "6\n7\n8\n"] {
      folder.add("a.log", text)
      let last = String(text.dropLast().suffix(1))
      #expect(run(through: last) == text)
      #expect(
        errors.contains(
          "warning S412: the file that 'a.log' was when the state was saved is gone or was truncated; it had been read")
      )
    }
  }

  @Test("A file that is copied to another machine, or whose number another file has, is known by its content")
  func copied() {
    folder.add("a.log", "1\n2\n")
    #expect(run(through: "2") == "1\n2\n")
    shell("cp a.log b; mv b a.log; printf '3\\n' >> a.log")
    #expect(run(through: "3") == "3\n")
    #expect(errors == pipeWarning)
  }

  @Test("A pattern finds the files of its positions again, and files that have been read under other names")
  func pattern() {
    shell("mkdir logs; printf '1\\n' > logs/a.log; printf '1\\n' > logs/b.log")
    let first = Following("logs/*", ["--state", "d"], in: folder)
    #expect(first.output.read(through: "1\n1\n") == "1\n1\n")
    shell("mv logs/a.log logs/a.log.1; printf '2\\n' > logs/a.log")
    #expect(first.output.read(through: "2\n") == "2\n")
    #expect(first.stop() == 130)
    shell("printf '3\\n' >> logs/a.log; mv logs/a.log logs/c.log; gzip logs/a.log.1; printf '4\\n' > logs/a.log")
    let second = Following("logs/*", ["--state", "d"], in: folder)
    #expect(second.output.read(through: "4\n") == "3\n4\n")
    #expect(second.stop() == 130)
    #expect(errors == pipeWarning)
  }

  @Test("A followed file that was changed in its middle is refused")
  func changed() {
    let lines = (1000..<3000).map { "\($0)\n" }.joined()
    folder.add("a.log", lines)
    _ = run(through: "2999")
    shell("printf 9 | dd of=a.log bs=1 seek=5000 conv=notrunc 2>/dev/null")
    let refused = Subprocess.run(
      ["s.json", "--input", "a.log", "--input-format", "ndjson", "--follow", "--state", "d"], in: folder.path)
    #expect(refused.code == 2)
    #expect(
      refused.errors.hasPrefix("error S412: 'a.log' is not the file that the saved state has read up to line 2001"))
  }

  @Test("A run without --follow continues one with it, and the other way round")
  func alternates() {
    folder.add("a.ndjson", "1\n")
    #expect(run("a.ndjson", through: "1") == "1\n")
    let options = ["s.json", "--input", "a.ndjson", "--state", "d", "--limit", "1"]
    folder.append("2\n3\n4\n", "a.ndjson")
    #expect(Subprocess.run(options, in: folder.path).output == "2\n")
    #expect(run("a.ndjson", through: "4") == "3\n4\n")
  }

  @Test("A state of the form without stamps and hashes is continued")
  func formerState() {
    folder.add("a.log", "1\n2\n")
    #expect(run(through: "2") == "1\n2\n")
    // jq rounds large integers.
    let removal = #"sed -E 's/,"content":\{[^}]*\}//; s/,"stamp":\[[^]]*\]//' s1 > s2"#
    shell(
      "streamrun state export d -o s1 && \(removal) && ! cmp -s s1 s2 && rm -r d"
        + " && streamrun state import d --input s2 2> /dev/null && mv a.log a.log.1 && printf '3\\n' >> a.log.1 && echo 4 > a.log"
    )
    #expect(run(through: "4") == "3\n4\n")
  }
}
