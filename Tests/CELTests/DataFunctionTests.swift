@_spi(Engine) import StreamCore
import Testing

@testable import CEL

/// The functions for data: sums and groups of lists, changes of maps, powers, dates in patterns, padding.
@Suite struct DataFunctions {
  typealias Case = Language.Case

  static let lists: [Case] = [
    Case("[].sum()", 0), Case("[1, 2.5].sum()", 3.5), Case("[1u, 2u].sum()", .uint(3)),
    Case("[duration('1h'), duration('30m')].sum() == duration('90m')", true),
    Case("[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3", true), Case("['b', 'a'].min()", "a"),
    Case("[1, 2.5].max()", 2.5), Case("[timestamp(5), timestamp(3)].min() == timestamp(3)", true),
    Case("[2, 1].min() + 1", 2), Case("[1, 2].average()", 1.5), Case("[4u].average()", 4.0),
    Case("[7].percentile(99)", 7.0), Case("[4, 1, 3, 2].percentile(0)", 1.0), Case("[1, 2].percentile(100)", 2.0),
    Case("[4, 1, 3, 2].percentile(25)", 1.75), Case("math.isNaN([1.0, 0.0 / 0.0].percentile(50))", true),
    Case("[].isSorted() && [1, 1, 2.5].isSorted() && !['b', 'a'].isSorted()", true),
    Case("[0.0 / 0.0, 1.0].isSorted() && ![1.0, 0.0 / 0.0].isSorted()", true),
    Case("[1, 'a', [2]].indexOf([2])", 2), Case("[1, 2, 1].lastIndexOf(1.0)", 2), Case("[1].indexOf(2)", -1),
    Case("[0.0 / 0.0].indexOf(0.0 / 0.0)", -1),
    Case("[1, 2, 3].zip(['a', 'b'])", [[1, "a"], [2, "b"]]), Case("[].zip([1])", []),
    Case("[3, 1, 2].groupBy(x, x > 1)", [true: [3, 2], false: [1]]), Case("[].groupBy(x, x)", [:]),
    Case("[3, 1, 2].groupBy(x, 'k' + string(x % 2)).map(k, k)", ["k1", "k0"]),
    Case("[1, 2, 3].fold(acc, x, 10, acc - x)", 4), Case("[1, 2.5].fold(acc, x, 0, acc + x)", 3.5),
    Case("[1, 2].fold(acc, x, [], acc + [size(acc)])", [0, 1]), Case("[].fold(acc, x, 7, acc + 1)", 7),
    Case("{'a': 1, 'b': 2}.fold(acc, k, '', acc + k)", "ab"),
    Case("[1, 2].fold(acc, x, null, acc == null ? x : acc * x)", 2),
    Case("[[1, 2], [3]].fold(n, l, 0, l.fold(n, x, n, n + x))", 6),
    Case("[1, 2].fold(a, x, {'n': 0, 's': 0}, {'n': a.n + 1, 's': a.s + x * 0.5})", ["n": 2, "s": 1.5]),
    Case("[1, 2, 3].fold(acc, x, 0, x / 2.0 + (acc + 1))", 6.0),
    Case("[[2, 'a'], [1, 'b'], [1, 'a']].sortBy(p, [p[0], p[1]])", [[1, "a"], [1, "b"], [2, "a"]]),
    Case("[1, 2, 3, 4].sortBy(x, [x % 2, -x])", [4, 2, 3, 1]), Case("[2, 1].sortBy(x, [])", [2, 1]),
    Case("['b', 'a'].sortBy(x, x == 'a' ? ['k'] : ['k', 'z'])", ["a", "b"]),
  ]

  static let maps: [Case] = [
    Case("{'a': 1, 'b': 2}.merge({'c': 3, 'a': 'x'})", ["a": "x", "b": 2, "c": 3]), Case("{}.merge({})", [:]),
    Case("{1: 'a'}.merge({1.0 == 1 ? 2 : 3: 'b'}).map(k, k)", [1, 2]),
    Case("{'a': 1, 'b': 2}.without('b').map(k, k)", ["a"]), Case("{'a': 1}.without('x')", ["a": 1]),
    Case("{'a': 1, 'b': 2, 'c': 3}.without(['c', 'a'])", ["b": 2]), Case("{'a': 1}.without('a')", [:]),
    Case("{'a': 1, 'b': 2}.rename({'a': 'b', 'b': 'a'}).map(k, k)", ["b", "a"]),
    Case("{'a': 1, 'b': 2}.rename({'x': 'y'}).keys()", ["a", "b"]), Case("{2: 'a'}.values()", ["a"]),
    Case("{'b': 1, 'a': 2}.keys() + ['c']", ["b", "a", "c"]), Case("{'a': 1}.merge({'b': 2.5}).b * 2", 5.0),
    // Functions of the same keys share remembered shapes, and do not mix them up.
    Case(
      "[{'a': 1}.merge({'b': 2}), {'a': 1, 'b': 2}.without('b'), {'a': 1}.merge({'b': 3})].map(m, m.keys())",
      [["a", "b"], ["a"], ["a", "b"]]),
  ]

  static let times: [Case] = [
    Case("timestamp.fromMillis(-1) == timestamp('1969-12-31T23:59:59.999Z')", true),
    Case("timestamp.fromMillis(1500.25) == timestamp('1970-01-01T00:00:01.50025Z')", true),
    Case("timestamp('1969-12-31T23:59:59.9995Z').millis()", -1), Case("duration('-1500us').millis()", -1),
    Case("duration('1d') == duration('24h') && duration('0.5d') == duration('12h')", true),
    Case("string(duration('1h') * 2.5)", "9000s"), Case("string(3 * duration('10s') / 4)", "7.5s"),
    Case("string(duration('1s') / 3)", "0.333333333s"), Case("duration('90s') / duration('1m')", 1.5),
    Case("string(duration('-1s') / 3u)", "-0.333333333s"), Case("string(dyn(duration('1s')) * dyn(2))", "2s"),
    Case("timestamp(0).format(\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\")", "1970-01-01T00:00:00.000Z"),
    Case("timestamp(0).format('yy M d E EEEE MMM D h a H', '-01:30')", "69 12 31 Wed Wednesday Dec 365 10 PM 22"),
    Case("timestamp(0).format(\"'o''clock' ''y''\", 'UTC')", "o'clock '1970'"),
    Case(
      "timestamp('2024-07-01T00:00:00Z').format('Z ZZZZZ X XX x', 'Asia/Kolkata')", "+0530 +05:30 +0530 +0530 +0530"),
    Case("timestamp(0).format('X x ZZZZZ')", "Z +00 Z"),
    Case("parseTime('10/Oct/2000:13:55:36 -0700', 'dd/MMM/yyyy:HH:mm:ss Z') == timestamp(971211336)", true),
    Case("parseTime('20240229', 'yyyyMMdd') == timestamp('2024-02-29T00:00:00Z')", true),
    Case("parseTime('1.2.69 3 PM', 'd.M.yy h a') == timestamp('1969-02-01T15:00:00Z')", true),
    Case("parseTime('2024 060', 'yyyy DDD') == timestamp('2024-02-29T00:00:00Z')", true),
    Case("parseTime('mon 1 JULY 2024', 'E d MMMM y') == timestamp('2024-07-01T00:00:00Z')", true),
    Case("parseTime('12:00:01.5+02', 'HH:mm:ss.SX') == timestamp('1970-01-01T10:00:01.5Z')", true),
    // The clocks go forward, and back.
    Case("string(parseTime('2024-03-31 02:30', 'yyyy-MM-dd HH:mm', 'Europe/Berlin'))", "2024-03-31T01:30:00Z"),
    Case("string(parseTime('2024-10-27 02:30', 'yyyy-MM-dd HH:mm', 'Europe/Berlin'))", "2024-10-27T00:30:00Z"),
    Case("string(parseTime('2024-11-03 01:30', 'yyyy-MM-dd HH:mm', 'America/New_York'))", "2024-11-03T05:30:00Z"),
    Case("string(parseTime('2024-07-01 12:00', 'yyyy-MM-dd ' + 'HH:mm', '+02:00'))", "2024-07-01T10:00:00Z"),
  ]

  static let texts: [Case] = [
    Case("'%5d|%-5d|%05d'.format([42, 42, -42])", "   42|42   |-0042"),
    Case("'%5s|%-5s|%1s'.format(['é', 'ab', 'long'])", "    é|ab   |long"),
    Case("'%08.3f|%10.1e'.format([-1.5, 12345.0])", "-001.500|   1.2e+04"),
    Case("'%05f'.format([1.0 / 0.0])", "Infinity"), Case("'%06x|%8b'.format([255, 5])", "0000ff|     101"),
    Case("'%3d%%'.format([7])", "  7%"), Case("'%5s'.format([null])", " null"),
    Case("'e\u{301}'.normalize() == '\u{E9}' && 'abc'.normalize() == 'abc'", true),
    Case("size('q\u{307}\u{323}'.normalize())", 3), Case("'q\u{307}\u{323}'.normalize() == 'q\u{323}\u{307}'", true),
    Case("regex.groups('k=v', r'(?P<key>\\w)=(?<value>\\w)').value()", ["key": "k", "value": "v"]),
    Case("regex.groups('a', '(?P<x>a)(?P<y>b)?').value()", ["x": "a"]),
    Case("regex.groups('a', '(?P<x>' + 'z)').hasValue()", false),
    Case("tryInt('7').value() == 7 && !tryInt('x').hasValue() && !tryInt([]).hasValue()", true),
    Case("tryInt(1e300).orValue(-1)", -1), Case("tryDouble('1e3').orValue(0.0)", 1000.0),
    Case("tryDouble(null).hasValue()", false),
    Case("math.pow(2, 0.5) == math.sqrt(2) && math.exp(0) == 1.0 && math.log10(100) == 2.0", true),
    Case("math.isNaN(math.log(-1)) && math.isInf(math.log(0))", true), Case("round(math.sin(math.pi() / 2), 9)", 1.0),
    Case("math.atan2(1.0, 1) == atan2(1, 1)", true),
  ]

  @Test("A function for data gives the value", arguments: lists + maps + times + texts)
  func dataGivesValue(example: Case) throws {
    let value = try evaluate(example.text)
    #expect(value == example.value)
  }

  static let failures: [(text: String, code: DiagnosticCode, part: String)] = [
    ("[].min()", .indexOutOfBounds, "write size(list) > 0 ? list.min() : other"),
    ("[].average()", .indexOutOfBounds, "list.average()"), ("[].percentile(5)", .indexOutOfBounds, "percentile(…)"),
    ("[1].percentile(101)", .indexOutOfBounds, "0 to 100"), ("[1, 'a'].sum()", .noSuchOverload, "not 'a' in it"),
    ("[1, 'a'].max()", .noSuchOverload, "(int, string)"), ("[[1]].min()", .noSuchOverload, "'min'"),
    ("[9223372036854775807, 1].sum()", .overflow, "does not fit"), ("['a'].average()", .noMatchingOverload, ""),
    ("[1.5].groupBy(x, x)", .noSuchOverload, "cannot be a key"), ("[1].fold(x, x, 0, x)", .invalidMacro, "same name"),
    ("[1].fold(acc, x, 0, acc + 'a')", .typeMismatch, "'acc' is an int here"),
    ("[1, 2].sortBy(x, [x == 1 ? 1 : 'a'])", .noSuchOverload, ""),
    ("[1, 2].sortBy(x, [[x]])", .noSuchOverload, ""),
    ("{'a': 1}.merge({'b': 2}).c", .noSuchKey, "'c'"), ("{'a': 1}.without('a').a", .noSuchKey, "'a'"),
    ("{'a': 1}.rename({'a': 'b'}).a", .noSuchKey, "'a'"), ("{'a': 1}.merge([1])", .noMatchingOverload, ""),
    ("{'a': 1, 'b': 2}.rename({'a': 'b'})", .expressionFailed, "key 'b' twice"),
    ("{'a': 1}.rename({'a': 1.5})", .noSuchOverload, "cannot be a map key"),
    ("{'a': 1}.without()", .noMatchingOverload, ""),
    ("timestamp(0).format('YYYY')", .invalidLiteral, "write 'yyyy' for the year"),
    ("timestamp(0).format('DD')", .invalidLiteral, "write 'dd'"),
    ("timestamp(0).format(\"'a\")", .invalidLiteral, "not closed"),
    ("timestamp(0).format('T')", .invalidLiteral, "single quotes"),
    ("timestamp(0).format('T' + '')", .expressionFailed, "quotes"),
    ("parseTime('1', 'hh')", .invalidLiteral, "write 'H'"),
    ("parseTime('2024-02-30', 'yyyy-MM-dd')", .invalidConversion, "no such"),
    ("parseTime('2024-2-30', 'yyyy-MM-dd')", .invalidConversion, "expected a month at '2-30'"),
    ("parseTime('Mon 2024-02-29', 'E yyyy-MM-dd')", .invalidConversion, "a Thursday"),
    ("parseTime('1 13 PM', 'd h a')", .invalidConversion, "expected an hour"),
    ("parseTime('24:00', 'HH:mm')", .invalidConversion, "an hour"),
    ("parseTime('1x', 'd')", .invalidConversion, "expected the end"),
    ("timestamp(0).format('y', 'Mars')", .invalidLiteral, "no time zone"),
    ("timestamp.fromMillis(9000000000000000)", .overflow, "1 to 9999"), ("duration('1s') / 0", .divisionByZero, ""),
    ("duration('1s') / duration('0s')", .divisionByZero, ""), ("duration('1s') * 1e300", .overflow, "292 years"),
    ("duration('1s') * 'a'", .typeMismatch, "''a'' is a string here"), ("null * 2", .typeMismatch, ""),
    ("'%-d'.format([1])", .expressionFailed, "width"), ("'%05s'.format([1])", .expressionFailed, "numbers only"),
    ("'%-05d'.format([1])", .expressionFailed, "either"), ("'%1001d'.format([1])", .expressionFailed, "at most 1000"),
    ("regex.groups('a', '(a)')", .invalidLiteral, "no named group"),
    ("regex.groups('a', '(?P<x>a)(?P<x>b)')", .invalidLiteral, "two groups have the name 'x'"),
    ("math.pow(2)", .noMatchingOverload, "takes 2 arguments"), ("min(1, 2)", .noMatchingOverload, "form"),
  ]

  @Test("A wrong use of a function for data is explained", arguments: failures)
  func dataWrongUse(text: String, code: DiagnosticCode, part: String) {
    let found = failure(text)
    #expect(found?.code == code)
    #expect(part.isEmpty || "\(found?.message ?? "") \(found?.help ?? "")".contains(part))
  }

  @Test("A fraction instead of a percentage causes a warning")
  func fractionPercentage() {
    let remarks = CELExpression("value.percentile(0.95)").remarks(in: ExpressionEnvironment())
    #expect(remarks.map(\.help) == ["write percentile(95) for the quantile 0.95"])
    #expect(remarks.first?.severity == .warning)
    for text in ["value.percentile(95)", "value.percentile(99.9)", "value.percentile(0.0)", "value.other(0.5)"] {
      #expect(CELExpression(text).remarks(in: ExpressionEnvironment()).isEmpty)
    }
  }

  @Test("Products of unknown values keep the type of a number")
  func productsUnknownValues() throws {
    // The type checker relies on the result: a product with a double is a double.
    #expect(try known("a * 2.0", ["a": .dyn]) == .double)
    #expect(try known("2.0 / a", ["a": .dyn]) == .double)
    #expect(try known("a * 2", ["a": .dyn]) == .dyn)
    #expect(try known("a * 2.0", ["a": .duration]) == .duration)
    #expect(try known("a / b", ["a": .duration, "b": .duration]) == .double)
    #expect(failure("a * 2.0", ["a": .duration(.seconds(1))])?.code == .noSuchOverload)
    #expect(try evaluate("a * 2", ["a": .duration(.seconds(1))]) == .duration(.seconds(2)))
  }

  @Test("The checker knows the records that functions on maps make")
  func checkerKnowsRecords() throws {
    let record = CELType.record([RecordField("a", .int), RecordField("b", .string)])
    #expect(
      try known("r.merge({'a': 1.5, 'c': true})", ["r": record])
        == .record([RecordField("a", .double), RecordField("b", .string), RecordField("c", .bool)]))
    #expect(try known("r.without('b')", ["r": record]) == .record([RecordField("a", .int)]))
    #expect(try known("r.without(['a', 'b'])", ["r": record]) == .record([]))
    #expect(
      try known("r.rename({'a': 'x'})", ["r": record])
        == .record([RecordField("x", .int), RecordField("b", .string)]))
    #expect(try known("r.keys()", ["r": record]) == .list(.string))
    #expect(try known("m.merge({'a': 'x'})", ["m": .map(.string, .int)]) == .map(.string, .dyn))
    #expect(try known("l.groupBy(x, x.b)", ["l": .list(record)]) == .map(.string, .list(record)))
    #expect(try known("l.sum()", ["l": .list(.double)]) == .double)
    #expect(try known("l.fold(acc, x, 0, acc + x)", ["l": .list(.int)]) == .int)
    #expect(try known("l.fold(acc, x, 0, acc + x)", ["l": .list(.double)]) == .dyn)
  }

  @Test("A list of declared doubles has doubles as sum and extremes")
  func listDeclaredDoubles() throws {
    let types: [String: CELType] = ["l": .list(.double), "d": .list(.duration)]
    let empty = try evaluate("l.sum()", ["l": []], types: types)
    #expect(empty == .double(0))
    let zero = try evaluate("d.sum()", ["d": []], types: types)
    #expect(zero == .duration(.zero))
    let sum = try evaluate("l.sum()", ["l": [1, 2]], types: types)
    #expect(sum == .double(3))
    let greatest = try evaluate("l.max()", ["l": [1, 2]], types: types)
    #expect(greatest == .double(2))
  }

  @Test("Changes of maps of one shape give maps of one shape")
  func changesMapsShape() throws {
    let environment = ExpressionEnvironment(variables: [Variable("m", .dyn)])
    for text in ["m.merge({'c': 1})", "m.without('a')", "m.rename({'a': 'z'})", "m.merge({'a': 2})"] {
      let plan = try CELExpression(text).plan(in: environment)
      let activation = Activation(slotCount: 1)
      let map: ValueMap = ValueMap([("a", 1), ("b", 2)])
      activation.set(.map(map), at: 0)
      guard case .map(let first) = try plan.evaluate(activation) else { throw Unexpected() }
      activation.set(.map(map), at: 0)
      guard case .map(let second) = try plan.evaluate(activation) else { throw Unexpected() }
      #expect(first.sharesShape(with: second), "\(text)")
    }
  }

  @Test(
    "The budget ends what functions for data would take long",
    arguments: [
      "lists.range(100000).fold(acc, x, [], acc + [x])", "lists.range(100000).fold(acc, x, '', acc + 'aaaaaaaaaa')",
      "lists.range(3000).all(i, lists.range(3000).sum() > 0)", "lists.range(9000).all(i, lists.range(900).min() == 0)",
      "lists.range(2000).fold(m, i, {}, m.merge({string(i): i})).size()",
      "lists.range(20000).all(i, parseTime('2024', 'yyyy') > timestamp(0))",
      "lists.range(9000).all(i, '%1000d'.format([1]) != '')",
    ])
  func budgetEndsData(text: String) {
    let found = failure(text, limits: ExpressionLimits(budget: 1_000_000))
    #expect(found?.code == .budgetExceeded || found?.code == .limitExceeded)
  }

  @Test("Folds in folds are checked in linear time")
  func foldsFoldsChecked() throws {
    var text = "0.5"
    for depth in 0..<40 { text = "[1].fold(a\(depth), x\(depth), 0, \(text) + x\(depth))" }
    let value = try evaluate(text)
    #expect(value == 40.5)
  }

  @Test("A sort by several keys and groups take long lists")
  func sortSeveralKeys() throws {
    let list = Value.list((0..<20_000).map { .int(Int64(($0 * 7919) % 20_000)) })
    let sorted = try evaluate("l.sortBy(x, [x % 3, x]).map(x, x % 3 * 100000 + x).isSorted()", ["l": list])
    #expect(sorted == true)
    let groups = try evaluate("l.groupBy(x, x % 10).map(k, k).size()", ["l": list])
    #expect(groups == 10)
  }

  private func known(_ text: String, _ types: [String: CELType]) throws -> CELType {
    let environment = ExpressionEnvironment(variables: types.keys.sorted().map { Variable($0, types[$0] ?? .dyn) })
    return try CELExpression(text).plan(in: environment).resultType
  }
}

private struct Unexpected: Error {}

extension ValueMap {
  fileprivate func sharesShape(with other: ValueMap) -> Bool { shape === other.shape }
}
