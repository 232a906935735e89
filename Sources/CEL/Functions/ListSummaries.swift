@_spi(Engine) import StreamCore

extension FunctionCatalogue {
  private static let numbers: [CELType] = [.int, .uint, .double]
  private static let list = CELType.list(.parameter("T"))

  /// Functions that reduce a list to one value: those of Kubernetes' CEL library, `average` and `percentile`.
  static let listSummaries: [Function] = [
    Function(
      "sum", "The sum of the numbers or durations in the list; 0 for an empty list", form: .sum,
      (numbers + [.duration]).map { .method([.list($0)], $0) },
      .one { (list, activation) throws(EvaluationError) in try sum(list, from: nil, activation) }),
    extremum("min", "The least element of the list; an error if the list is empty", order: -1),
    extremum("max", "The greatest element of the list; an error if the list is empty", order: 1),
    Function(
      "average", "The arithmetic mean of the numbers in the list; an error if the list is empty",
      numbers.map { .method([.list($0)], .double) },
      .one { (list, activation) throws(EvaluationError) in
        let numbers = try doubles(list, "average", activation)
        return .double(numbers.reduce(0, +) / Double(numbers.count))
      }),
    Function(
      "percentile",
      "The value below which this percentage of the list's numbers lies, by linear interpolation between the two "
        + "nearest; an error if the list is empty",
      numbers.map { .method([.list($0), .double], .double) },
      mixed: numbers.map { .method([.list($0), .int], .double) },
      .two { (list, percentage, activation) throws(EvaluationError) in
        guard let percentage = percentage.asDouble else { throw .noOverload("percentile", list, percentage) }
        guard (0...100).contains(percentage) else {
          throw EvaluationError(
            .indexOutOfBounds,
            "'percentile' takes a percentage from 0 to 100, not \(Value.double(percentage).shortText)")
        }
        return .double(try percentile(percentage, of: try doubles(list, "percentile", activation), activation))
      }),
    Function(
      "isSorted", "Whether no element is less than the one before it", [.method([list], .bool)],
      .one { (list, activation) throws(EvaluationError) in
        guard case .list(let elements) = list else { throw .noOverload("isSorted", list) }
        try ListOrder.check(elements, "isSorted")
        for (element, next) in zip(elements, elements.dropFirst()) {
          try activation.charge(2)
          try ListOrder.charge(element, next, activation)
          if element.totalOrder(next) > 0 { return .bool(false) }
        }
        return .bool(true)
      }),
  ]

  private static func extremum(_ name: String, _ summary: String, order: Int) -> Function {
    Function(
      name, summary, form: .element, [.method([list], .parameter("T"))],
      .one { (list, activation) throws(EvaluationError) in
        guard case .list(let elements) = list else { throw .noOverload(name, list) }
        guard var best = elements.first else { throw emptyList(name) }
        try ListOrder.check(elements, name)
        for element in elements.dropFirst() {
          try ListOrder.charge(element, best, activation)
          if element.totalOrder(best).signum() == order { best = element }
        }
        return best
      })
  }

  private static func emptyList(_ function: String) -> EvaluationError {
    let call = function == "percentile" ? "percentile(…)" : "\(function)()"
    return EvaluationError(
      .indexOutOfBounds, "'\(function)' of an empty list; write size(list) > 0 ? list.\(call) : other")
  }

  private static func doubles(
    _ list: Value, _ function: String, _ activation: Activation
  ) throws(EvaluationError) -> [Double] {
    guard case .list(let elements) = list else { throw .noOverload(function, list) }
    if elements.isEmpty { throw emptyList(function) }
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard let number = element.asDouble else { throw .noElement(function, element, "numbers") }
      numbers.append(number)
    }
    return numbers
  }

  /// Returns the percentile of at least one number by linear interpolation: NumPy's and Polars' `linear`, DuckDB's
  /// `quantile_cont`. NaN if a number is NaN.
  private static func percentile(
    _ percentage: Double, of numbers: [Double], _ activation: Activation
  ) throws(EvaluationError) -> Double {
    if numbers.contains(where: \.isNaN) { return .nan }
    var sorted = numbers
    // The operator 'sort' sorts more numbers than an evaluation may.
    if !zip(numbers, numbers.dropFirst()).allSatisfy({ $0 <= $1 }) {
      let rounds = Int.bitWidth - numbers.count.leadingZeroBitCount
      try activation.charge(numbers.count * rounds * 2)
      sorted.sort()
    }
    let rank = percentage / 100 * Double(sorted.count - 1)
    let lower = min(Int(rank), sorted.count - 1)
    let fraction = rank - Double(lower)
    if fraction == 0 || lower + 1 == sorted.count { return sorted[lower] }
    return sorted[lower] + (sorted[lower + 1] - sorted[lower]) * fraction
  }

  /// Returns the sum of a list's elements.
  ///
  /// - Parameter zero: The sum of an empty list, if the type of the elements is known.
  static func sum(_ list: Value, from zero: Value?, _ activation: Activation) throws(EvaluationError) -> Value {
    guard case .list(let elements) = list else { throw .noOverload("sum", list) }
    guard let first = elements.first else { return zero ?? .int(0) }
    var total: Value =
      switch zero {
      case .double: first.asDouble.map(Value.double) ?? first
      default: first
      }
    guard total.asDouble != nil || total.isDuration else { throw .noElement("sum", total, "numbers or durations") }
    for element in elements.dropFirst() {
      guard element.asDouble != nil || element.isDuration else {
        throw .noElement("sum", element, "numbers or durations")
      }
      total = try ArithmeticOperation.add.apply(total, element, .mixed, activation)
    }
    return total
  }
}

extension EvaluationError {
  /// The error of a list with an element that the function cannot use.
  static func noElement(_ function: String, _ element: Value, _ wanted: String) -> EvaluationError {
    EvaluationError(.noSuchOverload, "'\(function)' takes a list of \(wanted), not \(element.shortText) in it")
  }
}

extension Value {
  fileprivate var isDuration: Bool {
    if case .duration = self { return true }
    return false
  }
}
