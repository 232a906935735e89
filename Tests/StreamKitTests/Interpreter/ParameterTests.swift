import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Parameters of files, definitions, and the inputs of other files.
@Suite struct ParameterTests {
  /// The published values, or else the codes, places and messages of the errors.
  private func run(
    _ text: String, _ parameters: [String: Value] = [:], files: [String: String] = [:], host: StreamHost = StreamHost()
  ) -> [String] {
    do throws(Diagnostics) {
      let stream = try StreamFile(JSONDocument(reading: text, file: "a.json"), identity: "a.json")
      var options = CompileOptions(loader: FilesInMemory(files: files), host: host)
      options.parameters = parameters
      let texts = VirtualRun(Execution(try stream.compile(options)), eventLimit: 1_000).run().texts()
      return
        texts.filter { !$0.hasPrefix("|") }.map { String($0.prefix { $0 != "@" }) }
    } catch {
      return error.all.map { "\($0.code.rawValue) \($0.pointer) \($0.message)" }
    }
  }

  private static let head =
    #"{"parameters": {"n": {"type": "int", "default": 2}}, "stream": [{"value": 1}, {"value": 5}"#
    + #", {"value": 9}], "operators": ["#

  @Test("A field and an expression use the default, or the value of the host")
  func values() {
    let file = Self.head + #"{"prefix": {"count": {"parameter": "n"}}}, {"map": {"expression": "value * n"}}]}"#
    #expect(run(file) == ["2", "10"])
    #expect(run(file, ["n": 1]) == ["1"])
  }

  @Test("A value that the field refuses is reported at the field, with its origin")
  func refused() {
    let found = run(Self.head + #"{"prefix": {"count": {"parameter": "n"}}}]}"#, ["n": -1])
    #expect(found.count == 1 && found[0].hasPrefix("S104 /operators/0/prefix/count the parameter 'n' of the options: "))
  }

  @Test(
    "Wrong parameters are refused",
    arguments: [
      (#"{"prefix": {"count": {"parameter": "m"}}}]}"#, "S202 /operators/0/prefix/count/parameter"),
      (#"{"map": {"expression": {"parameter": "n"}}}]}"#, "S102 /operators/0/map/expression"),
      (#"{"apply": {"definition": "d"}}]}"#, "S202 /operators/0/apply/definition"),
      (#"{"apply": {}}]}"#, "S103 /operators/0/apply"),
      (#"{"groupBy": {"key": "value", "as": "null", "operators": []}}]}"#, "S112 /operators/0/groupBy/as"),
      (
        #"{"combineLatest": {"with": [{"stream": []}], "names": ["a", "in"]}}]}"#,
        "S112 /operators/0/combineLatest/names/1"
      ),
    ])
  func wrong(_ rest: String, _ beginning: String) {
    let found = run(Self.head + rest)
    #expect(found.count == 1 && found[0].hasPrefix(beginning), "\(found)")
  }

  @Test("An expression sees the declared type of a record that lacks an optional field")
  func optionalField() {
    let file =
      #"{"parameters": {"m": {"type": {"a": "int", "b?": "string"}, "default": {"a": 1}}}, "#
      + #""source": {"just": {"expression": "m.?b.orValue('no')"}}}"#
    #expect(run(file) == [#""no""#])
    #expect(run(file, ["m": ["a": 1, "b": "x"]]) == [#""x""#])
  }

  @Test("A value of another type is refused with what was found, at the parameter")
  func wrongValue() {
    let found = run(#"{"parameters": {"n": {"type": "int", "default": 2}}, "stream": []}"#, ["n": 4.5])
    #expect(
      found == [
        "S501 /parameters/n the parameter 'n' of the options: the parameter 'n' does not fit its type: found the double 4.5, "
          + "but the declared type is int"
      ])
  }

  @Test("The tests of a definition need the parameters of the file that it uses, also through other definitions")
  func parametersInTests() throws {
    let twice = #"{"operators": [{"map": {"expression": "value * 2"}}], "tests": [\#(Self.test)]}"#
    let scaled = #"{"operators": [{"map": {"expression": "value * size"}}]}"#
    let through = #"{"operators": [{"apply": {"definition": "scaled"}}], "tests": [\#(Self.test)]}"#
    func problems(_ definitions: String) throws -> [String] {
      let text =
        #"{"parameters": {"size": {"type": "int"}}, "definitions": {\#(definitions)}, "stream": [{"value": 1}]}"#
      let stream = try StreamFile(JSONDocument(reading: text, file: "a.json"), identity: "a.json")
      do throws(Diagnostics) {
        try TestRunner(stream, options: CompileOptions()).validate()
        return []
      } catch {
        return error.all.map { "\($0.code.rawValue) \($0.pointer) \($0.message)" }
      }
    }
    #expect(try problems(#""twice": \#(twice)"#) == [])
    #expect(
      try problems(#""scaled": \#(scaled), "through": \#(through)"#) == [
        "S103 /definitions/through/tests/0 the definition 'through' needs the parameter 'size' of the file in its tests"
      ])
  }

  private static let test =
    #"{"name": "d", "inputs": {"values": {"values": [1, 2]}}, "expect": {"values": [2, 4]}}"#

  @Test("A value cannot change the structure of a file")
  func structure() {
    let stream = #"{"parameters": {"z": {}}, "streams": {"s": {"stream": [{"value": 8}]}}, "stream": [{"value": 1}], "#
    let merge =
      stream + #""operators": [{"merge": {"with": {"parameter": "z"}}}]}"#
    #expect(run(merge, ["z": ["s"]]) == ["1", "8"])
    let model: Value = ["source": ["just": ["expression": "7"]]]
    let found = run(merge, ["z": [model]])
    #expect(found.count == 1 && found[0].hasPrefix("S102 /operators/0/merge/with "), "\(found)")
    let window = stream + #""operators": [{"window": {"count": 2, "operators": {"parameter": "z"}}}]}"#
    let operators = run(window, ["z": [["count": [:]]]])
    #expect(operators.count == 1 && operators[0].hasPrefix("S102 /operators/0/window/operators "), "\(operators)")
  }

  @Test("A parameter needs a value, a fitting type and a name that no variable has")
  func declarations() {
    let rest = #", "stream": []}"#
    #expect(run(#"{"parameters": {"q": {"type": "double"}}"# + rest)[0].hasPrefix("S103 /parameters/q"))
    #expect(run(#"{"parameters": {"q": {"type": "double"}}"# + rest, host: .any) == [])
    #expect(run(#"{"parameters": {"value": {}}"# + rest)[0].hasPrefix("S112 /parameters/value"))
    #expect(run(#"{"parameters": {"a-b": {}}"# + rest)[0].hasPrefix("S112 /parameters/a-b"))
    #expect(run(#"{"parameters": {"q": {"type": "int", "default": "x"}}"# + rest)[0].hasPrefix("S102"))
    #expect(run(#"{"parameters": {"q": {"type": "int"}}"# + rest, ["q": "x"])[0].hasPrefix("S501"))
    #expect(run(#"{"parameters": {"q": {"default": 1}}"# + rest, ["p": 1])[0].contains("no parameter 'p'"))
    #expect(run(#"{"parameters": {"i": {"default": 1}}, "inputs": {"i": {}}"# + rest)[0].hasPrefix("S118"))
  }

  private static let smooth = """
    {"definitions": {"scaled": {"parameters": {"by": {"type": "int"}}, "operators": [
       {"map": {"expression": "value * by"}}, {"scan": {"initialValue": 0, "expression": "acc + value"}}]}},
     "stream": [{"value": 1}, {"value": 2}], "operators": [
    """

  @Test("A definition is applied with arguments, twice with state of its own")
  func definitions() {
    let apply = #"{"apply": {"definition": "scaled", "by": 10}}"#
    #expect(run(Self.smooth + apply + "]}") == ["10", "30"])
    #expect(run(Self.smooth + apply + ", " + apply + "]}") == ["100", "400"])
    #expect(run(Self.smooth + #"{"apply": {"definition": "scaled"}}]}"#)[0].hasPrefix("S103 /operators/0/apply"))
    let unknown = run(Self.smooth + #"{"apply": {"definition": "scaled", "by": 1, "bye": 2}}]}"#)
    #expect(unknown.count == 1 && unknown[0].hasPrefix("S101 /operators/0/apply/bye"))
  }

  @Test("An error in a definition names both places, and a circle is shown")
  func places() throws {
    let text = Self.smooth + #"{"apply": {"definition": "scaled", "by": 10}}, {"prefix": {"count": 1}}]}"#
    let broken = text.replacing("value * by", with: "value * bye")
    do throws(Diagnostics) {
      let stream = try StreamFile(JSONDocument(reading: broken, file: "a.json"), identity: "a.json")
      _ = try stream.compile()
      Issue.record("it compiled")
    } catch {
      #expect(error.all.map(\.pointer.description) == ["/definitions/scaled/operators/0/map/expression"])
      let notes = error.all.flatMap(\.notes)
      let applied = "in the definition 'scaled', which is applied at a.json:"
      #expect(notes.contains(where: { $0.hasPrefix(applied) }), "\(notes)")
    }
    let circle = run(
      #"{"definitions": {"a": {"operators": [{"apply": {"definition": "b"}}]}, "b": {"operators": [{"apply": "#
        + #"{"definition": "a"}}]}}, "stream": [], "operators": [{"apply": {"definition": "a"}}]}"#)
    #expect(circle.count == 1)
    #expect(circle[0].contains("'a' → the definition 'b' → the definition 'a'"), "\(circle)")
  }

  @Test("A file that reads an input is applied, and another one's input is bound to a stream")
  func files() {
    let files = [
      "smooth.json": #"{"parameters": {"by": {"default": 3}}, "inputs": {"values": {}}, "source": {"input": "#
        + #"{"name": "values"}}, "operators": [{"map": {"expression": "value * by"}}]}"#
    ]
    let head = #"{"streams": {"clicks": {"stream": [{"value": 2}]}}, "#
    #expect(
      run(#"{"stream": [{"value": 1}], "operators": [{"apply": {"file": "smooth.json"}}]}"#, files: files) == ["3"])
    let bound =
      #""source": {"stream": {"file": "smooth.json", "inputs": {"values": "clicks"}, "parameters": {"by": 5}}}}"#
    #expect(run(head + bound, files: files) == ["10"])
    #expect(run(head + bound.replacing("values\":", with: "value\":"), files: files)[0].hasPrefix("S301"))
  }

  private static let tested =
    #"{"parameters": {"n": {"type": "int", "default": 7}}, "definitions": {"scaled": {"parameters": {"by": "#
    + #"{"type": "int", "default": 2}}, "operators": [{"map": {"expression": "value * by"}}], "tests": ["#
    + #"{"name": "twice", "inputs": {"values": {"values": [1, 2]}}, "expect": {"values": [2, 4]}}, "#
    + #"{"name": "more", "parameters": {"by": 3}, "inputs": {"values": {"values": [1]}}, "expect": {"values": [4]}}"#
    + #"]}}, "source": {"timer": {"every": 1}}, "operators": [{"apply": {"definition": "scaled", "by": "#
    + #"{"parameter": "n"}}}], "tests": [{"name": "whole", "for": 1, "expect": {"values": [0]}}]}"#

  @Test("The tests of a definition run it alone, with their own arguments")
  func testsOfDefinitions() throws {
    let stream = try StreamFile(JSONDocument(reading: Self.tested, file: "a.json"), identity: "a.json")
    let outcomes = try TestRunner(stream).run()
    #expect(outcomes.map(\.name) == ["whole", "scaled: twice", "scaled: more"])
    #expect(
      outcomes.map { "\($0.pointer)" } == ["/tests/0", "/definitions/scaled/tests/0", "/definitions/scaled/tests/1"])
    #expect(outcomes.map(\.hasPassed) == [true, true, false])
    #expect(outcomes[2].newExpectation == ["values": [3]])
    #expect(JSONWriter.compact(stream.model.json) == JSONWriter.compact(stream.document.value))
  }

  @Test(
    "A wrong test of a definition is reported at its place",
    arguments: [
      (#"{"by": 3}"#, #"{"by": "x"}"#, "/definitions/scaled/tests/1/parameters/by"),
      (#"{"by": 3}"#, #"{"bi": 3}"#, "/definitions/scaled/tests/1/parameters/bi"),
      (#""more""#, #""twice""#, "/definitions/scaled/tests/1/name"),
      (
        #""parameters": {"by": 3}, "inputs": {"values""#, #""inputs": {"value""#,
        "/definitions/scaled/tests/1/inputs/value"
      ),
    ])
  func wrongTests(_ old: String, _ new: String, _ place: String) throws {
    do throws(Diagnostics) {
      let document = try JSONDocument(reading: Self.tested.replacing(old, with: new), file: "a.json")
      _ = try TestRunner(StreamFile(document, identity: "a.json")).run()
      Issue.record("the tests ran")
    } catch {
      #expect(error.all.map { "\($0.pointer)" } == [place], "\(error.all.map(\.message))")
    }
  }

  @Test("A bound input takes values of its type alone, and converts them")
  func boundTypes() {
    let files = [
      "x.json": #"{"inputs": {"q": {"type": "double"}}, "source": {"input": {"name": "q"}}, "operators": []}"#
    ]
    func main(_ values: String) -> String {
      #"{"streams": {"a": {"stream": [VALUES], "operators": [{"map": {"expression": "dyn(value)"}}]}}, "#
        .replacing("VALUES", with: values)
        + #""source": {"stream": {"file": "x.json", "inputs": {"q": "a"}}}}"#
    }
    #expect(run(main(#"{"value": 1}"#), files: files) == ["1.0"])
    let found = run(main(#"{"value": 1}, {"value": "x"}"#), files: files)
    #expect(found.first == "1.0" && found.count == 2 && found[1].hasPrefix("#"), "\(found)")
  }

  @Test("An enumeration of strings takes the text of an argument without quotation marks")
  func enumerationText() throws {
    let file =
      #"{"parameters": {"e": {"type": {"enum": ["a", "b"]}}, "t": {"type": "string?"}}, "source": {"just": {"expression": "e + string(t)"}}}"#
    let stream = try StreamFile(JSONDocument(reading: file, file: "a.json"), identity: "a.json")
    var options = CompileOptions()
    options.arguments = [
      "e": ParameterArgument(.text("b"), origin: ""), "t": ParameterArgument(.text("c"), origin: ""),
    ]
    _ = try stream.compile(options)
    options.arguments["e"] = ParameterArgument(.text("c"), origin: "")
    #expect(throws: Diagnostics.self) { try stream.compile(options) }
  }

  @Test("An expression that tests a parameter for null compiles with null and with another value")
  func nullParameter() {
    let file =
      #"{"parameters": {"n": {"type": "double?", "default": null}}, "stream": [{"value": 1}], "operators": ["#
      + #"{"map": {"expression": "n == null ? 1.0 : n * 2.0"}}]}"#
    #expect(run(file) == ["1.0"])
    #expect(run(file, ["n": 3]) == ["6.0"])
  }

  @Test("Random numbers differ by the key, whatever its name, in a definition too")
  func randomKeys() {
    let file =
      #"{"seed": 7, "stream": [{"value": 1}, {"value": 2}], "operators": [{"groupBy": {"key": "value", AS"operators": ["#
      + #"{"map": {"expression": "random()"}}, {"apply": {"definition": "d"}}]}}], "definitions": {"d": {"operators": ["#
      + #"{"map": {"expression": "[value, random()]"}}]}}}"#
    for name in ["", #""as": "user", "#] {
      let found = run(file.replacing("AS", with: name))
      let numbers = found.flatMap { $0.split(whereSeparator: { "[],".contains($0) }) }
      #expect(Set(numbers).count == 4, "\(found)")
    }
  }

  @Test("Reading and writing keeps references, definitions and arguments")
  func roundTrip() throws {
    let file =
      #"{"parameters":{"n":{"type":"double","default":1.0,"description":"d","x-a":1}},"definitions":{"d":{"#
      + #""parameters":{"k":{}},"operators":[{"prefix":{"count":{"parameter":"k"}}}]}},"source":{"timer":{"every":{"#
      + #""parameter":"n"}}},"operators":[{"id":"a","apply":{"definition":"d","k":1}},{"debounce":{"seconds":{"#
      + #""parameter":"n"},"x-b":2}}]}"#
    let model = try StreamModel(json: JSONDocument(reading: file, file: "a.json").value)
    #expect(JSONWriter.compact(model.json) == file)
  }
}
