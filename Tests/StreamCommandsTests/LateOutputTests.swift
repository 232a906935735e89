import TestSupport
import Testing

/// The file of the values that arrive too late.
@Suite struct LateOutputTests {
  private let folder = Fixture.Folder()
  /// The third value is late.
  private static let data = #"{"t":1000,"v":1}"# + "\n" + #"{"t":9000,"v":2}"# + "\n" + #"{"t":1000,"v":3}"# + "\n"

  init() {
    folder.add(
      "s.json",
      #"""
      {"inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "partition": {"key": "'k'", "time": "value.t", "late": "output"}, "operators": [{"map": {"expression": "value.v"}}]}
      """#)
    folder.add("a.ndjson", Self.data)
  }

  @Test("Late values are appended, each on a line of its own")
  func appends() {
    folder.add("late", #"{"from":"yesterday"}"#)
    let outcome = Subprocess.run(["s.json", "--late-output", "late"], input: Self.data, in: folder.path)
    #expect(outcome.output == "1\n2\n")
    #expect(outcome.code == 0)
    #expect(Fixture.read(folder.path("late")) == #"{"from":"yesterday"}"# + "\n" + #"{"t":1000,"v":3}"# + "\n")
  }

  @Test(
    "A file that the run reads or writes is refused, and keeps its content",
    arguments: [
      ("--input a=a.ndjson --late-output a.ndjson", "'a.ndjson' is an input too"),
      ("--input a=a.ndjson --late-output link", "'link' is the input file 'a.ndjson'"),
      ("--late-output a.ndjson < a.ndjson", "'a.ndjson' is the input file '<stdin>'"),
      ("--late-output s.json < a.ndjson", "'s.json' is an input too"),
      ("--late-output out < a.ndjson > out", "'out' is the file of '<stdout>' too"),
      ("--late-output - < a.ndjson", "--late-output - would mix late values with those of the stream"),
    ])
  func refuses(_ arguments: String, _ message: String) {
    let stream = Fixture.read(folder.path("s.json"))
    let said = Subprocess.shell(
      "ln -s a.ndjson link; streamrun s.json \(arguments); echo $?; ls -- -", in: folder.path)
    #expect(said.contains(message), "\(said)")
    #expect(said.contains("\n2\n"), "\(said)")
    #expect(Fixture.read(folder.path("a.ndjson")) == Self.data)
    #expect(Fixture.read(folder.path("s.json")) == stream)
  }

  @Test("A late value is in the file before a later value is printed, so a kill loses none")
  func isWrittenAtOnce() {
    let (input, output) = (Pipe(), Pipe())
    let child = Child(
      ["s.json", "--late-output", "late"], input: input.reader, output: output.writer,
      errors: Subprocess.openWrite(folder.path("errors")), in: folder.path)
    input.write(Self.data + #"{"t":10000,"v":4}"# + "\n")
    #expect(output.read(through: "4\n").hasSuffix("4\n"))
    child.send(9)
    _ = child.wait()
    #expect(Fixture.read(folder.path("late")) == #"{"t":1000,"v":3}"# + "\n")
  }
}
