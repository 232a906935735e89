@_spi(Engine) import StreamCore
import Testing

@testable import CEL

/// Every function charges for the bytes and elements that it visits. How long a step takes is measured by
/// `CELBenchmarks costs`.
@Suite struct FunctionCosts {
  static let functions = FunctionCatalogue.tables.flatMap(\.functions).filter { !$0.bodies.isEmpty }

  /// The functions that take the same time for arguments of all sizes, or charge by the part that they visit.
  static let constant: Set<String> = [
    "type", "dyn", "slice", "first", "last", "toJSON", "masked", "optional.none", "optional.of",
    "optional.ofNonZeroValue", "hasValue", "value", "orValue", "or",
  ]

  @Test("The functions whose cost does not depend on sizes are known")
  func functionsWhoseCost() {
    let actual = Set(Self.functions.filter(\.cost.isConstant).map(\.name))
    #expect(actual == Self.constant)
    let ofBytes = Set(Self.functions.filter { $0.cost.perElement == 0 && !$0.cost.isConstant }.map(\.name))
    #expect(ofBytes == ["size"])
  }

  /// An argument of this type, and the number of its bytes that a function has to visit.
  private static func argument(_ type: CELType) -> (value: Value, bytes: Int) {
    let size = 64_000
    switch type {
    case .string, .dyn, .parameter: return (.string(String(repeating: "1", count: size)), size)
    case .bytes: return (.bytes([UInt8](repeating: 0x31, count: size)), size)
    case .list(.int): return (.list((0..<size / 8).map { .int(Int64($0)) }), size)
    case .list(.optional): return (.list(Array(repeating: .optional(1), count: size / 8)), size)
    case .list: return (.list((0..<size / 16).map { .string("a string of \($0)") }), size)
    case .map: return (.map(ValueMap((0..<size / 16).map { (Value.int(Int64($0)), Value.int(1)) })), size)
    case .uint: return (.uint(1), 0)
    case .double: return (1.5, 0)
    case .bool: return (true, 0)
    case .timestamp: return (.timestamp(Timestamp(seconds: 0)), 0)
    case .duration: return (.duration(.seconds(1)), 0)
    default: return (1, 0)
    }
  }

  /// The steps of an expression with these variables, whether it has a value or fails.
  private static func steps(
    _ text: String, _ values: [Value], limits: ExpressionLimits = ExpressionLimits(budget: .max / 2)
  ) throws -> Int {
    let names = ["a", "b", "c", "d"]
    var environment = ExpressionEnvironment(variables: names.prefix(values.count).map { Variable($0) }, limits: limits)
    environment.random = .place(key: { RandomSource.key(seed: 1, place: "") }, slots: [])
    let plan = try CELExpression(text).plan(in: environment)
    let activation = Activation(slotCount: values.count, limits: limits)
    for (slot, value) in values.enumerated() { activation.set(value, at: slot) }
    _ = try? plan.evaluate(activation)
    return activation.steps
  }

  @Test(
    "A function charges a step for 32 bytes at least", arguments: functions.filter { !$0.cost.isConstant }.map(\.name))
  func functionChargesStep(name: String) throws {
    let function = try #require(FunctionCatalogue.function(named: name))
    for signature in function.signatures(.mixed) where !signature.function.hasPrefix("@") {
      let arguments = signature.parameters.map(Self.argument)
      let names = ["a", "b", "c", "d"].prefix(arguments.count)
      let listed = (signature.isMember ? names.dropFirst() : names[...]).joined(separator: ", ")
      let steps = try Self.steps(
        (signature.isMember ? "a." : "") + "\(name)(\(listed))", arguments.map(\.value))
      let bytes = arguments.reduce(0) {
        if function.cost.perElement == 0, $1.value.typeName == "list" || $1.value.typeName == "map" { return $0 }
        return $0 + $1.bytes
      }
      #expect(steps >= bytes / 32, "\(signature): \(steps) steps for \(bytes) bytes")
    }
  }

  @Test(
    "An operator charges a step for 32 bytes at least",
    arguments: [
      "a == b", "a != b", "a < b", "a >= b", "a + b", "a in [b]", "a in {b: 1}", "{'k': 1}[a]", "{'k': 1}[?a]",
      "{a: 1}",
      "[a].distinct()", "sets.contains([a], [b])", "toJSON(a)", "toJSON([a])", "'%s'.format([a])", "[a] == [b]",
      "{'k': a} == {'k': b}", "[a, b].sort()", "a.matches('c')", "a.matches('' + 'c')", "regex.extract(a, 'c')",
      "a + 'c' == b + 'd'",
    ])
  func operatorChargesStep(text: String) throws {
    let long = String(repeating: "1", count: 64_000)
    let steps = try Self.steps(text, [.string(long), .string(long + "")])
    // Copies of one string are known to be equal.
    let different = try Self.steps(text, [.string(long), .string(String(long.reversed()))])
    #expect(max(steps, different) >= 64_000 / 32, "\(steps) and \(different) steps")
  }

  @Test(
    "Lists are paid for by their elements",
    arguments: [
      "a.map(x, x)", "a.filter(x, true)", "a.all(x, true)", "a.exists(x, false)", "a.transformList(i, x, x)",
      "a.transformMap(i, x, x)", "a.sortBy(x, x)", "a == b", "a + b", "a.flatten()", "a.distinct()", "'x' in a",
      "a.sum()", "a.min()", "a.isSorted()", "a.indexOf('x')", "a.zip(a)", "a.groupBy(x, x)", "a.fold(y, x, 0, 1)",
      "a.sortBy(x, [x, x])", "a.reverse()", "a.slice(0, 4000)", "a.sort()", "a.join()", "toJSON(a)", "'%s'.format([a])",
      "[a, a].flatten()",
    ])
  func listsPaidTheir(text: String) throws {
    let list = Value.list((0..<4000).map { .string("\($0)") })
    let steps = try Self.steps(text, [list, list])
    #expect(steps >= 4000)
  }

  /// Calls with short values, and a tenth of the nanoseconds that they were measured to take.
  static let shortCalls: [(call: String, steps: Int)] = [
    ("isIP('2001:db8:85a3:8d3:1319:8a2e:370:7348')", 150), ("isCIDR('2001:db8:85a3:8d3:1319:8a2e:370:7348/64')", 380),
    ("ip(a)", 50), ("ip.isCanonical('2001:db8:85a3:8d3:1319:8a2e:370:7348')", 340),
    ("cidr('10.0.0.0/8').containsIP('10.1.2.3')", 240), ("cidr('10.0.0.0/8').containsCIDR('10.1.2.0/24')", 340),
    ("cidr('10.0.0.0/8').masked()", 140), ("string(ip(a))", 200), ("string(cidr('10.0.0.0/8'))", 280),
    ("string(timestamp(0))", 130), ("string(duration('3h4m5.678s'))", 180), ("string(1.25)", 20),
    ("'%.10f'.format([1e300])", 1100), ("'%e'.format([1.2345e300])", 260), ("sha256(a)", 100),
    ("a.contains('c')", 25), ("a.indexOf('c')", 25), ("a.replace('a', 'b')", 45), ("base64.decode('YWJj')", 40),
    ("timestamp(0).getHours('Europe/Berlin')", 40),
  ]

  @Test("A call with short values is paid for", arguments: shortCalls)
  func callShortValues(call: String, steps: Int) throws {
    let actual = try Self.steps(call, [.string("10.0.0.1")])
    #expect(actual >= steps * 9 / 10)
  }

  @Test("An error that does not count is paid for")
  func errorDoesCount() throws {
    let list = Value.list((0..<1000).map(Value.int))
    #expect(try Self.steps("a.all(x, x.y || true)", [list]) > 100_000)
    #expect(try Self.steps("a.exists(x, x.y)", [list]) > 100_000)
  }

  @Test("A long name is paid for in a loop")
  func longNamePaid() throws {
    let name = String(repeating: "n", count: 1600)
    let list = Value.list((0..<100).map(Value.int))
    #expect(try Self.steps("a.all(x, !has(b.\(name)))", [list, [:]]) > 10_000)
  }

  @Test(
    "The budget ends what would take long",
    arguments: [
      // A text of 90,000 characters that is counted again and again.
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), lists.range(10000).all(i, size(s) > 0))",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), lists.range(10000).all(i, s.charAt(7) == 'a'))",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), lists.range(10000).all(i, s < s + 'b'))",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), lists.range(10000).all(i, !(s in {'a': 1})))",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), s.matches('\(String(repeating: ".*", count: 500))y'))",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), lists.range(10000).all(i, s.split('').size() > 0))",
      // Patterns that are short and take long to compile, and sets with many members.
      "lists.range(10000).all(i, 'b'.matches(string(i) + '((){1000}){90}'))",
      "lists.range(1000).all(i, !'é'.matches('[' + lists.range(999).map(y, 'a').join() + ']'))",
      // Replacements of nothing.
      "regex.replace(regex.replace(regex.replace(regex.replace('aaaaaaaaaa', '', 'bbbbbbbbbb'), '', 'cccccccccc'), '', "
        + "'dddddddddd'), '', 'eeeeeeeeee').size()",
      "cel.bind(s, lists.range(9000).map(y, 'aaaaaaaaaa').join(''), s.replace('', s).size())",
    ])
  func budgetEndsWhat(text: String) {
    let found = failure(text, limits: ExpressionLimits(budget: 1_000_000))
    #expect(found?.code == .budgetExceeded || found?.code == .limitExceeded)
  }

  @Test("Places in strings count scalars", arguments: ["a", "é", "€", "😀", "aé€😀", "😀a", "\u{301}e"])
  func placesStringsCount(piece: String) throws {
    for count in [0, 1, 2, 3, 7, 8, 9, 31, 32, 63, 64, 247, 248, 249, 250, 500, 1000] {
      let text = String(repeating: piece, count: count)
      let scalars = Array(text.unicodeScalars)
      #expect(ScalarText.count(text) == scalars.count)
      let places = ScalarText(text)
      #expect(places.count == scalars.count)
      #expect(String(decoding: places.reversed(), as: UTF8.self).unicodeScalars.elementsEqual(scalars.reversed()))
      for place in [0, 1, scalars.count / 2, scalars.count - 1, scalars.count] where scalars.indices.contains(place) {
        let offset = try #require(places.offset(of: place))
        #expect(places.place(of: offset) == place)
        #expect(places.text(offset..<places.end(after: offset)) == String(scalars[place]))
      }
      #expect(places.offset(of: scalars.count) == places.bytes.count)
      #expect(places.offset(of: scalars.count + 1) == nil && places.offset(of: -1) == nil)
    }
  }

  @Test("The hash of a string distinguishes its forms")
  func hashStringDistinguishes() {
    // Otherwise as many texts as one likes have one hash, and each look-up among them compares with all.
    let (one, other) = (MapKey("\u{E9}"), MapKey("e\u{301}"))
    #expect(one != other)
    #expect(one.hashValue != other.hashValue)
  }
}

extension FunctionCost {
  fileprivate var isConstant: Bool { perKilobyte == 0 && perElement == 0 }
}
