import StreamCore
import Testing

@testable import CEL

@Suite struct Extensions {
  typealias Case = Language.Case

  static let values: [Case] = [
    // Optionals
    Case("{'a': {'b': 1}}.?a.?b.orValue(0)", 1), Case("{'a': 1}.?b.hasValue()", false),
    Case("[1, 2][?5].orValue(-1)", -1), Case("[?optional.of(1), ?optional.none(), 3]", [1, 3]),
    Case("{?'a': optional.none(), ?'b': optional.of(2)}", ["b": 2]),
    Case("optional.of(2).optMap(x, x * 3).value()", 6), Case("optional.none().optMap(x, x * 3).hasValue()", false),
    Case("optional.of([1]).optFlatMap(x, x[?0]).value()", 1),
    Case("optional.of(1).optMap(x, optional.of(2).optMap(y, x + y).value()).value()", 3),
    Case("optional.ofNonZeroValue(0).hasValue() || optional.ofNonZeroValue('').hasValue()", false),
    Case("optional.unwrap([optional.of(1), optional.none()])", [1]),
    Case("[optional.of(1), optional.none()].unwrapOpt()", [1]),
    Case("has(optional.of({'a': 1}).a) && !has(optional.of({'a': 1}).b)", true),
    Case("has({'a': {'b': 1}}.?a.b)", true), Case("{'a': 1}.?a == optional.of(1.0)", true),
    Case("optional.of(0.0 / 0.0) == optional.of(0.0 / 0.0)", false),
    Case("true ? optional.of(1).value() : 2", 1), Case("{'a-b': 1}.?`a-b`.value()", 1),
    // Two variables
    Case("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2)", ["b": 4]),
    Case("[1, 2].transformMap(i, v, i + v)", [0: 1, 1: 3]), Case("{'a': 1}.transformMapEntry(k, v, {v: k})", [1: "a"]),
    Case("{'a': 1, 'b': 2}.transformMapEntry(k, v, v > 1, {k + k: v})", ["bb": 2]),
    Case("{'a': 1}.transformList(k, v, k + string(v))", ["a1"]),
    Case("{'a': [1, 2]}.all(k, l, l.all(i, v, v == i + 1))", true),
    Case("{'i': 0, 'j': 1}.exists_one(k, v, v == 1)", true),
    // Bindings
    Case("cel.bind(x, 2, cel.bind(y, x + 1, x * y))", 6), Case("[1, 2].map(e, cel.bind(d, e * 2, d + d))", [4, 8]),
    Case("cel.bind(x, 1, [x].map(x, x + 1)[0] + x)", 3),
    // Lists
    Case("[1, 2, 3, 4].slice(1, 3)", [2, 3]), Case("[1, [2, [3]]].flatten()", [1, 2, [3]]),
    Case("[1, [2, [3, [4]]]].flatten(2)", [1, 2, 3, [4]]), Case("[].flatten()", []),
    Case("[3, 1, 2].sort()", [1, 2, 3]),
    Case("['b', 'a'].sort()", ["a", "b"]), Case("['aa', 'b', 'ccc'].sortBy(s, -size(s))", ["ccc", "aa", "b"]),
    Case("[[2, 1], [1, 9]].sortBy(l, l.sortBy(x, x)[0])", [[2, 1], [1, 9]]),
    Case("[{'n': 2}, {'n': 1}].sortBy(e, e.n).map(e, e.n)", [1, 2]),
    Case("[1, 2, 2, 3, 1].distinct()", [1, 2, 3]), Case("[1, 'b', 1.0, [1], [1u]].distinct()", [1, "b", [1]]),
    Case("lists.range(3)", [0, 1, 2]), Case("lists.range(0)", []), Case("[1, 2].reverse()", [2, 1]),
    Case("[1, 2].first().value() + [1, 2].last().value()", 3), Case("[].first().orValue(7)", 7),
    // Sets
    Case("sets.contains([1, 2.0, 3u], [1.0, 2u, 3])", true), Case("sets.contains([], [1])", false),
    Case("sets.equivalent([1, 2], [2u, 1, 1.0])", true), Case("sets.intersects([[1], [2]], [[2.0]])", true),
    Case("sets.intersects([1], [])", false),
    // Texts
    Case("'%s has %d of %.1f'.format(['a', 3, 2.25])", "a has 3 of 2.2"),
    Case("[0, -1, 1500].map(t, timestamp.fromMillis(t).millis())", [0, -1, 1500]),
    Case("tryDouble('0x1f').hasValue() || tryDouble('1e400').hasValue() || tryDouble('').hasValue()", false),
    Case(
      "[tryDouble('1e-400').value(), tryDouble('-inf').value(), tryDouble('+5').value()]",
      [0.0, .double(-.infinity), 5.0]),
    Case("duration('1.0000000005s') == duration('1s') && duration('-0.0000000004s') == duration('0')", true),
    Case("dyn({'a': 1, 'b': 2, 'c': 3}).without('a', 'b')", ["c": 3]),
    Case("'%.1f %.1f %e'.format([0.0, -0.0, 0.0])", "0.0 -0.0 0.000000e+00"),
    Case("'%x %X %o %b'.format([-255, 255, 8, 5])", "-ff FF 10 101"),
    Case("'%e|%f'.format([1.5, 1])", "1.500000e+00|1.000000"),
    Case("'%s'.format([{'b': [1], 'a': null}])", "{a: null, b: [1]}"),
    Case("'%s'.format([b'a\\xff\\xffb'])", "a\u{FFFD}b"), Case(#"strings.quote('a"\n')"#, #""a\"\n""#),
    Case("'%d'.format([3.5])", "3.5"),
    // Regular expressions
    Case("regex.extract('hello world', 'hello (.*)').value()", "world"),
    Case("regex.extract('item-A', r'item-\\d').hasValue()", false), Case("regex.extract('ab', 'b').value()", "b"),
    Case("regex.extractAll('id:123, id:456', r'id:\\d+')", ["id:123", "id:456"]),
    Case("regex.extractAll('id:123, id:456', r'id:(\\d+)')", ["123", "456"]),
    Case("regex.extractAll('abc', 'x')", []), Case("regex.extract('aaa', 'a+?').value()", "a"),
    Case("regex.extract('xaab', 'a*|b').value()", ""), Case("regex.extract('foobar', 'foo|foobar').value()", "foo"),
    Case("regex.replace('hello world hello', 'hello', 'hi')", "hi world hi"),
    Case("regex.replace('banana', 'a', 'x', 1)", "bxnana"), Case("regex.replace('banana', 'a', 'x', 0)", "banana"),
    Case("regex.replace('banana', 'a', 'x', -12)", "bxnxnx"),
    Case("regex.replace('banana', '(.)a', r'\\1-\\0')", "b-ban-nan-na"),
    Case("regex.replace('foo bar', '(fo)o (ba)r', r'\\2 \\1')", "ba fo"),
    Case("regex.replace('abc', '', '-')", "-a-b-c-"),
    Case("regex.replace('aXb', '(?i)x|(y)', r'[\\1]')", "a[]b"),
    // Characters
    Case("'e\u{301}🇩🇪👨‍👩‍👧a'.characters()", ["e\u{301}", "🇩🇪", "👨‍👩‍👧", "a"]), Case("''.characters()", []),
    Case("'ÄÖẞ Straße Σ'.lowercased()", "äöß straße σ"), Case("'straße ﬁ'.uppercased()", "STRASSE FI"),
    Case("['ⅷ', 'ⓐ', 'ä', '语'].all(t, t.matches(r'^\\p{Alphabetic}$'))", true),
    Case("['1', '_', ' ', '€'].exists(t, t.matches(r'^[\\p{Alphabetic}]$'))", false),
    Case("'a1'.matches(r'^\\P{Alphabetic}')", false),
    // Encoders
    Case("base64.decode(base64.encode(b'hello'))", .bytes(Array("hello".utf8))),
    Case("base64.decode('aGVsbG8')", .bytes(Array("hello".utf8))),
    Case(#"parseJSON('{"a": [1, 2.5, null]}')"#, ["a": [1, 2.5, .null]]),
    Case("toJSON({'a': [1, 'x']})", #"{"a":[1,"x"]}"#),
    Case("sha256('')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    Case("sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    Case("sha256('ä€😀')", "819fe77d1c7897c4c541e21c63d27154d46e12cc65074d8d9c874626a40a6074"),
    Case("sha256(b'\\x00\\xff')", "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8"),
    Case("sha256(b'') == sha256('') && sha256(bytes('ä')) == sha256('ä')", true),
    // Network
    Case("string(ip('2001:DB8:0:0:1:0:0:1'))", "2001:db8::1:0:0:1"), Case("isIP('1.2.3.04')", false),
    Case("isIP('::ffff:1.2.3.4')", false), Case("string(ip('64:ff9b::1.2.3.4'))", "64:ff9b::102:304"),
    Case("string(cidr('10.1.2.3/8').masked())", "10.0.0.0/8"), Case("string(cidr('10.1.2.3/8').ip())", "10.1.2.3"),
    Case("isCIDR('10.0.0.0/33')", false), Case("cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')", false),
    Case("ip('::1').isLoopback() && ip('224.0.0.5').isLinkLocalMulticast()", true),
    // Numbers
    Case("round(3.14159, 2)", 3.14), Case("round(-2.5, 0)", -3.0), Case("round(7, 2)", 7.0),
    Case("clamp(12, 0, 10)", 10),
    Case("clamp(-1.5, 0, 10)", 0.0), Case("round(atan2(1, 1) * 4, 4)", 3.1416),
    Case("math.greatest(1, 5, 3, 2, 4, 0, 7)", 7),
  ]

  @Test("An extension gives the value", arguments: values)
  func extensionGivesValue(example: Case) throws {
    let value = try evaluate(example.text)
    #expect(value == example.value)
  }

  @Test(
    "A wrong use is an error",
    arguments: [
      "[1, 2].slice(1, 3)", "[1, 2].slice(-1, 1)", "[[1]].flatten(-1)", "[1, 'a'].sort()", "[[1]].sort()",
      "['a', 'b'].sortBy(x, {'x': x})", "{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k})", "optional.none().value()",
      "'%d'.format(['a'])", "'%'.format([1])", "'%q'.format([1])", "'%s'.format([])", "base64.decode('a')",
      "base64.decode('-_-_')", "parseJSON('{')", "sha256(1)", "sha256(dyn(1))", "sha256()", "'a'.sha256()",
      "characters('a')", "dyn(1).characters()", "dyn(b'a').lowercased()",
      "dyn(null).uppercased()",
      "ip('1.2.3')", "cidr('1.2.3.4')", "clamp(1, 5, 2)", "round(1.0, 20)",
      "regex.extract('a', '(a)(b)')", "regex.replace('a', 'a', r'\\1')", "regex.replace('a', '(', '')", "[?1]",
      "{?'a': 1}", "[1].all(i, i, true)", "cel.bind(1, 2, 3)", "1.?a", "cel.block([1], cel.index(0))",
      "optional.of(1).optMap(z, .z)", "lists.range(100000000)", "math.greatest('a', 1)", "math.greatest([])",
      "optional.of(1).foo",
    ])
  func wrongUseError(text: String) {
    let found = failure(text)
    #expect(found != nil)
  }

  @Test("A digest takes texts and bytes, and is paid by their length")
  func digestTakesTexts() throws {
    let plan = try CELExpression("sha256(x)").plan(in: ExpressionEnvironment(variables: [Variable("x")]))
    #expect(plan.resultType == .string)
    let refused = failure("sha256(x)", ["x": 1], types: ["x": .int])
    #expect(refused?.message.contains("sha256") == true)
    let unknown = failure("sha256(x)", ["x": 1])
    #expect(unknown?.code == .noSuchOverload)
    let long = String(repeating: "a", count: 32_000)
    let paid = try evaluate("sha256(x)", ["x": .string(long)], limits: ExpressionLimits(budget: 32_300))
    #expect(paid == "522f30e921595f6749e188fc8a85fb5a97b8403fb86192537629798c0db61701")
    let spent = [Value.string(long), .bytes(Array(long.utf8))].map {
      failure("sha256(x)", ["x": $0], limits: ExpressionLimits(budget: 31_900))?.code
    }
    #expect(spent == [.budgetExceeded, .budgetExceeded])
    let short = failure("sha256(x)", ["x": "a"], limits: ExpressionLimits(stringBytes: 60))?.code
    #expect(short == .limitExceeded)
  }

  @Test("A map literal is a record to the checker, and a map to functions")
  func mapLiteralRecord() throws {
    let plan = try CELExpression("{'a': 1, 'b': {'c': 'x'}}").plan(in: ExpressionEnvironment())
    #expect(plan.resultType.description == "{a: int, b: {c: string}}")
    let joined = try CELExpression("[{'a': 1}, {'b': 2}]").plan(in: ExpressionEnvironment())
    #expect(joined.resultType.description == "list(map(string, int))")
    let value = try evaluate("{'a': 1}.b == 1 || true")
    #expect(value == true)
    let tested = try evaluate("has({'a': 1}.b)")
    #expect(tested == false)
    let size = try evaluate("size({'a': 1, 'b': 'x'}) + {'a': 1}.map(k, k).size()")
    #expect(size == 3)
    let literal = failure("[{'a': 1}].map(v, v.b)")
    #expect(literal?.code == .noSuchKey)
    let unknown = failure("value.c", ["value": ["a": 1]], types: ["value": plan.resultType])
    #expect(unknown?.code == .unknownField)
  }
}
