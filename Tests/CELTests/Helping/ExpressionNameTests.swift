import Testing

@testable import CEL

/// The variables that an expression names.
@Suite struct ExpressionNameTests {
  /// Expressions, and the variables `a` and `b` in them, by their offsets.
  static let named: [(String, [String])] = [
    ("a + b", ["a0", "b4"]), ("b.a + a.b", ["b0", "a6"]), ("a(b)", ["b2"]), ("x.a(b)", ["b4"]), ("x.?a", []),
    ("x ? a : b", ["a4", "b8"]), ("{a: b}", ["a1", "b4"]), ("'a' + a", ["a6"]), ("x[a]", ["a2"]),
    ("[1].map(a, a + b)", ["b15"]), ("a.map(a, a) + a", ["a0", "a14"]), ("[1].all(i, a, i > a) || a", ["a24"]),
    ("a.map(x, b.map(a, a)) + a", ["a0", "b9", "a24"]), ("cel.bind(a, b, a) + a", ["b12", "a20"]),
    ("a + ", ["a0"]), ("[1].map(a, a +", []), ("a // a", ["a0"]), ("", []),
  ]

  @Test("The names of variables are found, and those of fields, functions and loops are not", arguments: named)
  func names(_ expression: String, _ expected: [String]) {
    let environment = ExpressionEnvironment(variables: [Variable("a"), Variable("b")])
    let names = ExpressionHelp(CELExpression(expression), in: environment).names
    #expect(names.map { "\($0.text)\($0.range.lowerBound)" } == expected)
  }
}
