import StreamCore
import Testing

@testable import CEL

@Suite struct Language {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let value: Value
    init(_ text: String, _ value: Value) { (self.text, self.value) = (text, value) }
    var testDescription: String { text }
  }

  static let values: [Case] = [
    // Precedence
    Case("1 + 2 * 3", 7), Case("(1 + 2) * 3", 9), Case("10 - 2 - 3", 5), Case("-2 * -3", 6),
    Case("true || false && false", true), Case("1 < 2 == true", true), Case("!false && true", true),
    Case("true ? 1 : false ? 2 : 3", 1), Case("1 in [1] && 2 in [2]", true), Case("--1", 1),
    // Literals
    Case("0x1F", 31), Case("-0x10", -16), Case("7u", .uint(7)), Case(".5", 0.5), Case("1e3", 1000.0),
    Case("-9223372036854775808", .int(.min)), Case(#"'a\n\x41\u00e9\U0001F600\101'"#, "a\nAé😀A"),
    Case(#"r'\n'"#, #"\n"#), Case("'''a'b'''", "a'b"), Case(#"b'\xff\377'"#, .bytes([255, 255])),
    Case("b'ÿ'", .bytes([0xC3, 0xBF])), Case("null", .null), Case("[1, 2,]", [1, 2]), Case("{'a-b': 1}.`a-b`", 1),
    Case("1 // a comment\n + 1", 2),
    // Mixed numbers
    Case("1 + 0.5", 1.5), Case("7 / 2", 3), Case("7 / 2.0", 3.5), Case("5.5 % 2", 1.5), Case("1u + 1", 2.0),
    Case("1 < 1.5", true), Case("1 == 1.0", true),
    // Macros
    Case("[1, 2, 3].map(x, x * 2)", [2, 4, 6]), Case("[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]),
    Case("[1, 2, 3].filter(x, x != 2)", [1, 3]), Case("[1, 2].all(x, x > 0)", true),
    Case("[1, 0].exists(x, 1 / x == 1)", true), Case("[0, 1].exists(x, 1 / x == 1)", true),
    Case("[1, 2, 2].exists_one(x, x == 2)", false), Case("has({'a': 1}.a) && !has({'a': 1}.b)", true),
    Case("{'a': 1, 'b': 2}.map(k, k + '!')", ["a!", "b!"]),
    Case("[[1], [2, 3]].map(l, l.map(x, x + size(l)))", [[2], [4, 5]]),
    // Errors that do not count
    Case("false && 1 / 0 > 1", false), Case("1 / 0 > 1 || true", true), Case("true ? 1 : 1 / 0", 1),
    // Functions
    Case("size('añb') + size([1, 2]) + size({'a': 1})", 6), Case("'hello'.contains('ell')", true),
    Case("string(1.0) + string(0.25) + string(true)", "10.25true"), Case("int('42') + int(3.9)", 45),
    Case("type(1) == int", true), Case("'a,b,c'.split(',')", ["a", "b", "c"]), Case("['a', 'b'].join('-')", "a-b"),
    Case("'hello'.replace('l', 'L', 1)", "heLlo"), Case("'  x '.trim() + 'abc'.substring(1, 2)", "xb"),
    Case("'hello'.indexOf('l') + 'hello'.lastIndexOf('l')", 5), Case("'Añ'.lowerAscii().reverse()", "ña"),
    Case("timestamp('2024-02-29T12:00:00+02:00').getHours()", 10),
    Case("string(timestamp('2024-02-28T23:00:00Z') + duration('25h'))", "2024-03-01T00:00:00Z"),
    Case("timestamp('2040-07-01T00:00:00Z').getHours('Europe/Berlin')", 2),
    Case("string(duration('1h30m1.5s'))", "5401.5s"),
    Case("string(duration('1.123456789123456789s'))", "1.123456789s"),
    Case("string(duration('-1.5h0.25ns'))", "-5400s"),
    Case("timestamp('2040-01-01T00:00:00Z').getHours('Australia/Sydney')", 11),
    Case("math.greatest(1, 2.5, 2u)", 2.5), Case("math.least([3, 1, 2])", 1), Case("math.abs(-3) + math.sign(-2)", 2),
    Case("math.round(-2.5)", -3.0), Case("math.ceil(1.2) + math.floor(-1.2) + math.trunc(1.9)", 1.0),
    Case("math.sqrt(16)", 4.0), Case("math.bitAnd(6, 3) + math.bitShiftLeft(1, 4)", 18),
    Case("math.isNaN(0.0 / 0.0)", true),
    // Regular expressions
    Case(#"'2024-01-05'.matches(r'^\d{4}-\d{2}-\d{2}$')"#, true), Case("'ABC'.matches('(?i)b')", true),
    Case("'abc'.matches('^b')", false), Case(#"'Ωx'.matches(r'\p{Greek}[[:alpha:]]')"#, true),
    Case(#"'a b'.matches(r'\bb\b')"#, true), Case("'aaa'.matches('^a{2}$')", false),
    Case("'a\\nb'.matches('a.b')", false),
    Case("'a\\nb'.matches('(?s)a.b')", true), Case("'a{'.matches('^a{$')", true), Case("''.matches('^$')", true),
  ]

  @Test("An expression has the value", arguments: values)
  func expressionValue(example: Case) throws {
    let value = try evaluate(example.text)
    #expect(value == example.value)
  }

  @Test("An int is a double where a double is declared")
  func intDoubleWhere() throws {
    let value = try evaluate("value / 2", ["value": 3], types: ["value": .double])
    #expect(value == 1.5)
    let rounded = try evaluate("math.round(value)", ["value": 3])
    #expect(rounded == 3.0)
    let field = try evaluate("r.x / 2", ["r": ["x": 3]], types: ["r": .record([RecordField("x", .double)])])
    #expect(field == 1.5)
  }

  @Test("A plan knows the names it uses and its type")
  func planKnowsNames() throws {
    let environment = ExpressionEnvironment(variables: [Variable("value", .double), Variable("acc", .double)])
    let plan = try CELExpression("value * 2.0").plan(in: environment)
    #expect(plan.uses("value"))
    #expect(!plan.uses("acc"))
    #expect(plan.resultType == .double)
  }

  @Test(
    "An error at run time has a code and a place",
    arguments: [
      ("1 / 0", DiagnosticCode.divisionByZero, 0..<5), ("1 + 9223372036854775807", .overflow, 0..<23),
      ("{'a': 1}['b']", .noSuchKey, 0..<13), ("x + [1][3]", .indexOutOfBounds, 4..<10),
      ("int('a')", .invalidConversion, 0..<8), ("int(1e30)", .overflow, 0..<9), ("x + 'a'", .noSuchOverload, 0..<7),
    ])
  func errorRunTime(text: String, code: DiagnosticCode, range: Range<Int>) {
    let found = failure(text, ["x": 1])
    #expect(found?.code == code)
    #expect(found?.range == range)
  }

  @Test(
    "An error has a code and a place",
    arguments: [
      ("1 +", DiagnosticCode.expressionSyntax, 3..<3), ("(1", .expressionSyntax, 2..<2),
      ("1 = 2", .expressionSyntax, 2..<3), ("'abc", .expressionSyntax, 0..<4), ("vlaue + 1", .unknownName, 0..<5),
      ("1 + value.mga", .unknownField, 4..<13), ("value.mag > 'five'", .typeMismatch, 0..<18),
      ("sise('a')", .unknownFunction, 0..<9), ("'a'.startsWith(1)", .noMatchingOverload, 0..<17),
      ("99999999999999999999", .invalidLiteral, 0..<20), (#"'\q'"#, .invalidLiteral, 1..<3),
      ("[1].map(1, 2)", .invalidMacro, 8..<9), ("has(value)", .invalidMacro, 4..<9),
      ("'a'.matches('(')", .invalidLiteral, 13..<14), ("A{b: 1}", .expressionSyntax, 0..<7),
      ("value.?", .expressionSyntax, 7..<7), ("if + 1", .expressionSyntax, 0..<2),
    ])
  func errorCodePlace(text: String, code: DiagnosticCode, range: Range<Int>) {
    let record = CELType.record([RecordField("mag", .double), RecordField("place", .string)])
    let found = failure(text, ["value": ["mag": 1.0, "place": ""]], types: ["value": record])
    #expect(found?.code == code)
    #expect(found?.range == range)
  }

  /// A snapshot keeps no sign of a NaN, so what is said of one must not depend on it.
  @Test("A NaN is shown without a sign")
  func nanShownWithout() {
    let messages = ["int(0.0 / 0.0)", "int(-(0.0 / 0.0))", "int(d)", "int(-d)"].map {
      failure($0, ["d": .double(.nan)])?.message
    }
    #expect(messages == Array(repeating: "NaN does not fit into an int", count: 4))
  }

  @Test("Misspelled names get suggestions")
  func misspelledNamesGet() {
    let name = failure("vlaue", ["value": 1])
    #expect(name?.help == "did you mean 'value'?")
    let function = failure("'a'.startWith('b')")
    #expect(function?.help == "did you mean 'startsWith'?")
    let double = failure("value.mag > 'five'", ["value": .null], types: ["value": .map(.string, .double)])
    #expect(double?.message == "'value.mag' is a double here; '>' needs two values of the same type")
    let maps = failure("counts + {'a': 1}", ["counts": .null], types: ["counts": .map(.string, .dyn)])
    #expect(maps?.message == "'+' cannot be used with two maps")
    #expect(maps?.help == "write counts.merge({'a': 1})")
    let string = failure("mag > 5.0", ["mag": "x"], types: ["mag": .string])
    #expect(string?.message == "'mag' is a string here; '>' needs two numbers")
    #expect(string?.help == "write double(mag) > 5.0")
  }

  @Test("All errors are collected")
  func allErrorsCollected() {
    do {
      _ = try CELExpression("a + b + c").plan(in: ExpressionEnvironment())
      Issue.record("there are no such names")
    } catch {
      #expect(error.all.count == 3)
    }
  }

  @Test("Strict numbers do not mix", arguments: ["1 + 1.0", "1 < 1.0", "1u + 1", "1 == 1.0"])
  func strictNumbersDo(text: String) {
    let found = failure(text, numbers: .strict)
    #expect(found?.code == .typeMismatch)
  }

  @Test(
    "A type's description can be read again",
    arguments: ["int", "list(string)", "map(string, double)", "{a: int, b: list(dyn)}", "optional_type(int)"])
  func typesDescriptionCan(text: String) {
    let type = CELType(parsing: text)
    #expect(type?.description == text)
  }

  @Test("Every function and every macro of the reference has an example")
  func everyFunctionEvery() {
    for entry in FunctionReference.all {
      #expect(!entry.examples.isEmpty, "\(entry.name)")
      for example in entry.examples { #expect(example.expression.contains(entry.symbol), "\(entry.name)") }
    }
    let names = FunctionReference.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("Every function has a summary and overloads")
  func everyFunctionSummary() {
    for entry in FunctionCatalogue.entries() {
      #expect(!entry.summary.isEmpty)
      #expect(!entry.signatures.isEmpty)
    }
  }
}

extension FunctionReference {
  /// The part of the name that every call has.
  fileprivate var symbol: String { name.split(separator: " ").first.map(String.init) ?? name }
}
