import TestSupport
import Testing

/// Values of several inputs with the same time are delivered in the order of the inputs' names, by every command, whatever
/// the order of members in the JSON and of arguments is.
@Suite struct InputOrderTests {
  /// A file that merges two inputs, with its members and those of its test in an order.
  private static func file(_ names: [String], clock: String) -> String {
    let inputs = names.map { "\"\($0)\": {\(clock)}" }.joined(separator: ", ")
    let fed = names.reversed().map { "\"\($0)\": {\"values\": [{\"t\": 5, \"n\": \"\($0)\"}]}" }
    return """
      {"inputs": {\(inputs)}, "source": {"input": {"name": "trades"}},
       "operators": [{"merge": {"with": ["quotes"]}}, {"map": {"expression": "value.n"}}],
       "tests": [{"name": "x", "inputs": {\(fed.joined(separator: ", "))},
                  "expect": {"values": ["quotes", "trades"]}}]}
      """
  }

  @Test(
    "The names decide, not the order of members and arguments",
    arguments: [#""time": {"expression": "value.t"}"#, ""], [["trades", "quotes"], ["quotes", "trades"]])
  func names(_ clock: String, _ names: [String]) {
    let folder = Fixture.Folder()
    folder.add("s.json", Self.file(names, clock: clock))
    folder.add("other.json", Self.file(names.reversed(), clock: clock))
    for name in names { folder.add("\(name).ndjson", "{\"t\": 5, \"n\": \"\(name)\"}\n") }
    func run(_ arguments: String...) -> Outcome { Subprocess.run(arguments, in: folder.path) }
    let expected = "\"quotes\"\n\"trades\"\n"
    let feeds = names.flatMap { ["--input", "\($0)=\($0).ndjson"] }
    let virtual = clock.isEmpty ? ["--virtual"] : []
    for arguments in [virtual, virtual + ["--threads", "1"], virtual + ["--record", "r.ndjson"]] {
      #expect(Subprocess.run(["s.json"] + feeds + arguments, in: folder.path).output == expected)
    }
    #expect(run("replay", "r.ndjson").output == expected)
    folder.add("c.json", run("canonical", "s.json").output)
    #expect(Subprocess.run(["c.json"] + feeds + virtual, in: folder.path).output == expected)
    for file in ["s.json", "other.json", "c.json"] { #expect(run("test", file).code == 0) }
    let compared = Subprocess.run(["diff", "--behavior", "s.json", "other.json"] + feeds, in: folder.path)
    #expect(compared.code == 0, "\(compared.output)")
  }
}
