import TestSupport
import Testing

/// The treatment of the content of an output file that exists.
@Suite struct ExistingOutputTests {
  private let folder = Fixture.Folder()

  private func run(_ arguments: String..., output: String = "out.csv") -> Outcome {
    Subprocess.run(["-e", "[1, 2] | map({'a': value})", "--output", output] + arguments, in: folder.path)
  }

  private var rows: String { Fixture.read(folder.path("out.csv")).replacing("\r\n", with: " ") }

  @Test("A second run appends, and one note reports it")
  func note() {
    #expect(run().errors.isEmpty && rows == "a 1 2 ")
    let again = run()
    #expect(again.code == 0 && rows == "a 1 2 1 2 ")
    #expect(
      again.errors.ranges(of: "note: 'out.csv' has 9B, to which this run appends").count == 1, "\(again.errors)")
    #expect(again.errors.contains("--overwrite replaces them"))
    let logged = run("--log", "json")
    #expect(logged.errors.hasPrefix("{") && logged.errors.contains("to which this run appends"), "\(logged.errors)")
  }

  @Test("--append leaves out the note, and --overwrite replaces the content")
  func options() {
    _ = run()
    #expect(run("--append").errors.isEmpty && rows == "a 1 2 1 2 ")
    #expect(run("--overwrite").errors.isEmpty && rows == "a 1 2 ")
    #expect(run("--overwrite", "--append").code == 2)
    let none = Subprocess.run(["-e", "[1]", "--overwrite"], in: folder.path)
    #expect(none.code == 2 && none.errors.contains("write --output FILE as well"), "\(none.errors)")
  }

  @Test("A compressed table and an array are replaced, too", arguments: ["out.csv.gz", "out.json", "out.ndjson.gz"])
  func formats(_ file: String) {
    for _ in 0..<2 {
      let outcome = run("--overwrite", output: file)
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
    let again = Subprocess.run(["-e", "count()", "--input", file], in: folder.path)
    #expect(again.output == "2\n", "\(again.errors)")
  }

  @Test("A run that continues from a saved state keeps its output, and one that begins replaces it")
  func states() {
    folder.add("in.ndjson", "1\n2\n3\n")
    folder.add("out.csv", "old\r\n")
    func part(_ arguments: String...) -> Outcome {
      Subprocess.run(
        ["-e", "map({'a': value})", "--input", "in.ndjson", "--output", "out.csv", "--columns", "a", "--state", "st"]
          + arguments, in: folder.path)
    }
    #expect(part("--overwrite", "--limit", "1").code == 0 && rows == "a 1 ")
    let second = part("--overwrite")
    #expect(second.code == 0 && rows == "a 1 2 3 ", "\(second.errors)")
    #expect(!second.errors.contains("appends"))
  }

  @Test("An input is never overwritten")
  func inputs() {
    folder.add("out.csv", "a\r\n1\r\n")
    let outcome = Subprocess.run(
      ["-e", "map(value)", "--input", "out.csv", "--output", "out.csv", "--overwrite"], in: folder.path)
    #expect(outcome.code == 2 && rows == "a 1 ", "\(outcome.errors)")
  }
}
