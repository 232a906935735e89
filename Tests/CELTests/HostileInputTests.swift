import StreamCore
import Testing

@testable import CEL

@Suite struct HostileInput {
  static let deep: [String] = [
    String(repeating: "(", count: 99_999), String(repeating: "[", count: 99_999),
    String(repeating: "-", count: 99_999) + "1", String(repeating: "!", count: 99_999) + "x",
    "a" + String(repeating: ".a", count: 49_000), String(repeating: "a?b:", count: 24_000) + "c",
    "1" + String(repeating: "+1", count: 49_000), String(repeating: "{1:", count: 33_000),
    String(repeating: "f(", count: 49_000), "a" + String(repeating: "[0]", count: 33_000),
  ]

  @Test("Deep nesting is an error and not a crash, on small stacks too")
  func deepNestingError() {
    let results = onSmallStack { Self.deep.map { failure($0, ["a": 1, "x": true])?.code } }
    for code in results { #expect(code == .expressionTooLarge) }
  }

  // NB: around the depth at which another stack is taken, and just within the limit.
  @Test("An expression within the limit runs on small stacks", arguments: [8, 11, 12, 13, 20, 248])
  func expressionWithinLimit(level: Int) {
    let expressions = [
      String(repeating: "(", count: level) + "1" + String(repeating: ")", count: level),
      String(repeating: "[", count: level) + "x" + String(repeating: "]", count: level),
      "x" + String(repeating: "+x", count: level), String(repeating: "-", count: level) + "x",
      String(repeating: "x>0?x:", count: level - 1) + "x",
      String(repeating: "m[", count: level) + "1"
        + String(repeating: "]", count: level),
      String(repeating: "{'a':", count: level / 2 - 3) + "x"
        + String(repeating: "}", count: level / 2 - 3) + String(repeating: ".a", count: level / 2 - 3),
      String(repeating: "[1].map(e, ", count: level / 3) + "x" + String(repeating: ")", count: level / 3),
      String(repeating: "[1].all(e, ", count: level / 4) + "x > 0" + String(repeating: ")", count: level / 4),
      String(repeating: "optional.of(1).optMap(e, ", count: level / 4) + "x" + String(repeating: ")", count: level / 4),
      String(repeating: "cel.bind(e, 1, ", count: level / 2) + "x" + String(repeating: ")", count: level / 2),
      String(repeating: "[?optional.of(", count: level / 3) + "x" + String(repeating: ")]", count: level / 3),
      String(repeating: "{1:", count: level) + "x" + String(repeating: "}", count: level),
      String(repeating: "dyn(", count: level) + "x" + String(repeating: ")", count: level),
      String(repeating: "x<(", count: 1) + String(repeating: "x+x*(", count: level / 2 - 4)
        + "x" + String(repeating: ")", count: level / 2 - 3),
    ]
    let results = onSmallStack { expressions.map { failure($0, ["x": 1, "m": [1: 1]])?.message } }
    for result in results { #expect(result == nil) }
  }

  @Test("Brackets in strings and comments do not hide the depth")
  func bracketsStringsComments() {
    let hidden = String(repeating: ")", count: 300)
    let deep = String(repeating: "[", count: 240) + "x" + String(repeating: "]", count: 240)
    let expressions = ["['\(hidden)', \(deep)]", "[ // \(hidden)\n \(deep)]", "[r\"\"\"\(hidden)\"\"\", \(deep)]"]
    let results = onSmallStack { expressions.map { failure($0, ["x": 1])?.message } }
    for result in results { #expect(result == nil) }
  }

  @Test("Long chains of `&&` and `||` are balanced")
  func longChainsBalanced() throws {
    let expression = Array(repeating: "x", count: 10_000).joined(separator: " && ")
    let value = try evaluate(expression, ["x": true])
    #expect(value == true)
  }

  @Test("Loops end when the budget is spent")
  func loopsEndWhen() {
    let limits = ExpressionLimits(budget: 1000)
    let list = Value.list((1...10).map(Value.int))
    let nested = "l.map(a, l.map(b, l.map(c, a + b + c)))"
    let code = failure(nested, ["l": list], limits: limits)?.code
    #expect(code == .budgetExceeded)
    let absorbed = failure("\(nested).size() > 0 || true", ["l": list], limits: limits)?.code
    #expect(absorbed == .budgetExceeded)
    let foreseen = failure(nested.replacing("l.map", with: "[1,2,3,4,5,6,7,8,9,10].map"), limits: limits)?.code
    #expect(foreseen == .expressionTooLarge)
  }

  @Test(
    "Values that hold one another so often that they seem endless are bounded",
    arguments: ["== v", "!= w", "in [v]", "in [w]", ".distinct()", ".format()", ".toJSON()"])
  func valuesHoldOne(use: String) {
    let level = 60
    let end =
      switch use {
      case ".format()": "'%s'.format([v])"
      case ".toJSON()": "toJSON(v)"
      case ".distinct()": "[v, w].distinct()"
      default: "v \(use)"
      }
    // v holds 2 to the power of 60 strings, w too.
    let expression =
      "cel.bind(w, ['x']\(String(repeating: ".map(e, [e, e])", count: level)), "
      + "cel.bind(v, ['x']\(String(repeating: ".map(e, [e, e])", count: level)), \(end)))"
    let code = failure(expression, limits: ExpressionLimits(depth: 500, budget: 200_000))?.code
    // Parts that are shared are compared once.
    if ["==", "!=", "in ", ".distinct"].contains(where: use.contains) {
      #expect(code == nil)
    } else {
      #expect(code == .budgetExceeded || code == .limitExceeded)
    }
  }

  @Test(
    "A range of fewer than no elements is empty, and pays nothing back",
    arguments: [Int64.min, Int64.min + 1, -1_000_000_000_000, -1, 0])
  func rangeFewerElements(count: Int64) throws {
    #expect(try evaluate("lists.range(n).size()", ["n": .int(count)]) == 0)
    let work = "lists.range(300).all(i, lists.range(300).all(j, j + i >= 0))"
    #expect(
      failure("lists.range(n).size() == 0 && \(work)", ["n": .int(count)], limits: ExpressionLimits(budget: 100_000))?
        .code
        == .budgetExceeded)
  }

  @Test("A set of many members that is repeated is cheap to compile")
  func setManyMembers() throws {
    let members = "lists.range(20000).map(y, 'a').join()"
    #expect(try evaluate("'b'.matches('([' + \(members) + ']{1000}){9}')") == false)
  }

  @Test("Mixed numbers are sorted exactly")
  func mixedNumbersSorted() throws {
    let large: Int64 = 9_007_199_254_740_992
    let numbers: Value = [2, .int(large + 1), .double(Double(large)), .int(large), -1.5, -1, -2]
    let sorted = try evaluate("x.sort()", ["x": numbers])
    #expect(sorted == [-2, -1.5, -1, 2, .double(Double(large)), .int(large), .int(large + 1)])
    #expect(
      try evaluate("[1.0 / 0.0, 9223372036854775807, 18446744073709551615u, -1.0 / 0.0, 1e300].sort()")
        == [.double(-.infinity), 9_223_372_036_854_775_807, .uint(.max), 1e300, .double(.infinity)])
  }

  @Test("Places beyond all texts are reported unchanged")
  func placesBeyondAll() {
    #expect(
      failure("'abc'.charAt(9223372036854775807)")?.message.hasSuffix("has no character at 9223372036854775807") == true
    )
  }

  @Test(
    "Lists are not keys, however large they are",
    arguments: ["d in {1: 2}", "{1: 2}[d] == 1", "{1: 2}[?d].hasValue()", "{d: 1} == {}", "{1: 2}.all(k, k == d)"])
  func listsKeysHowever(use: String) {
    let expression = "cel.bind(d, dyn(['x']\(String(repeating: ".map(e, [e, e])", count: 60))), \(use))"
    let found = failure("\(expression) || true", limits: ExpressionLimits(depth: 500))
    #expect(found == nil)
  }

  // NB: texts of ten megabytes are among the benchmarks, which are optimized.
  @Test("Long strings are scanned in time")
  func longStringsScanned() throws {
    let text = Value.string(String(repeating: "ab ", count: 33_333))
    let parts = [
      "x.contains('abc')", "x.matches('(a|b| )*c')", "x.indexOf('bb ') > 0", "x.split(' ').size() < 0",
      "x.reverse() == ''",
      "x.upperAscii() == ''", "x.replace('a', '') == ''", "(x + x).size() == 0",
    ]
    for part in parts {
      let found = failure("\(part) || true", ["x": text])
      #expect(found == nil || found?.code == .budgetExceeded || found?.code == .limitExceeded)
    }
  }

  @Test("A single scan of a long string is within the budget")
  func singleScanLong() throws {
    let text = Value.string(String(repeating: "ab ", count: 10_000))
    let lists = Value.list(Array(repeating: [1, 2], count: 50_000))
    let limits = ExpressionLimits(budget: 5_000_000)
    let size = try evaluate(
      "[x.replace('a', 'bb').size(), regex.replace(x, 'a', 'bb').size(), x.split(' ').size(), l.flatten().size()]",
      ["x": text, "l": lists], limits: limits)
    #expect(size == [40_000, 40_000, 10_001, 100_000])
  }

  @Test("Texts and lists are bounded")
  func textsListsBounded() {
    let limits = ExpressionLimits(stringBytes: 100, listCount: 10)
    let text = failure(
      "[1,2,3,4].all(i, x.size() < 1000) ? x + x : x", ["x": .string(String(repeating: "a", count: 60))], limits: limits
    )
    #expect(text?.code == .limitExceeded)
    let list = failure("x + x", ["x": [1, 2, 3, 4, 5, 6]], limits: limits)
    #expect(list?.code == .limitExceeded)
  }

  @Test("An expression that is too long is refused")
  func expressionLongRefused() {
    let code = failure(String(repeating: " ", count: 100_001))?.code
    #expect(code == .expressionTooLarge)
  }

  @Test(
    "Patterns that explode elsewhere take linear time", arguments: ["(a*)*b", "(a|a)*b", "(a+)+$", "(.*)(.*)(.*)(.*)b"])
  func patternsExplodeElsewhere(pattern: String) throws {
    let value = try evaluate("x.matches(r'\(pattern)') || true", ["x": .string(String(repeating: "a", count: 5000))])
    #expect(value == true)
  }

  @Test(
    "Patterns that are too large are refused",
    arguments: ["(a{1000}){1000}", "((){1000}){1000}", "(((((a{100}){100}){100}){100}){100})"])
  func patternsLargeRefused(pattern: String) {
    let code = failure("'a'.matches(r'\(pattern)')")?.code
    #expect(code == .invalidLiteral)
  }

  @Test("No piece of an expression crashes the parser")
  func pieceExpressionCrashes() {
    let pieces = [
      "a", ".", "(", ")", "[", "]", "{", "}", "'x'", "1", "?", ":", ",", "+", "-", "&&", "in", "`a`", "b'\\", "0x",
    ]
    for first in pieces {
      for second in pieces {
        for third in pieces { _ = failure("\(first)\(second) \(third)") }
      }
    }
  }

  /// Runs on a thread with 512 KB of stack.
  private func onSmallStack<Output>(_ body: () -> Output) -> Output {
    var output: Output?
    let isDone = DeepStack.onThread(stackBytes: 512 * 1024) { output = body() }
    guard isDone, let output else { preconditionFailure("the thread has not run") }
    return output
  }

  @Test("The regular expressions of a file have a bound together")
  func manyPatterns() throws {
    let memory = ExpressionMemory()
    let environment = ExpressionEnvironment(variables: [Variable("x", .string)])
    func problem(_ number: Int) -> Diagnostic? {
      let text = "x.matches('(a{99}){90}b\(number)')"
      let result = Result { () throws(Diagnostics) in
        try CELExpression(text).plan(in: environment, using: memory)
      }
      if case .failure(let error) = result { return error.all.first }
      return nil
    }
    let problems = (0..<200).map(problem)
    #expect(problems.prefix(112).allSatisfy { $0 == nil })
    #expect(problems.suffix(87).allSatisfy { $0?.code == .expressionTooLarge })
    #expect(problems.last??.message == "the regular expressions of the file have more than 1000000 instructions")
  }
}
