import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Several files that feed one input, and files that grow.
@Suite struct FollowTests {
  private let folder = Fixture.Folder()

  init() {
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    folder.addFolder("logs")
  }

  @Test("Files that match a pattern are read in the order of their names, each in its own format")
  func readsPattern() {
    folder.add("logs/b.csv", "n\n3\n4\n")
    folder.add("logs/a.ndjson", "{\"n\":1}\n{\"n\":2}")
    folder.add("logs/c.json", "[{\"n\":5}]")
    let outcome = Subprocess.run(["s.json", "--input", "logs/*"], in: folder.path)
    #expect(outcome.output == "{\"n\":1}\n{\"n\":2}\n{\"n\":\"3\"}\n{\"n\":\"4\"}\n{\"n\":5}\n")
    #expect(outcome.code == 0)
    let nothing = Subprocess.run(["s.json", "--input", "a=none/*"], in: folder.path)
    #expect(nothing.errors.contains("no file matches 'none/*'"))
    #expect(nothing.code == 2)
  }

  /// A run that follows files, with its output in a pipe.
  private struct Following {
    let child: Child
    let output = Pipe()

    init(_ input: String, _ options: [String] = [], in folder: Fixture.Folder) {
      child = Child(
        ["s.json", "--input", input, "--follow", "--input-format", "ndjson"] + options,
        input: Subprocess.openRead("/dev/null"), output: output.writer,
        errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
    }

    func stop() -> Int32 {
      child.send(SIGINT)
      return child.wait()
    }
  }

  private func append(_ text: String, _ name: String) {
    let file = open(folder.path(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = write(file, text, text.utf8.count)
    close(file)
  }

  @Test("A file is followed through rotation by name and by truncation, and lines that come late are not lost")
  func follows() {
    append("1\n", "a.log")
    let run = Following("a.log", in: folder)
    var text = run.output.read(through: "1\n")
    append("2\n3", "a.log")
    text += run.output.read(through: "2\n")
    // Rotated by name; the writer continues with the old file for a moment.
    let old = open(folder.path("a.log"), O_WRONLY | O_APPEND, 0)
    rename(folder.path("a.log"), folder.path("a.log.1"))
    _ = write(old, "3\n", 2)
    append("4\n", "a.log")
    text += run.output.read(through: "4\n")
    _ = write(old, "5\n", 2)
    close(old)
    text += run.output.read(through: "5\n")
    // Copied and truncated, with a line that was not read before.
    append("6\n", "a.log")
    append("7\n", "a.log")
    Fixture.write(Fixture.read(folder.path("a.log")), to: folder.path("a.log.2"))
    truncate(folder.path("a.log"), 0)
    append("8\n", "a.log")
    text += run.output.read(through: "8\n")
    #expect(text == "1\n2\n33\n4\n5\n6\n7\n8\n")
    let code = run.stop()
    #expect(code == 130)
  }

  @Test("A run continues although a rotated file that it has read is compressed")
  func continuesWithoutRotatedFile() {
    append("1\n", "a.log")
    let first = Following("a.log", ["--state", "d"], in: folder)
    var text = first.output.read(through: "1\n")
    rename(folder.path("a.log"), folder.path("a.log.1"))
    append("2\n", "a.log")
    text += first.output.read(through: "2\n")
    #expect(first.stop() == 130)
    rename(folder.path("a.log.1"), folder.path("a.log.2.gz"))
    rename(folder.path("a.log"), folder.path("a.log.1"))
    append("3\n", "a.log.1")
    append("4\n", "a.log")
    let second = Following("a.log", ["--state", "d"], in: folder)
    text += second.output.read(through: "4\n")
    #expect(second.stop() == 130)
    #expect(text == "1\n2\n3\n4\n")
  }

  @Test("New files join those of a pattern, and a rotated file is not read twice")
  func joins() {
    append("1\n", "logs/a.log")
    let run = Following("logs/*", in: folder)
    var text = run.output.read(through: "1\n")
    append("20\n", "logs/b.log")
    text += run.output.read(through: "20\n")
    rename(folder.path("logs/a.log"), folder.path("logs/a.log.1"))
    append("3\n", "logs/a.log")
    text += run.output.read(through: "3\n")
    append("4\n", "logs/b.log")
    text += run.output.read(through: "4\n")
    #expect(text == "1\n20\n3\n4\n")
    let code = run.stop()
    #expect(code == 130)
  }

  @Test("Following needs a file without an end")
  func refuses() {
    let outcome = Subprocess.run(["s.json", "--follow"], input: "1\n", in: folder.path)
    #expect(outcome.errors.contains("--follow is for files that grow"))
    folder.add("a.json", "[1]")
    let array = Subprocess.run(["s.json", "--follow", "--input", "a.json"], in: folder.path)
    #expect(array.errors.contains("'a.json' cannot be followed: json has an end"), "\(array.errors)")
    #expect(array.code == 2)
  }
}
