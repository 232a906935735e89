import TestSupport
import Testing

/// `--output`: the outputs of a stream in files.
@Suite struct OutputCommandTests {
  private let folder = Fixture.Folder()
  private static let data = (1...9).map { #"{"n":\#($0),"d":"x"}"# + "\n" }.joined()

  init() {
    folder.add("s.json", #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}}"#)
    folder.add(
      "m.json",
      #"""
      {"inputs": {"a": {}}, "outputs": {
        "high": {"stream": {"source": {"input": {"name": "a"}}, "operators": [{"filter": {"expression": "value.n > 7"}}]}},
        "twice": {"stream": {"source": {"input": {"name": "a"}}, "operators": [{"map": {"expression": "value.n * 2"}}]}}}}
      """#)
    folder.add("a.ndjson", Self.data)
  }

  private func run(_ arguments: String) -> Outcome {
    Subprocess.run(arguments.split(separator: " ").map(String.init), input: Self.data, in: folder.path)
  }

  @Test("The file's extension determines the format, and a second run continues the file")
  func appends() {
    for name in ["o.ndjson", "o.json", "o.csv", "o.txt", "o.unknown"] {
      for options in ["", " --append"] {
        let outcome = run("s.json --output \(name)\(options)")
        #expect(outcome == Outcome(output: "", errors: "", code: 0))
      }
    }
    #expect(Fixture.read(folder.path("o.ndjson")) == Self.data + Self.data)
    #expect(Fixture.read(folder.path("o.unknown")) == Self.data + Self.data)
    let rows = (1...9).map { "\($0),x\r\n" }.joined()
    #expect(Fixture.read(folder.path("o.csv")) == "n,d\r\n" + rows + rows)
    let array = Fixture.read(folder.path("o.json"))
    #expect(array == "[\n" + (Self.data + Self.data).dropLast().replacing("\n", with: ",\n") + "\n]\n")
  }

  @Test("Each named output has its file, and the others are on standard output with their names")
  func separates() {
    let outcome = run("m.json --output high=high.csv")
    #expect(Fixture.read(folder.path("high.csv")) == "n,d\r\n8,x\r\n9,x\r\n")
    #expect(outcome.output == (1...9).map { "{\"twice\":\($0 * 2)}\n" }.joined())
    let other = run("m.json --output high=h.json --output twice=- --output-format high=ndjson")
    #expect(Fixture.read(folder.path("h.json")) == "{\"n\":8,\"d\":\"x\"}\n{\"n\":9,\"d\":\"x\"}\n")
    #expect(other.output == (1...9).map { "\($0 * 2)\n" }.joined())
  }

  @Test("Files are rotated by size between values, and each is complete")
  func rotates() {
    let outcome = run("s.json --output r.csv --rotate 20B")
    #expect(outcome.code == 0)
    let names = Fixture.names(in: folder.path, ending: ".csv").filter { $0.hasPrefix("r-") }
    #expect(names.count == 3)
    let rows = names.sorted().map { Fixture.read(folder.path("\($0).csv")) }
    #expect(rows == ["n,d\r\n1,x\r\n2,x\r\n3,x\r\n", "n,d\r\n4,x\r\n5,x\r\n6,x\r\n", "n,d\r\n7,x\r\n8,x\r\n9,x\r\n"])
    #expect(Fixture.read(folder.path("r.csv")).isEmpty)
  }

  @Test("In event time, files are rotated at the times of the records")
  func rotatesByEventTime() {
    let outcome = run("s.json --output t.ndjson --rotate 4s --event-time timestamp(value.n)")
    #expect(outcome.code == 0)
    let names = Fixture.names(in: folder.path, ending: ".ndjson").filter { $0.hasPrefix("t-") }
    #expect(names == ["t-19700101T000004Z", "t-19700101T000008Z"])
    #expect(Fixture.read(folder.path("t-19700101T000004Z.ndjson")).split(separator: "\n").count == 3)
    #expect(Fixture.read(folder.path("t.ndjson")).split(separator: "\n").count == 2)
  }

  @Test(
    "Wrong destinations are refused before anything is written",
    arguments: [
      ("s.json --output a.ndjson --input a.ndjson", "'a.ndjson' is an input too"),
      ("s.json --output s.json", "'s.json' is an input too"),
      ("s.json --output x=y.ndjson", "the stream has one output, which has no name"),
      ("m.json --output y.ndjson", "names no output, and the stream has 2"),
      ("m.json --output hig=y.ndjson", "did you mean 'high'?"),
      ("m.json --output high=y.ndjson --output twice=y.ndjson", "have the same destination"),
      ("m.json --output high=y.ndjson --output twice=./y.ndjson", "is the file of 'y.ndjson' too"),
      ("m.json --output high=y.ndjson --output high=z.ndjson", "has two destinations"),
      ("m.json --output high=y --output-format high=xml", "there is no format 'xml'"),
      ("s.json --output none/y", "its directory does not exist"),
      ("s.json --rotate 1h", "--rotate is for files"),
      ("s.json --output y --rotate 20", "write a size with its unit"),
      ("s.json --output broken.json", "it is not a JSON array that ends with ']'"),
      ("s.json --output other.csv", "the file that is continued has other,names"),
    ])
  func refuses(_ arguments: String, _ message: String) {
    folder.add("broken.json", "[1,2")
    folder.add("other.csv", "other,names\r\n1,2\r\n")
    let before = ["a.ndjson", "s.json", "m.json", "broken.json", "other.csv"].map { Fixture.read(folder.path($0)) }
    let outcome = run(arguments)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.code == 2)
    let after = ["a.ndjson", "s.json", "m.json", "broken.json", "other.csv"].map { Fixture.read(folder.path($0)) }
    #expect(after == before)
  }
}
