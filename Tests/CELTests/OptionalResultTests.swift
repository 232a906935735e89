@_spi(Engine) import StreamCore
import Testing

@testable import CEL

/// Optionals in a result that becomes a value of a stream, and optional access to null.
@Suite struct OptionalResultTests {
  private static let record = CELType.record([
    RecordField("n", .nullable(.int)), RecordField("x", .double, isOptional: true),
    RecordField("o", .nullable(.record([RecordField("a", .int)]))), RecordField("s", .string),
    RecordField("list", .nullable(.list(.int))),
  ])

  private static func plan(_ text: String, _ type: CELType = .dyn) throws -> Plan {
    var environment = ExpressionEnvironment(variables: [Variable("value", type)])
    environment.unwrapsOptionals = true
    return try CELExpression(text).plan(in: environment)
  }

  private static func result(_ text: String, _ value: Value = .null) throws -> Value {
    let activation = Activation(slotCount: 1)
    activation.set(value, at: 0)
    return try plan(text).evaluate(activation)
  }

  private static let sample: Value = [
    "a": 1, "o": ["b": 2], "none": .null, "list": [["a": 1], ["b": 2]], "text": "k=v",
  ]

  static let results: [(String, Value)] = [
    ("value.?a", 1), ("value.?zz", .null), ("value.?none", .null), ("value[?'a']", 1), ("value.list[?7]", .null),
    ("{'x': value.?a, 'y': value.?zz, 'o': value.?o}", ["x": 1, "y": .null, "o": ["b": 2]]),
    ("{'x': {'y': value.?a}, 'z': [value.?zz]}", ["x": ["y": 1], "z": [.null]]),
    ("{?'x': value.?zz, 'y': 1}", ["y": 1]), ("[?value.?zz, value.?a]", [1]),
    ("value.list.map(x, x.?a)", [1, .null]), ("value.list.map(x, {'a': x.?a})", [["a": 1], ["a": .null]]),
    ("value.list.transformMap(i, x, x.?b)", [0: .null, 1: 2]), ("value.list.first()", ["a": 1]),
    ("[].first()", .null), ("tryInt('7')", 7), ("tryInt('x')", .null), ("regex.extract(value.text, '=(.)')", "v"),
    ("regex.extract(value.text, ';(.)')", .null), ("optional.of(optional.of(1))", 1),
    ("optional.of(optional.none())", .null), ("optional.of(null)", .null), ("true ? value.?a : optional.none()", 1),
    ("cel.bind(x, value.?a, x)", 1), ("cel.bind(x, [value.?a], x[0])", 1), ("value.?a.optMap(x, x + 1)", 2),
    ("value.?a.optMap(x, {'y': value.?zz})", ["y": .null]), ("value.?zz.or(value.?a)", 1),
    ("[value.?a].map(x, x)", [1]), ("value.list.fold(acc, x, [], acc + [x.?a])", [1, .null]),
    ("value.list.fold(acc, x, null, x.?b)", 2), ("[value.?a] + [value.?zz]", [1, .null]),
    ("{'x': value.?a}.merge({'y': value.?zz})", ["x": 1, "y": .null]), ("{'x': value.?o}.x.b", 2),
    ("{'x': value.?a}.x.orValue(5)", 1), ("[value.?a, value.?zz].unwrapOpt()", [1]), ("value.?a.value()", 1),
    ("optional.of([value.?zz]).value()", [.null]), ("value.list.sortBy(x, x.?a.orValue(9)).first()", ["a": 1]),
  ]

  @Test("An optional in a result is its value, or null", arguments: results)
  func unwrappedResult(text: String, expected: Value) throws {
    let actual = try Self.result(text, Self.sample)
    #expect(actual == expected)
  }

  static let types: [(String, CELType)] = [
    ("value.?x", .nullable(.double)), ("{'x': value.?x}", .record([RecordField("x", .nullable(.double))])),
    ("[value.?s]", .list(.nullable(.string))), ("tryInt(value.s)", .nullable(.int)), ("optional.none()", .dyn),
    ("value.?n", .nullable(.int)), ("value.?x.orValue(null)", .nullable(.double)),
    ("value.?s.optMap(s, {'k': s}).orValue(null)", .nullable(.record([RecordField("k", .string)]))),
    ("value.?x.orValue(0)", .dyn), ("value.?x.orValue(0.0)", .double), ("tryDouble(value.s).orValue(0)", .dyn),
    ("value.o.?a.orValue(0)", .int), ("value.?o.?a.orValue(0)", .int), ("value.list[?0].orValue(0)", .int),
    ("value.?list[?0].orValue(0)", .int), ("value.s", .string),
  ]

  @Test("The type of such a result allows null", arguments: types)
  func resultType(text: String, expected: CELType) throws {
    let type = try Self.plan(text, Self.record).resultType
    #expect(type == expected)
  }

  /// Otherwise the result of each evaluation would be searched.
  @Test(
    "A result without optionals is returned unchanged",
    arguments: [
      "value", "value.a", "value[0]", "value.?x.orValue(0)", "value.list.first().orValue(null)", "[1, ?value.?x]",
      "{?'x': value.?x}", "value.list.map(x, x.?a.orValue(0))", "has(value.x) ? value.?x.value() : null",
      "value.list.fold(acc, x, 0, acc + x.?n.orValue(0))", "value.?a.optMap(x, x + 1).orValue(0)",
      "{'x': value.a, 'y': value.?b.hasValue()}", "regex.groups(value, '(?P<k>.)').optMap(g, g.k).orValue('')",
    ])
  func plainResult(text: String) throws {
    let root = try Self.plan(text).body.root
    #expect(!(root is OptionalResultNode))
    if let record = root as? RecordNode { #expect(!record.values.contains { $0 is OptionalResultNode }) }
  }

  @Test("A result in an expression of a host that knows optionals keeps them")
  func optionalsOfHosts() throws {
    let value = try evaluate("{'x': optional.of(1)}")
    #expect(value == ["x": .optional(1)])
    #expect(JSONWriter.compact(value) == #"{"x":1}"#)
    #expect(JSONWriter.compact(.optional(nil)) == "null")
    #expect(JSONWriter.pretty([.optional(["a": .optional(nil)])]) == "[\n  { \"a\": null }\n]")
    #expect(String(decoding: try JSONWriter.canonical([.optional([2])]), as: UTF8.self) == "[[2]]")
  }

  @Test(
    "Optional access to null gives an optional without a value",
    arguments: [
      "value.?a", "value[?'a']", "value[?0]", "optional.of(value).?a", "optional.of(value)[?0]", "null.?a",
      "{'a': value}.?a.?b", "{'a': value}.?a.?b.?c", "value.?a.?b[?0]",
    ])
  func accessToNull(text: String) throws {
    let value = try evaluate("!(\(text)).hasValue()", ["value": .null])
    #expect(value == true)
  }

  @Test(
    "Plain access to null fails, as in CEL, also in an optional",
    arguments: ["value.a", "has(value.a)", "optional.of(value).a", "{'a': value}.?a.b", "value[0]"])
  func plainAccessToNull(text: String) {
    #expect(failure(text, ["value": .null])?.code == .noSuchOverload)
  }

  static let shared: Value = {
    var value: Value = [1]
    for _ in 0..<60 { value = [value, value] }
    return value
  }()

  @Test("A result of many shared parts exceeds the budget")
  func manyParts() throws {
    let activation = Activation(slotCount: 1)
    activation.set(Self.shared, at: 0)
    let plan = try Self.plan("[value, value.map(x, x.?a)].map(x, x)")
    #expect(throws: EvaluationError.self) { try plan.evaluate(activation) }
  }
}
