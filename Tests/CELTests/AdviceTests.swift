import StreamCore
import Testing

@testable import CEL

/// The advice in errors for users of other languages.
@Suite struct Advice {
  @Test(
    "Names of other languages are suggested",
    arguments: [
      ("len('a')", "did you mean 'size'?"), ("'a'.length()", "did you mean 'size'?"),
      ("lower('A')", "did you mean 'lowercased'?"), ("'a'.toUpperCase()", "did you mean 'uppercased'?"),
      ("minimum(1, 2)", "did you mean 'math.least'?"), ("median([1])", "write list.percentile(50)"),
      (
        "[1].stddev()",
        "write math.sqrt(cel.bind(mean, list.average(), list.map(x, math.pow(x - mean, 2)).sum() / (size(list) - 1))) "
          + "for a sample"
      ),
      (
        "[1].var_pop()",
        "write cel.bind(mean, list.average(), list.map(x, math.pow(x - mean, 2)).average()) for a population"
      ),
      ("math.min(1, 2)", "did you mean 'math.least'?"), ("Math.max(1, 2)", "did you mean 'math.greatest'?"),
      ("floor(1.5)", "did you mean 'math.floor'?"), ("Math.floor(1.5)", "did you mean 'math.floor'?"),
      ("'a'.includes('b')", "write text.contains(part), or element in list"),
      ("JSON.stringify(1)", "did you mean 'toJSON'?"), ("hash('a')", "write sha256(text)"),
      (
        "timestamp.fromSeconds(5)",
        "write timestamp(seconds) for seconds since 1970, or timestamp.fromMillis(milliseconds)"
      ), ("[1].some(x, x > 0)", "did you mean 'exists'?"),
      (
        "'x'.sub('a', 'b')",
        "write text.replace(old, new), or regex.replace(text, pattern, new)"
      ),
      ("[1].unique()", "did you mean 'distinct'?"), ("[1].isEmpty()", "write size(…) == 0"),
      ("Object.keys({'a': 1})", "did you mean 'keys'?"), ("math.flor(1.5)", "did you mean 'math.floor'?"),
      ("timestamp(0).getDay()", "did you mean 'getDayOfWeek'?"),
      ("date_trunc('hour', timestamp(0))", "write timestamp(int(t) / 3600 * 3600) for the hour of the time t, in UTC"),
      ("timestamp(0).floor('1h')", "write timestamp(int(t) / 3600 * 3600) for the hour of the time t, in UTC"),
      ("sec2gmt(0)", "write string(timestamp(seconds))"), ("is_present(1)", "write has(value.name)"),
      ("between(1, 2, 3)", "write low <= value && value <= high"),
      ("lists.reverse2([1])", "the functions of 'lists': lists.range"), ("sise('a')", "did you mean 'size'?"),
    ])
  func namesOtherLanguages(text: String, help: String) {
    let found = failure(text)
    #expect(found?.code == .unknownFunction)
    #expect(found?.help == help)
  }

  @Test(
    "Syntax of other languages is explained",
    arguments: [
      ("a AND b", "write '&&'"), ("a or b", "write '||'"), ("not a", "write '!'"), ("a is null", "write '==' or '!='"),
      ("1 <> 2", "write '!='"), ("1 if true else 2", "write condition ? one : other"),
      ("if (a) 1 else 2", "write condition ? one : other"), ("CASE WHEN a THEN 1 END", "write condition ? one : other"),
      ("1 in (1, 2)", "write a list in brackets, [1, 2]"), ("1 BETWEEN 0 AND 2", "write low <= value && value <= high"),
      ("'a' LIKE 'b'", "write text.matches(pattern), or contains, startsWith or endsWith"),
      ("'a' contains 'b'", "write text.contains(part)"), ("5 mod 2", "write '%'"),
      ("a?.b", "write value.?name for a member that may be missing"), ("a ?? 0", "write value.?name.orValue(other)"),
      ("{...a}", "write map.merge({'name': value}) to copy a map's members"),
      ("[...a.l, 1]", "write a.l + [element] to join lists"), ("a::text", "write string(a)"),
      ("a.b::bigint", "write int(a.b)"), ("a::b", "write '.' before a member's name"),
      ("a IN (1, 2)", "write element in [1, 2]"), ("a NOT IN (1, 2)", "write !(element in [1, 2])"),
      ("[1].map(x => x)", "a macro names its element: list.map(x, x * 2)"),
      ("[1].map(lambda x: x)", "a macro names its element: list.map(x, x * 2)"),
      ("typeof a", "write type(value)"), ("1 === 1", "write '=='"), ("1 !== 1", "write '!='"),
      ("{a, b}", "write a key and a value, {'name': value}"), ("2 ** 3", "write math.pow(x, 2), or x * x"),
      ("{**a, \"v\": 6}", "write a.merge({\"v\": 6})"),
      ("{'v': 6, **a}", "write a.merge({'name': value}) to copy a map's members"),
      ("'abc'[0:2]", "write text.substring(start, end), or list.slice(start, end)"),
      ("let x = 1", "write cel.bind(name, value, expression)"), ("return 1", "write the value alone"),
      ("$.a", "the received value is 'value', and its member 'value.name'"), ("1 =~ 2", "write text.matches(pattern)"),
      ("a = 1", "write '==' to compare"),
      ("a += 1", "an expression assigns nothing; write the new value, as in value + 1"),
      ("1; 2", "an expression is one value; name parts of it with cel.bind(name, value, expression)"),
      ("`a${b}`", "write strings in quotation marks; write 'text ' + string(value), or 'text %s'.format([value])"),
    ])
  func syntaxOtherLanguages(text: String, help: String) {
    let found = failure(text, ["a": true, "b": 1])
    #expect(found?.code == .expressionSyntax)
    #expect(found?.help == help)
  }

  @Test(
    "Names of other languages are explained",
    arguments: [
      ("True", "write true"), ("None", "write null"), ("this", "the received value is 'value'"),
      ("undefined", "write null, or has(value.name) for a member that may be missing"),
      ("mag", "did you mean 'value.mag'?"),
    ])
  func namesOtherLanguagesExplained(text: String, help: String) {
    let environment = ExpressionEnvironment(variables: [
      Variable("value", .record([RecordField("mag", .double)])), Variable("index", .int),
    ])
    var found: Diagnostic?
    do {
      _ = try CELExpression(text).plan(in: environment)
    } catch {
      found = error.all.first
    }
    #expect(found?.code == .unknownName)
    #expect(found?.help == help)
  }

  @Test(
    "A name that is unknown is explained by the names in scope, before functions and words of other languages",
    arguments: [
      ("value", ["outer", "outerIndex"], "did you mean 'outer'? It is the value that started this stream"),
      ("value.a", ["outer", "outerIndex"], "did you mean 'outer'? It is the value that started this stream"),
      ("it", ["outer", "outerIndex"], "did you mean 'outer'? It is the value that started this stream"),
      ("value + 1", ["values"], "did you mean 'values'?"), ("value", ["outer", "values"], "did you mean 'values'?"),
      ("row", ["values"], "did you mean 'values'? It has a value of each stream, such as values[0]"),
      ("value", ["left", "right"], "names in scope: left, right"), ("this", [], "no names are in scope here"),
      ("value", [], "no names are in scope here"), ("values", ["value", "index"], "did you mean 'value'?"),
      ("keys[0]", ["key", "value"], "did you mean 'key'?"),
      (
        "keys[0]", ["", "key", "value"],
        "did you mean 'key'? The key of the group around it needs another name, which its 'as' gives"
      ),
      ("size", ["value"], "'size' is a function: write size(…)"),
      ("now", ["value"], "'now' is a function: write now()"),
      ("percentile", ["value"], "'percentile' is a function: write target.percentile(…)"),
      ("average", ["value"], "'average' is a function: write target.average()"),
      ("math.pi", ["value"], "'math.pi' is a function: write math.pi()"),
    ])
  func nameByScope(text: String, names: [String], help: String) {
    var found: Diagnostic?
    do {
      _ = try CELExpression(text).plan(in: ExpressionEnvironment(variables: names.map { Variable($0) }))
    } catch {
      found = error.all.first
    }
    #expect(found?.code == .unknownName)
    #expect(found?.help == help)
  }

  @Test(
    "An error advises what CEL has instead",
    arguments: [
      ("pow(2, 3)", "did you mean 'math.pow'?"), ("[1].mean()", "did you mean 'average'?"),
      ("sin(1)", "did you mean 'math.sin'?"),
      ("zip([1], [2])", "write [1].zip([2])"), ("min(1, 2)", "write math.least(a, b) for two numbers"),
      ("sum([1, 2])", "write [1, 2].sum()"), ("sum(1)", "write list.sum()"),
      ("max([1] + [2])", "write ([1] + [2]).max()"), ("1.0.string()", "write string(1.0)"),
      ("{'a': 1} + {'b': 2}", "write {'a': 1}.merge({'b': 2})"), ("{'a': 1}.omit('a')", "did you mean 'without'?"),
      ("timestamp(0).year", "write .getFullYear()"), ("[1].length", "write .size()"),
      ("timestamp(0) - 1000", "write duration('1s') for a length of time"),
    ])
  func errorAdvisesWhat(text: String, help: String) {
    #expect(failure(text)?.help?.hasPrefix(help) == true)
  }

  @Test(
    "A conversion that fails shows the expected form",
    arguments: [
      ("timestamp('2024-01-31')", "expected RFC 3339, such as '2024-01-31T10:00:00Z'"),
      ("timestamp('2015-06-30T23:59:60Z')", "leap seconds are not supported: write second 59, or the next minute"),
      ("timestamp('2015-06-30t23:59:60.5+02:00')", "leap seconds are not supported"),
      ("timestamp('2015-06-31T23:59:60Z')", "expected RFC 3339"),
      ("duration('1w')", "expected numbers with units d, h, m, s or ms, such as '1h30m' or '1.5s'"),
      ("duration('99999999999h')", "the duration is longer than about 292 years"),
      ("duration('9223372037s1ns')", "the duration is longer than about 292 years"),
      ("duration('99999999999x')", "expected numbers with units"),
      ("int('1.5')", "write int(double(text)) for a number with a fraction"),
      ("timestamp(1700000000000)", "for a number of milliseconds write timestamp.fromMillis(milliseconds)"),
    ])
  func conversionFailsShows(text: String, end: String) {
    #expect(failure(text)?.message.contains(end) == true)
  }

  @Test(
    "A member whose name is not valid in an expression is written in backticks",
    arguments: [
      ("value.@timestamp", "write value.`@timestamp`"), ("value.o.größe", "write value.o.`größe`"),
      ("value.größe > 1", "write value.`größe`"), ("value.$ref", "write value.`$ref`"),
      ("value.#id", "write value.`#id`"),
      ("value.2xx", "write value.`2xx`"), ("value.order id", "write value.`order id`"),
      ("value.order id == 1", "write value.`order id`"), ("value.first given name", "write value.`first given name`"),
      ("value.x-forwarded-for", "write value.`x-forwarded-for`"), ("value.check-in", "write value.`check-in`"),
      ("has(value.user-agent)", "write has(value.`user-agent`)"), ("value.?order id", "write value.?`order id`"),
      ("f(value).@t", "write value.`@t`"), ("größe", "a member of the value is value.`größe`"),
      ("value.\"order id\"", "write value[\"order id\"]"), ("value.[0]", "remove the '.' before the bracket"),
      (
        "value.user-agent",
        "write value.`user-agent`, if that is the name of a member; names in scope: value, index"
      ),
    ])
  func memberNames(text: String, help: String) {
    let environment = ExpressionEnvironment(variables: [Variable("value"), Variable("index", .int)])
    let problem = #expect(throws: Diagnostics.self) { try CELExpression(text).plan(in: environment) }
    #expect(problem?.all.first?.help == help)
  }

  @Test(
    "An operator beside a member is not taken for a part of its name",
    arguments: [
      "value.a - value.b", "value.a-1", "value.a -1", "-value.a", "value.a--1", "value.a and value.b", "$a", "#a",
    ])
  func operators(text: String) {
    let environment = ExpressionEnvironment(variables: [Variable("value"), Variable("index", .int)])
    do {
      _ = try CELExpression(text).plan(in: environment)
    } catch {
      #expect(error.all.allSatisfy { $0.help?.contains("`") != true }, "\(error.all)")
    }
  }

  @Test(
    "A time zone that is a literal is checked with the expression",
    arguments: [
      ("timestamp(0).getHours('Berlin')", "write Europe/Berlin"),
      ("timestamp(0).format('HH', 'new york')", "write America/New_York"),
      ("parseTime('1', 'H', 'PST')", "write America/Los_Angeles"),
      ("timestamp(0).getMilliseconds('UTC+2')", "write +02:00"),
      ("timestamp(0).getDate('Nowhere')", "write a name such as Europe/Berlin, or an offset such as +02:00"),
    ])
  func zones(text: String, help: String) {
    let problem = failure(text)
    #expect(problem?.code == .invalidLiteral)
    #expect(problem?.help == help)
  }

  @Test(
    "A zone that is known, or is data, is not refused", arguments: ["'Europe/Berlin'", "'UTC'", "'-03:30'", "value"])
  func knownZones(zone: String) throws {
    _ = try CELExpression("timestamp(0).getHours(\(zone))").plan(
      in: ExpressionEnvironment(variables: [Variable("value")]))
  }

  @Test("Every suggested function exists")
  func everySuggestedFunction() {
    let known = Set(FunctionCatalogue.functions.keys).union(Macro.all.map(\.name))
    for function in ForeignNames.groups.map(\.function) { #expect(known.contains(function), "\(function)") }
  }

  @Test("No function of the library is taken for one of another language")
  func functionLibraryTaken() {
    for name in FunctionCatalogue.functions.keys where ForeignNames.help(for: name) != nil {
      // Case is ignored: 'toJson' is suggested for 'toJSON', which exists.
      #expect(ForeignNames.help(for: name) == "did you mean '\(name)'?", "\(name)")
    }
  }

  @Test(
    "An unknown function of a namespace is one error",
    arguments: ["math.sum([1])", "lists.sum([1])", "math.log2(10)", "regex.find('a')"])
  func unknownFunctionNamespace(text: String) throws {
    var all: [Diagnostic] = []
    do {
      _ = try CELExpression(text).plan(in: ExpressionEnvironment())
    } catch {
      all = error.all
    }
    #expect(all.map(\.code) == [.unknownFunction])
    let name = text.prefix { $0 != "(" }
    #expect(all.first?.message == "there is no function '\(name)'")
  }

  @Test("A variable that is named like a namespace is a variable")
  func variableNamedLike() {
    let found = failure("math.total2(1)", ["math": 1])
    #expect(found?.message == "there is no function 'total2'")
  }

  @Test("A key without quotation marks is explained", arguments: ["{mag: value.mag}", "{mag: 1, 'b': 2}"])
  func keyWithoutQuotation(text: String) {
    let found = failure(text, ["value": ["mag": 1]])
    #expect(found?.code == .unknownName)
    #expect(found?.range == 1..<4)
    #expect(found?.help == "map keys are expressions: write 'mag' in quotation marks")
    let known = failure("{value.k: 1, x: 2}", ["value": ["k": "a"], "x": "b"])
    #expect(known == nil)
  }

  @Test(
    "A pattern that is a literal is checked with the expression",
    arguments: [
      ("'a'.matches('(')", 13..<14), ("'a'.matches('a(b')", 14..<15), ("'a'.matches(r'\\d[a')", 16..<17),
      ("'a'.matches('a**')", 15..<16), ("'a'.matches('é)')", 15..<16), ("'a'.matches('''x)''')", 16..<17),
      // If the literal has an escape before or after the place, the place is the whole literal.
      ("'a'.matches('\\\\d[')", 16..<17), ("'a'.matches('[\\\\d')", 12..<18), ("matches('a', '(')", 14..<15),
      ("regex.extract('a', '(')", 20..<21),
      ("regex.extract('a', '(a)(b)')", 19..<27), ("regex.extractAll('a', '[')", 23..<24),
      ("regex.replace('a', '+', 'b')", 20..<21), ("regex.replace('a', '(a)', r'\\2')", 26..<31),
    ])
  func patternLiteralChecked(text: String, range: Range<Int>) {
    #expect(throws: Diagnostics.self) { try CELExpression(text).plan(in: ExpressionEnvironment()) }
    let found = failure(text)
    #expect(found?.code == .invalidLiteral)
    #expect(found?.range == range)
  }

  @Test("A pattern that is computed is checked when it is used")
  func patternComputedChecked() throws {
    _ = try CELExpression("regex.extract('a', value)").plan(in: ExpressionEnvironment(variables: [Variable("value")]))
    #expect(failure("regex.extract('a', value)", ["value": "("])?.code == .invalidConversion)
    #expect(failure("regex.extract('a', value)", ["value": "(a)(b)"])?.code == .expressionFailed)
  }

  @Test("Numbers are sorted as they are compared")
  func numbersSortedThey() throws {
    let mixed = try evaluate("[2, 1, 0.5, 3u].sort()")
    #expect(mixed == [0.5, 1, 2, .uint(3)])
    let keyed = try evaluate("[{'k': 1}, {'k': 0.5}].sortBy(x, x.k).map(x, x.k)")
    #expect(keyed == [0.5, 1])
    let ends = try evaluate("[math.least([1, 0.5]), math.greatest([1, 2.5, 2u])]")
    #expect(ends == [0.5, 2.5])
    for text in ["[1, 0.5].sort()", "[1, 0.5].sortBy(x, x)"] {
      #expect(failure(text, numbers: .strict)?.code == .noSuchOverload)
    }
    #expect(failure("[1, 'a'].sort()")?.code == .noSuchOverload)
    #expect(failure("[[1], [2]].sort()")?.code == .noSuchOverload)
  }

  @Test("Keys that have one name in JSON are refused")
  func keysOneName() throws {
    for text in ["toJSON({1: 2, '1': 3})", "toJSON([{'a': {true: 1, 'true': 2}}])"] {
      #expect(failure(text)?.code == .invalidConversion)
    }
    let written = try evaluate("toJSON({1: 2, '2': 3, true: 4})")
    #expect(written == #"{"1":2,"2":3,"true":4}"#)
  }
}
