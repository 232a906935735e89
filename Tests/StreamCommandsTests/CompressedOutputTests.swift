import TestSupport
import Testing

/// Outputs whose names promise a format: compressed files, and those that are not written.
@Suite struct CompressedOutputTests {
  private let folder = Fixture.Folder()

  init() { folder.add("x.csv", "a,b\n1,2\n3,4\n") }

  private func run(_ arguments: String...) -> Outcome {
    Subprocess.run(["-e", "map(value)", "--input", "x.csv"] + arguments, in: folder.path)
  }

  @Test("A compressed output has the format of its extension, and is read again", arguments: ["gz", "zst", "xz"])
  func compressed(_ ending: String) {
    guard Subprocess.shell("command -v zstd xz gzip | wc -l", in: folder.path) == "3\n" else { return }
    let program = ["gz": "gzip", "zst": "zstd", "xz": "xz"][ending] ?? ""
    let lines = "{\"a\":\"1\",\"b\":\"2\"}\n{\"a\":\"3\",\"b\":\"4\"}\n"
    for (format, text) in [("csv", "a,b\r\n1,2\r\n3,4\r\n"), ("ndjson", lines)] {
      let file = "o.\(format).\(ending)"
      let outcome = run("--output", file)
      #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
      #expect(Subprocess.shell("\(program) -dc < \(file)", in: folder.path) == text)
      let read = Subprocess.run(["-e", "count()", "--input", file], in: folder.path)
      #expect(read.output == "2\n", "\(read.errors)")
    }
    // Lines can be continued, a table cannot.
    _ = run("--output", "o.ndjson.\(ending)")
    #expect(Subprocess.shell("\(program) -dc < o.ndjson.\(ending) | wc -l", in: folder.path) == "4\n")
    let again = run("--output", "o.csv.\(ending)")
    #expect(again.code == 2 && again.errors.contains("cannot be continued"), "\(again.errors)")
  }

  @Test("A recording is not written under the name of a compressed file", arguments: ["gz", "zst", "xz"])
  func recording(_ ending: String) {
    let folder = Fixture.Folder()
    let outcome = Subprocess.run(["-e", "map(value)", "--record", "r.\(ending)"], input: "1\n", in: folder.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("'r.\(ending)' would be plain text under this name"), "\(outcome.errors)")
    #expect(Fixture.names(in: folder.path, ending: ending).isEmpty)
  }

  @Test("An input is not overwritten by its compressed output")
  func same() {
    _ = Subprocess.shell("gzip -c x.csv > x.csv.gz", in: folder.path)
    let outcome = Subprocess.run(
      ["-e", "map(value)", "--input", "x.csv.gz", "--output", "./x.csv.gz", "--format", "ndjson"], in: folder.path)
    #expect(outcome.code == 2)
    #expect(Subprocess.shell("zcat x.csv.gz | head -1", in: folder.path) == "a,b\n")
  }

  @Test(
    "A name that promises another format is refused, and no file is left",
    arguments: [
      ("o.csv.bz2", "'|bzip2 > o.csv.bz2' --format csv"), ("o.parquet", "convert it"), ("o.ZIP", "convert it"),
    ])
  func others(_ name: String, _ help: String) {
    let outcome = run("--output", name)
    #expect(outcome.code == 2 && outcome.errors.contains(help), "\(outcome.errors)")
    #expect(Fixture.names(in: folder.path, ending: "").filter { $0.hasPrefix("o.") }.isEmpty)
    let rotated = run("--output", "o.ndjson.gz", "--rotate", "1MB")
    #expect(rotated.code == 2 && rotated.errors.contains("cannot be rotated"), "\(rotated.errors)")
  }

  @Test("Given columns without values are the header, and a warning reports columns that no value has")
  func columns() {
    let none = Subprocess.run(
      ["-e", "filter(false)", "--input", "x.csv", "--format", "csv", "--columns", "a, b"], in: folder.path)
    #expect(none.output == "a,b\r\n" && none.errors.isEmpty, "\(none.errors)")
    let empty = run("--format", "csv", "--columns", "a,c")
    #expect(empty.output == "a,c\r\n1,\r\n3,\r\n")
    #expect(empty.errors.contains("S418: no value has 'c'"), "\(empty.errors)")
  }
}
