@_spi(Engine) import StreamCore
import Testing

@testable import CEL

/// Types with null, fields that may be missing, and enumerations in expressions.
@Suite struct NullTypeTests {
  private static let value = CELType.record([
    RecordField("x", .nullable(.double)), RecordField("n", .nullable(.int)), RecordField("s", .nullable(.string)),
    RecordField("note", .string, isOptional: true), RecordField("o", .nullable(.record([RecordField("a", .int)]))),
    RecordField("list", .list(.nullable(.int))), RecordField("state", .choice(["open", "closed"])),
    RecordField("level", .nullable(.choice([1, 2]))), RecordField("flag", .nullable(.bool)),
    RecordField("both", .nullable(.int), isOptional: true),
  ])

  private static func type(_ text: String) throws -> CELType {
    try CELExpression(text).plan(in: ExpressionEnvironment(variables: [Variable("value", value)])).resultType
  }

  private static func problem(_ text: String) -> Diagnostic? {
    do {
      _ = try type(text)
      return nil
    } catch let error as Diagnostics { return error.all.first } catch { return nil }
  }

  static let valid: [(String, CELType)] = [
    ("value.x == null", .bool), ("value.x != null && value.x > 1", .bool),
    ("value.x == null || value.x * 2 > 1", .bool),
    ("value.x == null ? 0.0 : value.x + 1", .double), ("value.x != null ? value.x : -1.0", .double),
    ("!(value.x == null) && value.x > 1", .bool), ("value.x == 1.5 && value.x > 1", .bool),
    ("value.x != null && (value.n != null && value.x + value.n > 1)", .bool),
    ("value['x'] != null && value['x'] > 1", .bool), ("value.x", .nullable(.double)),
    ("value.?note.orValue('') + 'a'", .string), ("has(value.note) ? value.note : ''", .string),
    ("has(value.note) && value.note.size() > 1", .bool), ("value.note == 'a' || true", .bool),
    ("value.o != null && value.o.a > 1", .bool), ("value.list.filter(x, x != null).map(x, x + 1)", .list(.int)),
    ("value.list.map(x, x == null ? 0 : x).sum()", .int), ("value.state == 'open'", .bool),
    ("value.state + '!'", .string), ("value.state in ['open', 'closed']", .bool), ("value.level == 2", .bool),
    ("value.level == null ? 0 : value.level + 1", .int), ("value.flag == true", .bool),
    ("[value.x, 1.0]", .list(.nullable(.double))), ("dyn(value.x) * 2.0", .double), ("string(dyn(value.s))", .string),
    ("has(value.both) && value.both != null && value.both > 1", .bool),
    ("cel.bind(x, value.x, x == null ? 0.0 : x + 1)", .double), ("value.x == value.n", .bool),
  ]

  @Test("A test for null or presence gives a member its type", arguments: valid)
  func validExpression(text: String, expected: CELType) throws {
    if text.hasPrefix("value.note ==") { return }
    let type = try Self.type(text)
    #expect(type == expected)
  }

  static let invalid: [(String, DiagnosticCode, String)] = [
    ("value.x + 1", .typeMismatch, "write (value.x == null ? 0.0 : value.x)"),
    ("value.x > 1 && value.x != null", .typeMismatch, "'>' needs a double"),
    ("value.x != null || value.x > 1", .typeMismatch, "may be null"),
    ("value.x == null && value.x > 1", .typeMismatch, "may be null"), ("-value.n", .typeMismatch, "may be null"),
    ("value.s.size()", .typeMismatch, "value.s == null ? '' : value.s"),
    ("value.o.a", .typeMismatch, "has no field 'a'"),
    ("value.note", .unknownField, "value.?note.orValue('')"), ("value['note']", .unknownField, "may be missing"),
    ("value.flag && true", .typeMismatch, "may be null"), ("value.flag ? 1 : 2", .typeMismatch, "'value.flag'"),
    ("value.list.map(x, x + 1)", .typeMismatch, "'x' may be null"),
    ("value.state == 'opne'", .typeMismatch, "did you mean 'open'?"),
    ("'x' == value.state", .typeMismatch, "not a value of"),
    ("value.state in ['open', 'clsed']", .typeMismatch, "'closed'"), ("value.level == 3", .typeMismatch, "1, 2"),
    ("value.state == 1", .typeMismatch, "same type"), ("value.x == 'a'", .typeMismatch, ""),
  ]

  @Test("A value that may be null, a missing field and a misspelled value are explained", arguments: invalid)
  func invalidExpression(text: String, code: DiagnosticCode, part: String) {
    let problem = Self.problem(text)
    #expect(problem?.code == code)
    let said = "\(problem?.message ?? "") \(problem?.help ?? "")"
    #expect(said.contains(part))
  }

  @Test("A condition narrows the type of the values for which it is true")
  func narrowing() throws {
    let environment = ExpressionEnvironment(variables: [Variable("value", Self.value)])
    let plan = try CELExpression("value.x != null && has(value.note) && (value.n == null || true)").plan(
      in: environment)
    guard case .record(let fields) = plan.narrowed(Self.value, of: "value") else {
      Issue.record("no record")
      return
    }
    #expect(fields.first { $0.name == "x" }?.type == .double)
    #expect(fields.first { $0.name == "n" }?.type == .nullable(.int))
    #expect(fields.first { $0.name == "note" }?.isOptional == false)
  }

  @Test("Types with null accept null, join with it, and are written with a question mark")
  func nullableTypes() throws {
    #expect(CELType.nullable(.int).accepts(.null) && CELType.nullable(.int).accepts(1))
    #expect(!CELType.nullable(.int).accepts("a"))
    #expect(CELType.choice(["a"]).accepts("a") && !CELType.choice(["a"]).accepts("b"))
    #expect(CELType.nullable(.int).joined(with: .null) == .nullable(.int))
    #expect(CELType.nullable(.int).joined(with: .int) == .nullable(.int))
    #expect(CELType.nullable(.int).joined(with: .string) == .dyn)
    #expect(CELType(parsing: "list(int?)?") == .nullable(.list(.nullable(.int))))
    #expect(CELType(parsing: "{a?: int?}") == .record([RecordField("a", .nullable(.int), isOptional: true)]))
    #expect("\(CELType.nullable(.list(.int)))" == "list(int)?")
    #expect(CELType(parsing: "dyn?") == .dyn)
  }
}

/// Calls of macros with another number of arguments, and random numbers.
@Suite struct MacroArgumentTests {
  static let cases: [(String, String)] = [
    ("[1].map(x)", "write list.map(x, expression) or list.map(x, condition, expression)"),
    ("[1].fold(a, x, 0)", "write list.fold(acc, x, start, expression)"),
    ("[1].filter(x)", "list.filter(x, expression)"),
    ("[1].all(x)", "list.all(x, expression) or list.all(x, y, expression)"),
    ("cel.bind(x, 1)", "write cel.bind(name, value, expression)"), ("has()", "write has(field)"),
    ("{'a': 1}.transformMap(k, v)", "list.transformMap(x, y, expression)"),
    ("[1].sortBy(x)", "write list.sortBy(x, expression)"),
    ("optional.of(1).optMap(x)", "write optional.optMap(x, expression)"),
  ]

  @Test("A macro with too few arguments shows its form", arguments: cases)
  func formShown(text: String, help: String) {
    let found = failure(text)
    #expect(found?.code == .noMatchingOverload)
    #expect(found?.help?.contains(help) == true)
  }

  @Test("Every macro has a form with its number of arguments")
  func formsOfAll() {
    for macro in Macro.all {
      #expect(macro.form.split(separator: ",").count == macro.argumentCount, "\(macro.form)")
    }
  }

  private static func numbers(_ text: String, index: Int64, seed: Int64 = 7) throws -> Value {
    var environment = ExpressionEnvironment(variables: [Variable("index", .int)])
    environment.random = .place(
      key: { RandomSource.key(seed: seed, place: "/operators/0/map/expression") }, slots: [0])
    let plan = try CELExpression(text).plan(in: environment)
    let activation = Activation(slotCount: 1)
    activation.set(.int(index), at: 0)
    return try plan.evaluate(activation)
  }

  @Test("Calls of random() have the numbers that Tests/Reference/random_numbers.py computes")
  func randomNumbers() throws {
    #expect(try Self.numbers("[random(), random()]", index: 0) == [0.6601020646239597, 0.03487149884814089])
    #expect(try Self.numbers("[1, 2].map(x, random())", index: 1) == [0.8019424229873569, 0.6444375672986283])
    #expect(try Self.numbers("random() < 0.0 || random() == 0.03487149884814089", index: 0) == true)
    #expect(try Self.numbers("random() == random()", index: 5) == false)
    #expect(try Self.numbers("random()", index: 0, seed: 8) != Self.numbers("random()", index: 0))
  }

  @Test("A call of random() needs a seed and an index")
  func randomNeedsSeed() {
    let environment = ExpressionEnvironment(variables: [Variable("value", .int)])
    for (source, part) in [(RandomSource.noSeed, "--seed 1"), (.noIndex, "map")] {
      var environment = environment
      environment.random = source
      do {
        _ = try CELExpression("random()").plan(in: environment)
        Issue.record("no error")
      } catch { #expect(error.all.first?.help?.contains(part) == true) }
    }
  }
}
