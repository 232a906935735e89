import StreamCore
import Testing

@testable import CEL

/// What errors advise people who know other languages.
@Suite struct Advice {
  @Test(arguments: [
    ("len('a')", "did you mean 'size'?"), ("'a'.length()", "did you mean 'size'?"),
    ("lower('A')", "did you mean 'lowerAscii'?"), ("'a'.toUpperCase()", "did you mean 'upperAscii'?"),
    ("min(1, 2)", "did you mean 'math.least'?"), ("max(1, 2)", "did you mean 'math.greatest'?"),
    ("math.min(1, 2)", "did you mean 'math.least'?"), ("Math.max(1, 2)", "did you mean 'math.greatest'?"),
    ("floor(1.5)", "did you mean 'math.floor'?"), ("Math.floor(1.5)", "did you mean 'math.floor'?"),
    ("'a'.includes('b')", "did you mean 'contains'?"), ("JSON.stringify(1)", "did you mean 'toJSON'?"),
    ("[1].unique()", "did you mean 'distinct'?"), ("[1].isEmpty()", "write size(…) == 0"),
    ("Object.keys({'a': 1})", "write map.map(key, key)"), ("math.flor(1.5)", "did you mean 'math.floor'?"),
    ("lists.sum([1])", "the functions of 'lists': lists.range"), ("sise('a')", "did you mean 'size'?"),
  ])
  func `names of other languages are suggested`(text: String, help: String) {
    let found = failure(text)
    #expect(found?.code == .unknownFunction)
    #expect(found?.help == help)
  }

  @Test func `every suggested function exists`() {
    let known = Set(FunctionCatalogue.functions.keys).union(Macro.all.map(\.name))
    for function in ForeignNames.groups.map(\.function) { #expect(known.contains(function), "\(function)") }
  }

  @Test func `no function of the library is taken for one of another language`() {
    for name in FunctionCatalogue.functions.keys where ForeignNames.help(for: name) != nil {
      // Case is not looked at: 'toJson' is suggested for 'toJSON', which exists.
      #expect(ForeignNames.help(for: name) == "did you mean '\(name)'?", "\(name)")
    }
  }

  @Test(arguments: ["math.sum([1])", "lists.sum([1])", "math.log(10)", "regex.find('a')"])
  func `an unknown function of a namespace is one error`(text: String) throws {
    var all: [Diagnostic] = []
    do {
      _ = try CELExpression(text).plan(in: Environment())
    } catch {
      all = error.all
    }
    #expect(all.map(\.code) == [.unknownFunction])
    let name = text.prefix { $0 != "(" }
    #expect(all.first?.message == "there is no function '\(name)'")
  }

  @Test func `a variable that is named like a namespace is a variable`() {
    let found = failure("math.sum(1)", ["math": 1])
    #expect(found?.message == "there is no function 'sum'")
  }

  @Test(arguments: ["{mag: value.mag}", "{mag: 1, 'b': 2}"])
  func `a key without quotation marks is explained`(text: String) {
    let found = failure(text, ["value": ["mag": 1]])
    #expect(found?.code == .unknownName)
    #expect(found?.range == 1..<4)
    #expect(found?.help == "map keys are expressions: write 'mag' in quotation marks")
    let known = failure("{value.k: 1, x: 2}", ["value": ["k": "a"], "x": "b"])
    #expect(known == nil)
  }

  @Test(arguments: [
    ("'a'.matches('(')", 13..<14), ("'a'.matches('a(b')", 14..<15), ("'a'.matches(r'\\d[a')", 16..<17),
    ("'a'.matches('a**')", 15..<16), ("'a'.matches('é)')", 15..<16), ("'a'.matches('''x)''')", 16..<17),
    // An escape stands before the place, and behind it: then the place is the whole literal.
    ("'a'.matches('\\\\d[')", 16..<17), ("'a'.matches('[\\\\d')", 12..<18), ("matches('a', '(')", 14..<15),
    ("regex.extract('a', '(')", 20..<21),
    ("regex.extract('a', '(a)(b)')", 19..<27), ("regex.extractAll('a', '[')", 23..<24),
    ("regex.replace('a', '+', 'b')", 20..<21), ("regex.replace('a', '(a)', r'\\2')", 26..<31),
  ])
  func `a pattern that is a literal is checked with the expression`(text: String, range: Range<Int>) {
    #expect(throws: Diagnostics.self) { try CELExpression(text).plan(in: Environment()) }
    let found = failure(text)
    #expect(found?.code == .invalidLiteral)
    #expect(found?.range == range)
  }

  @Test func `a pattern that is computed is checked when it is used`() throws {
    _ = try CELExpression("regex.extract('a', value)").plan(in: Environment(variables: [Variable("value")]))
    #expect(failure("regex.extract('a', value)", ["value": "("])?.code == .invalidConversion)
    #expect(failure("regex.extract('a', value)", ["value": "(a)(b)"])?.code == .expressionFailed)
  }

  @Test func `numbers are sorted as they are compared`() throws {
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

  @Test func `keys that have one name in JSON are refused`() throws {
    for text in ["toJSON({1: 2, '1': 3})", "toJSON([{'a': {true: 1, 'true': 2}}])"] {
      #expect(failure(text)?.code == .invalidConversion)
    }
    let written = try evaluate("toJSON({1: 2, '2': 3, true: 4})")
    #expect(written == #"{"1":2,"2":3,"true":4}"#)
  }
}
