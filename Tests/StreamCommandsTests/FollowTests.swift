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

  @Test("A file is followed through rotation by name and by truncation, and lines that come late are not lost")
  func follows() {
    folder.append("1\n", "a.log")
    let run = Following("a.log", in: folder)
    var text = run.output.read(through: "1\n")
    folder.append("2\n3", "a.log")
    text += run.output.read(through: "2\n")
    // Rotated by name; the writer continues with the old file for a moment.
    let old = open(folder.path("a.log"), O_WRONLY | O_APPEND, 0)
    rename(folder.path("a.log"), folder.path("a.log.1"))
    _ = write(old, "3\n", 2)
    folder.append("4\n", "a.log")
    text += run.output.read(through: "4\n")
    _ = write(old, "5\n", 2)
    close(old)
    text += run.output.read(through: "5\n")
    // Copied and truncated, with a line that was not read before.
    folder.append("6\n", "a.log")
    folder.append("7\n", "a.log")
    Fixture.write(Fixture.read(folder.path("a.log")), to: folder.path("a.log.2"))
    folder.cut("a.log")
    folder.append("8\n", "a.log")
    text += run.output.read(through: "8\n")
    #expect(text == "1\n2\n33\n4\n5\n6\n7\n8\n")
    let code = run.stop()
    #expect(code == 130)
  }

  @Test("A line is not lost that is written into a file that was empty when it was rotated")
  func late() {
    folder.append("1\n", "a.log")
    let run = Following("a.log", in: folder)
    #expect(run.output.read(through: "1\n") == "1\n")
    // Two rotations at once.
    rename(folder.path("a.log"), folder.path("a.log.2"))
    folder.append("", "a.log.1")
    folder.append("2\n", "a.log")
    #expect(run.output.read(through: "2\n") == "2\n")
    folder.append("3\n", "a.log.1")
    #expect(run.output.read(through: "3\n") == "3\n")
    #expect(run.stop() == 130)
  }

  @Test("A file of a pattern that has the name of a rotated one is followed as long as it exists")
  func namedAsRotated() {
    folder.append("1\n", "logs/a.log")
    let run = Following("logs/*", in: folder)
    #expect(run.output.read(through: "1\n") == "1\n")
    unlink(folder.path("logs/a.log"))
    folder.append("2\n", "logs/a-2.log")
    #expect(run.output.read(through: "2\n") == "2\n")
    // Longer than the writer of a rotated file has.
    usleep(6_500_000)
    folder.append("3\n", "logs/a-2.log")
    #expect(run.output.read(through: "3\n") == "3\n")
    #expect(run.stop() == 130)
  }

  #if os(Linux)
  @Test("Files that match a pattern are closed when they have been removed, and followed when they appear again")
  func removed() {
    for name in ["a", "b", "c"] { folder.append("\(name)1\n", "logs/\(name).log") }
    let run = Following("logs/*", format: "text", in: folder)
    #expect(run.output.read(through: "\"c1\"\n") == "\"a1\"\n\"b1\"\n\"c1\"\n")
    for name in ["a", "b", "c"] { unlink(folder.path("logs/\(name).log")) }
    folder.append("a2\n", "logs/a.log")
    #expect(run.output.read(through: "\"a2\"\n") == "\"a2\"\n")
    // Other files may be those of tests that run at the same time.
    let removed = { Subprocess.shell("ls -l /proc/\(run.child.id)/fd | grep -c 'logs/.*(deleted)'", in: folder.path) }
    run.child.wait { removed() == "0\n" }
    #expect(removed() == "0\n")
    folder.append("b2\n", "logs/b.log")
    #expect(run.output.read(through: "\"b2\"\n") == "\"b2\"\n")
    #expect(run.stop() == 130)
  }
  #endif

  @Test("A run continues although a rotated file that it has read is compressed")
  func continuesWithoutRotatedFile() {
    folder.append("1\n", "a.log")
    let first = Following("a.log", ["--state", "d"], in: folder)
    var text = first.output.read(through: "1\n")
    rename(folder.path("a.log"), folder.path("a.log.1"))
    folder.append("2\n", "a.log")
    text += first.output.read(through: "2\n")
    #expect(first.stop() == 130)
    rename(folder.path("a.log.1"), folder.path("a.log.2.gz"))
    rename(folder.path("a.log"), folder.path("a.log.1"))
    folder.append("3\n", "a.log.1")
    folder.append("4\n", "a.log")
    let second = Following("a.log", ["--state", "d"], in: folder)
    text += second.output.read(through: "4\n")
    #expect(second.stop() == 130)
    #expect(text == "1\n2\n3\n4\n")
  }

  @Test("New files join those of a pattern, and a rotated file is not read twice")
  func joins() {
    folder.append("1\n", "logs/a.log")
    let run = Following("logs/*", in: folder)
    var text = run.output.read(through: "1\n")
    folder.append("20\n", "logs/b.log")
    text += run.output.read(through: "20\n")
    rename(folder.path("logs/a.log"), folder.path("logs/a.log.1"))
    folder.append("3\n", "logs/a.log")
    text += run.output.read(through: "3\n")
    folder.append("4\n", "logs/b.log")
    text += run.output.read(through: "4\n")
    #expect(text == "1\n20\n3\n4\n")
    let code = run.stop()
    #expect(code == 130)
  }

  @Test(
    "A file that is truncated and rewritten is read from its start, whatever its length",
    arguments: ["1", "34\n35", "34\n35\n36", "34\n35\n36\n37\n38", "3"], ["ndjson", "csv", "text"])
  func rewritten(_ lines: String, _ format: String) {
    let header = format == "csv" ? "n\n" : ""
    let values = { (lines: String) in
      lines.split(separator: "\n").map { line in
        switch format {
        case "csv": "{\"n\":\"\(line)\"}\n"
        case "text": "\"\(line)\"\n"
        default: "\(line)\n"
        }
      }.joined()
    }
    // The last line has no line break yet.
    folder.add("a.log", header + "31\n32\n33\n3")
    let run = Following("a.log", format: format, in: folder)
    let first = run.output.read(through: values("33"))
    #expect(first == values("31\n32\n33"))
    folder.add("a.log", header + lines + "\n40\n")
    let second = run.output.read(through: values("40"))
    #expect(second == values(lines + "\n40"))
    let code = run.stop()
    #expect(code == 130)
  }

  @Test("A compressed rotated file, or a file that cannot be read, does not end a run that follows a pattern")
  func leavesOut() {
    folder.append("1\n2\n", "logs/a.log")
    let run = Following("logs/*", in: folder)
    var text = run.output.read(through: "2\n")
    _ = Subprocess.shell("mv logs/a.log logs/a.log.1", in: folder.path)
    folder.append("3\n", "logs/a.log")
    text += run.output.read(through: "3\n")
    _ = Subprocess.shell("gzip logs/a.log.1; mkfifo logs/p; mkdir logs/d; echo 5 | gzip > logs/c.log", in: folder.path)
    run.child.wait { Fixture.read(folder.path("errors")).contains("logs/c.log") }
    folder.append("4\n", "logs/a.log")
    text += run.output.read(through: "4\n")
    #expect(text == "1\n2\n3\n4\n")
    let code = run.stop()
    #expect(code == 130)
    let errors = Fixture.read(folder.path("errors"))
    #expect(
      errors == """
        warning S505: 'logs/c.log' cannot be read: it is compressed with gzip, and compressed files do not grow
            = help: the run continues without it
        warning S505: 'logs/p' cannot be read: it is a pipe or a device, and does not grow
            = help: the run continues without it

        """)
    let start = Subprocess.run(["s.json", "--input", "logs/*", "--follow"], in: folder.path)
    #expect(start.errors.contains("'logs/a.log.1.gz' cannot be read: it is compressed with gzip"))
    #expect(start.code == 2)
  }

  @Test("A run waits for a file that does not exist, and reports it once")
  func waits() {
    let run = Following("later.log", in: folder)
    run.child.wait { !Fixture.read(folder.path("errors")).isEmpty }
    folder.append("", "later.log")
    folder.append("1\n", "later.log")
    #expect(run.output.read(through: "1\n") == "1\n")
    let code = run.stop()
    #expect(code == 130)
    let errors = Fixture.read(folder.path("errors"))
    #expect(errors == "note: there is no file 'later.log' yet; the run waits for it\n")
  }

  @Test("Following needs a file without an end")
  func refuses() {
    let outcome = Subprocess.run(["s.json", "--follow"], input: "1\n", in: folder.path)
    #expect(outcome.errors.contains("--follow is for files that grow"))
    folder.add("a.json", "[1]")
    let array = Subprocess.run(["s.json", "--follow", "--input", "a.json"], in: folder.path)
    #expect(array.errors.contains("'a.json' cannot be followed: json has an end"), "\(array.errors)")
    #expect(array.code == 2)
    _ = Subprocess.shell("mkfifo pipe", in: folder.path)
    let pipe = Subprocess.run(["s.json", "--follow", "--input", "pipe"], in: folder.path)
    #expect(pipe.errors.contains("'pipe' cannot be read: it is a pipe or a device, and does not grow"))
    #expect(pipe.code == 2)
    folder.add("empty.ndjson.gz", "")
    let empty = Subprocess.run(["s.json", "--follow", "--input", "empty.ndjson.gz"], in: folder.path)
    #expect(empty.errors.contains("it is compressed with gzip, and compressed files do not grow"))
    #expect(empty.code == 2)
  }
}
