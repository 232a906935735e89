@_spi(Engine) import StreamCore

/// The order of the elements of a list.
enum ListOrder {
  /// Checks that the elements are of a single ordered type, or numbers.
  static func check(
    _ elements: some Collection<Value>, _ function: String, _ numbers: Numbers = .mixed
  ) throws(EvaluationError) {
    guard let first = elements.first else { return }
    let areNumbers = numbers == .mixed && first.asDouble != nil
    for element in elements {
      guard areNumbers ? element.asDouble != nil : element.typeName == first.typeName && element.hasOrder else {
        throw .noOverload(function, first, element)
      }
    }
  }

  /// Charges for the comparison of two values.
  static func charge(_ a: Value, _ b: Value, _ activation: Activation) throws(EvaluationError) {
    switch (a, b) {
    case (.string(let a), .string(let b)): try activation.charge(bytes: 2 * min(a.utf8.count, b.utf8.count))
    case (.bytes(let a), .bytes(let b)): try activation.charge(bytes: 2 * min(a.count, b.count))
    default: break
    }
  }

  /// Returns the indexes of the keys in ascending order of the keys, and charges for sorting them. The order is stable.
  ///
  /// Keys that are lists compare by their first elements that differ; a list precedes a longer one that begins with it.
  static func sorted(
    _ keys: ValueList, _ function: String, _ numbers: Numbers, _ activation: Activation
  ) throws(EvaluationError) -> [Int] {
    guard let first = keys.first else { return [] }
    var steps = 0
    var bytes = 0
    if case .list = first, function == "sortBy" {
      try checkLists(keys, function, numbers)
      for key in keys {
        guard case .list(let parts) = key else { continue }
        steps += parts.count * 8 + 8
        for part in parts { bytes += part.byteCount }
      }
    } else {
      try check(keys, function, numbers)
      steps = keys.count * 8
      for key in keys { bytes += key.byteCount }
    }
    let rounds = Int.bitWidth - keys.count.leadingZeroBitCount
    try activation.charge(steps * rounds)
    // Keys may differ only in their last bytes.
    try activation.charge(bytes: bytes * rounds)
    return keys.indices.sorted { a, b in
      let order = keys[a].partwiseOrder(keys[b])
      return order == 0 ? a < b : order < 0
    }
  }

  /// Checks that the elements at each place of all lists are of a single ordered type, or numbers.
  private static func checkLists(
    _ keys: ValueList, _ function: String, _ numbers: Numbers
  ) throws(EvaluationError) {
    var columns: [Value] = []
    for key in keys {
      guard case .list(let parts) = key else { throw .noOverload(function, keys[0], key) }
      for (place, part) in parts.enumerated() {
        if place == columns.count { columns.append(part) }
        try check([columns[place], part], function, numbers)
      }
    }
  }
}

extension Value {
  /// Whether values of this type have an order.
  var hasOrder: Bool {
    switch self {
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    default: false
    }
  }

  /// Returns the order of two values of one type, or of two numbers, with NaN before all numbers.
  func totalOrder(_ other: Value) -> Int {
    if let order = exactOrder(other) { return order }
    guard let a = asDouble, let b = other.asDouble else { return 0 }
    return (a.isNaN ? 0 : 1) - (b.isNaN ? 0 : 1)
  }

  /// Returns the order of two values, or of two lists by their elements.
  fileprivate func partwiseOrder(_ other: Value) -> Int {
    guard case .list(let a) = self, case .list(let b) = other else { return totalOrder(other) }
    for (left, right) in zip(a, b) {
      let order = left.totalOrder(right)
      if order != 0 { return order }
    }
    return a.count < b.count ? -1 : a.count == b.count ? 0 : 1
  }

  fileprivate var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let content): content.count
    default: 0
    }
  }
}
