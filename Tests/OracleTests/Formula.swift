import StreamCore

/// An expression, and a closure of the same meaning.
struct Formula: Sendable {
  /// The expression in CEL.
  let text: String
  /// Whether it fails for some values: then the `try…` form of an operator is used.
  let canFail: Bool
  let apply: @Sendable (Variables) throws -> Value

  init(_ text: String, canFail: Bool = false, _ apply: @escaping @Sendable (Variables) throws -> Value) {
    self.text = text
    self.canFail = canFail
    self.apply = apply
  }

  /// The variables of expressions.
  struct Variables: Sendable {
    var value = Value.null
    var acc = Value.null
    var outer = Value.null
    var error = Value.null
    var first = Value.null
    var second = Value.null
    var values: [Value] = []
  }
}

/// How a stream of either side fails.
enum OracleFailure: Error, Hashable {
  /// With what a file or an input gave.
  case payload(Value)
  /// An expression failed.
  case expression
  /// A buffer was full.
  case full

  /// The part of `error` in expressions that formulas use.
  var description: Value { if case .payload(let value) = self { value } else { ["code": "other"] } }
}

extension Value {
  /// The number; 0 for what is none.
  var number: Int64 { if case .int(let number) = self { number } else { 0 } }
  var isTrue: Bool { self == .bool(true) }
}

extension Formula {
  static func add(_ number: Int64) -> Formula {
    Formula("value + \(number)") { .int($0.value.number + number) }
  }

  static let fold = Formula("(acc * 3 + value) % 101") { .int(($0.acc.number * 3 + $0.value.number) % 101) }

  /// Fails for one value.
  static func divide(by number: Int64) -> Formula {
    Formula("12 / (value - \(number))", canFail: true) { variables in
      guard variables.value.number != number else { throw OracleFailure.expression }
      return .int(12 / (variables.value.number - number))
    }
  }

  /// Gives null for some values.
  static func nullable(_ divisor: Int64) -> Formula {
    Formula("value % \(divisor) == 0 ? dyn(null) : dyn(value)") {
      $0.value.number % divisor == 0 ? .null : $0.value
    }
  }

  static func isDivisible(by divisor: Int64) -> Formula {
    Formula("value % \(divisor) == 0") { .bool($0.value.number % divisor == 0) }
  }

  static func isLess(than bound: Int64) -> Formula {
    Formula("value < \(bound)") { .bool($0.value.number < bound) }
  }

  /// A condition that fails for one value.
  static func quotientIsPositive(_ number: Int64) -> Formula {
    Formula("6 / (value - \(number)) > 0", canFail: true) { variables in
      guard variables.value.number != number else { throw OracleFailure.expression }
      return .bool(6 / (variables.value.number - number) > 0)
    }
  }

  static let sameParity = Formula("value % 2 == previous % 2") {
    .bool($0.second.number % 2 == $0.first.number % 2)
  }

  static let byRemainder = Formula("first % 3 - second % 3") {
    .int($0.first.number % 3 - $0.second.number % 3)
  }

  /// Fails for two values that are alike.
  static let byQuotient = Formula("first / (first - second)", canFail: true) { variables in
    let (first, second) = (variables.first.number, variables.second.number)
    guard first != second else { throw OracleFailure.expression }
    return .int(first / (first - second))
  }

  static let withOuter = Formula("outer * 10 + value") { .int($0.outer.number * 10 + $0.value.number) }
  static let outerAlone = Formula("outer + 1") { .int($0.outer.number + 1) }

  static let whichError = Formula("error == 'boom' ? 71 : 72") { $0.error == "boom" ? 71 : 72 }
  static let renamedError = Formula("error == 'boom' ? 'bang' : 'other'") {
    $0.error == "boom" ? "bang" : "other"
  }

  static let weighedPair = Formula("values[0] * 10 + values[1]") { variables in
    .int(variables.values[0].number * 10 + variables.values[1].number)
  }

  // To numbers again.
  static let numberOfBool = Formula("value ? 1 : 0") { $0.value.isTrue ? 1 : 0 }
  static let numberOfElements = Formula("size(value)") { variables in
    if case .list(let elements) = variables.value { .int(Int64(elements.count)) } else { .null }
  }
  static let milliseconds = Formula("int(value * 1000.0)") { variables in
    if case .double(let seconds) = variables.value { .int(Int64(seconds * 1000)) } else { .null }
  }
}
