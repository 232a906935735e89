import TestSupport
import Testing

/// The columns of CSV and TSV that a run writes.
@Suite struct ColumnsTests {
  private let folder = Fixture.Folder()

  init() { folder.add("s.json", #"{"inputs": {"x": {}}, "source": {"input": {"name": "x"}}}"#) }

  private func run(_ arguments: [String], _ lines: [String]) -> Outcome {
    Subprocess.run(["s.json"] + arguments, input: lines.map { $0 + "\n" }.joined(), in: folder.path)
  }

  @Test("The columns are the members of the first 100 records, whatever each of them lacks")
  func union() {
    let outcome = run(["--format", "csv"], [#"{"a": 1}"#, #"{"b": "x,y"}"#, #"{"c": 2, "a": 3}"#, "{}"])
    #expect(outcome.output == "a,b,c\r\n1,,\r\n,\"x,y\",\r\n3,,2\r\n,,\r\n")
    #expect(outcome.errors.isEmpty && outcome.code == 0)
  }

  @Test("A member that comes later has no column, which is said once")
  func later() {
    let lines = (0..<100).map { #"{"a": \#($0)}"# } + [#"{"a": 1, "b": 2}"#, #"{"b": 3}"#, #"{"a": 4}"#]
    let outcome = run(["--format", "csv"], lines)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("a\r\n0\r\n1\r\n") && outcome.output.hasSuffix("\r\n1\r\n\"\"\r\n4\r\n"))
    #expect(outcome.errors.hasPrefix("warning S418: the rows have no column for 'b' (2 values)"), "\(outcome.errors)")
    let within = run(["--format", "csv"], lines.dropFirst().map { $0 })
    #expect(within.output.hasPrefix("a,b\r\n1,\r\n") && within.errors.isEmpty)
  }

  @Test("The hundredth record adds columns, the next one does not")
  func limit() {
    let lines = (0..<99).map { #"{"a": \#($0)}"# } + [#"{"a": 1, "b": 2}"#]
    let outcome = run(["--format", "tsv"], lines + [#"{"c": 3}"#])
    #expect(outcome.output.hasPrefix("a\tb\r\n0\t\r\n") && outcome.output.hasSuffix("1\t2\r\n\t\r\n"))
    #expect(outcome.errors.contains("no column for 'c' (1 value)"))
  }

  @Test("Given columns are the columns, in their order")
  func given() {
    let lines = [#"{"a": 1, "b": 2}"#, #"{"c": 3, "d": 4}"#]
    let outcome = run(["--format", "csv", "--columns", "c,a"], lines)
    #expect(outcome.output == "c,a\r\n,1\r\n3,\r\n")
    #expect(outcome.errors.isEmpty)
    #expect(run(["--columns", "a"], lines).errors.contains("--columns is for tables"))
    #expect(run(["--format", "csv", "--columns", "a,a"], lines).errors.contains("twice"))
  }

  @Test("The times have columns of their own, with the names that no member has")
  func times() {
    let lines = [#"{"a": 1}"#, #"{"at": 2}"#]
    let outcome = run(["--format", "csv", "--timestamps", "--virtual"], lines)
    #expect(outcome.output == "stream.at,a,at\r\n0,1,\r\n0,,2\r\n")
  }

  @Test("A file that is continued has the columns of its header")
  func continued() {
    folder.add("o.csv", "b,\"a,z\",c\r\n1,2,3\r\n")
    let outcome = run(["--output", "o.csv"], [#"{"a,z": 5}"#, #"{"c": 6, "d": 7}"#])
    #expect(outcome.code == 0)
    #expect(Fixture.read(folder.path("o.csv")) == "b,\"a,z\",c\r\n1,2,3\r\n,5,\r\n,,6\r\n")
    #expect(outcome.errors.contains("no column for 'd' (1 value)"))
    let other = run(["--output", "o.csv"], [#"{"x": 5}"#])
    #expect(other.code == 2 && other.errors.contains("the file that is continued has b,\"a,z\",c"))
  }

  @Test("A value that is too long leaves neither its row nor its columns")
  func tooLong() {
    let long = String(repeating: "x", count: 200)
    let outcome = run(
      ["--format", "csv", "--max-value", "100B", "--skip-errors"], [#"{"a": 1}"#, #"{"b": "\#(long)"}"#, #"{"c": 2}"#])
    #expect(outcome.output == "a,c\r\n1,\r\n,2\r\n", "\(outcome.output)")
  }
}
