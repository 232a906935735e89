import CEL
import StreamCore
import StreamEngine
import Testing

@testable import StreamKit

/// Declared types: null, fields that may be missing, enumerations, and `types` of a file.
@Suite struct DeclaredTypeTests {
  private static func type(_ json: Value) throws(Diagnostic) -> CELType { try CELType(TypeDeclaration(json: json)) }

  static let types: [(Value, String)] = [
    ("double?", "double?"), ("int ?", "int?"), ("list(int?)?", "list(int?)?"), (["string?"], "list(string?)"),
    (["x?": "int"], "{x?: int}"), (["x": "optional(int)"], "{x?: int}"), (["x?": "optional(int?)"], "{x?: int?}"),
    (["enum": ["a", "b"]], #"{enum: ["a", "b"]}"#), (["enum": [1, 2]], "{enum: [1, 2]}"),
    (["enum": ["a", .null]], #"{enum: ["a"]}?"#), (["enum": [.null]], "null_type"),
    (["enum": "int"], "{enum: int}"), (["enum": ["int"], "x": "int"], "{enum: list(int), x: int}"),
    (["?": "int"], "{?: int}"), ("dyn?", "dyn"), ("null?", "null_type"),
  ]

  @Test("A declared type may allow null, a missing field and a few values", arguments: types)
  func reading(json: Value, expected: String) throws {
    let type = try Self.type(json)
    #expect("\(type)" == expected)
  }

  static let refused: [(Value, String)] = [
    ("optional(int)", "\"x?\""), (["optional(int)"], "\"x?\""), ("number?", "double?"), ("int|null", "int?"),
    (["int", "null"], "write \"int?\""), (["open", "closed"], #"{"enum": ["open","closed"]}"#),
    (["x": "int", "x?": "int"], "declared twice"), (["enum": []], "1 to 1000"), (["enum": ["a", "a"]], "twice"),
    (["enum": ["a", 1]], "all strings or all integers"), (["enum": [1.5]], "a string or an integer"),
    ("int??", "not a type"), ("?", "not a type"),
  ]

  @Test("Another form of a type is refused with help", arguments: refused)
  func refusing(json: Value, part: String) {
    do {
      let type = try Self.type(json)
      Issue.record("\(json) is the type \(type)")
    } catch {
      let said = "\(error.message) \(error.help ?? "")"
      #expect(said.contains(part))
    }
  }

  static let conversions: [(Value, Value, Value?)] = [
    ("double?", 1, 1.0), ("double?", .null, .null), ("double?", "a", nil), ("timestamp?", "x", nil),
    (["x?": "double"], [:], [:]), (["x?": "double"], ["x": 1], ["x": 1.0]), (["x?": "double"], ["x": .null], nil),
    (["x?": "int?"], ["x": .null], ["x": .null]), (["x": "int?"], [:], nil), (["enum": ["a", "b"]], "b", "b"),
    (["enum": ["a", "b"]], "c", nil), (["enum": [1]], 1.0, nil), (["enum": ["a", .null]], .null, .null),
    (["int?"], [1, .null], [1, .null]), ("map(string, double?)", ["a": .null, "b": 2], ["a": .null, "b": 2.0]),
  ]

  @Test("Values are converted to a type with null, and others are refused", arguments: conversions)
  func converting(json: Value, value: Value, expected: Value?) throws {
    let conversion = InputConversion(try Self.type(json))
    let result = try? conversion.convert(value)
    #expect(result == expected)
    if let result { #expect(conversion.type.accepts(result)) }
  }

  @Test("The error of a value outside an enumeration lists the values")
  func misspelledValue() throws {
    let conversion = InputConversion(try Self.type(["s": ["enum": ["open", "closed"]]]))
    do {
      _ = try conversion.convert(["s": "opne"])
      Issue.record("no error")
    } catch {
      #expect(error.message == #""opne" is not one of "open", "closed"; did you mean "open"?"#)
      #expect(error.tokens == ["s"])
    }
  }

  private static func model(_ types: String, input: String = #""A""#, expression: String = "value") throws
    -> StreamModel
  {
    let text = """
      { "types": \(types), "inputs": { "a": { "type": \(input) } }, "source": { "input": { "name": "a" } },
        "operators": [ { "map": { "expression": "\(expression)" } } ] }
      """
    return try StreamModel(json: JSONDocument(reading: text, file: "a.json").value)
  }

  @Test("Inputs, other types and operators name the types of the file")
  func namedTypes() throws {
    let model = try Self.model(
      #"{ "A": { "id": "string", "b": "B?" }, "B": { "n": "int?" } }"#, input: #"["A"]"#,
      expression: "value.map(x, x.b != null && x.b.n != null ? x.b.n : 0)")
    #expect(try model.outputType() == .list(.int))
    #expect(model.json.member("types")?.member("B") == ["n": "int?"])
    let copy = try StreamModel(json: model.json)
    #expect(copy == model)
    let table = model.typeTable
    #expect(try table.description(of: CELType(TypeDeclaration(json: ["A?"]), in: table)) == "list(A?)")
    var decoding = try StreamModel(
      json: [
        "types": ["A": ["x?": "int"]], "source": ["just": ["value": "{}"]], "operators": [["decode": ["type": "A"]]],
      ])
    #expect(try decoding.outputType() == .record([RecordField("x", .int, isOptional: true)]))
    decoding.types = [:]
    #expect(throws: Diagnostics.self) { try decoding.outputType() }
  }

  static let wrongTypes: [(String, String, DiagnosticCode, String)] = [
    (#"{ "A": { "b": "B" }, "B": ["A"] }"#, #""A""#, .cycle, "A → B → A"),
    (#"{ "A": "A?" }"#, #""A""#, .cycle, "A → A"), (#"{ "A": "Itn" }"#, #""A""#, .invalidType, "not a type"),
    (#"{ "A": "int" }"#, #""Aa""#, .invalidType, "\"A\""),
    (#"{ "A": "int" }"#, #""String""#, .invalidType, "\"string\""),
  ]

  @Test("Types in a circle and unknown names are refused", arguments: wrongTypes)
  func wrongNames(types: String, input: String, code: DiagnosticCode, part: String) throws {
    let model = try Self.model(types, input: input)
    do {
      _ = try model.compile()
      Issue.record("no error")
    } catch {
      #expect(error.all.count == 1)
      #expect(error.all.first?.code == code)
      let text = "\(error.all.first?.message ?? "") \(error.all.first?.help ?? "")"
      #expect(text.contains(part))
    }
  }

  @Test("The name of a type begins with a capital letter", arguments: ["int", "reading", "A B", "1A", "Ä"])
  func invalidName(name: String) throws {
    do {
      _ = try StreamModel(json: ["types": [.string(name): "int"], "source": ["just": ["value": 1]]])
      Issue.record("no error")
    } catch { #expect(error.all.first?.code == .invalidIdentifier) }
  }

  @Test("Types that grow without bound are refused")
  func manyParts() throws {
    let pairs = (1...40).map { number in
      (
        Value.string("T\(number)"),
        number == 40 ? Value.string("int") : ["a": .string("T\(number + 1)"), "b": .string("T\(number + 1)")]
      )
    }
    let json: Value = ["types": .map(ValueMap(pairs)), "source": ["just": ["value": 1]]]
    let model = try StreamModel(json: json)
    #expect(throws: Diagnostics.self) { try model.compile() }
  }

  @Test("A filter removes null from the type of the values that follow")
  func filterNarrows() throws {
    var model = StreamModel(
      inputs: ["a": InputDeclaration(type: ["x": "double?"])], source: .input("a"),
      operators: [.filter("value.x != null"), .map("value.x * 2")])
    #expect(try model.outputType() == .double)
    model.operators.removeFirst()
    #expect(throws: Diagnostics.self) { try model.compile() }
  }

  @Test("A call of random() runs with a seed of the file or the host, and repeats")
  func randomNumbers() throws {
    var model = StreamModel(source: .range(0...1), operators: [.map("random()")])
    #expect(throws: Diagnostics.self) { try model.compile() }
    var options = CompileOptions()
    options.seed = 7
    let pipeline = try model.compile(options)
    model.seed = 7
    let histories = [VirtualRun(Execution(pipeline)).run(), VirtualRun(Execution(try model.compile())).run()]
    #expect(histories[0] == histories[1])
    // The numbers of Tests/Reference/random_numbers.py.
    #expect(histories[0].values == [0.6601020646239597, 0.8019424229873569])
    #expect(try StreamModel(json: model.json) == model)
  }

  @Test("Each key of a group has random numbers of its own")
  func randomNumbersOfKeys() throws {
    let model = StreamModel(
      source: .items(["a", "b", "b", 2.5]),
      operators: [.groupBy("value", operators: [.map("random()")])], seed: 7)
    let run = VirtualRun(Execution(try model.compile())).run()
    #expect(run.values.prefix(1) == [0.620616996125315])
    #expect(run.values.dropFirst(2).first == 0.3193654733478949)
    #expect(run.values.last == 0.2849855940506484)
  }
}
