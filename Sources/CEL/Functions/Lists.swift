@_spi(Engine) import StreamCore

extension FunctionCatalogue {
  private static let list = CELType.list(.parameter("T"))

  /// cel-spec's list extension. `sortBy` is a macro; `reverse` and `indexOf` are among the string functions.
  static let lists: [Function] = [
    Function(
      "slice", "The elements from a start index up to, but not including, an end index", cost: .constant,
      [.method([list, .int, .int], list)],
      .three { (list, start, end, activation) throws(EvaluationError) in
        guard case .list(let elements) = list, case .int(let start) = start, case .int(let end) = end else {
          throw .noOverload("slice", list, start, end)
        }
        guard start >= 0, start <= end, end <= elements.count else {
          throw EvaluationError(
            .indexOutOfBounds, "a list of \(elements.count) elements has no range from \(start) to \(end)")
        }
        try activation.charge(Int(end - start) * 2)
        return .list(Array(elements[Int(start)..<Int(end)]))
      }),
    Function(
      "flatten", "The elements of the nested lists, flattened one level or the given number of levels",
      [.method([.list(.dyn)], .list(.dyn)), .method([.list(.dyn), .int], .list(.dyn))],
      .one { (list, activation) throws(EvaluationError) in try flatten(list, .int(1), activation) },
      .two { (list, depth, activation) throws(EvaluationError) in try flatten(list, depth, activation) }),
    Function(
      "sort", "The elements in ascending order", [.method([list], list)],
      strict: [
        .one { (list, activation) throws(EvaluationError) in try sort(list, by: list, "sort", .strict, activation) }
      ],
      .one { (list, activation) throws(EvaluationError) in try sort(list, by: list, "sort", .mixed, activation) }),
    Function(
      "@sortByKeys", "The elements in ascending order of their keys",
      [.method([list, .list(.parameter("K"))], list)],
      strict: [
        .two { (list, keys, activation) throws(EvaluationError) in
          try sort(list, by: keys, "sortBy", .strict, activation)
        }
      ],
      .two { (list, keys, activation) throws(EvaluationError) in
        try sort(list, by: keys, "sortBy", .mixed, activation)
      }),
    Function(
      "distinct", "The elements without duplicates", [.method([list], list)],
      .one { (list, activation) throws(EvaluationError) in
        let all = try elements(list, "distinct")
        var found = ElementSet()
        var result: [Value] = []
        for element in all where try found.insert(element, activation) { result.append(element) }
        return .list(result)
      }),
    Function(
      "lists.range", "The ints from 0 up to, but not including, the number", [.function([.int], .list(.int))],
      .one { (count, activation) throws(EvaluationError) in
        guard case .int(let count) = count else { throw .noOverload("lists.range", count) }
        let size = max(count, 0)
        try activation.checkCount(Int(clamping: size))
        return .list((0..<size).map(Value.int))
      }),
    Function(
      "first", "The first element as an optional", cost: .constant, [.method([list], .optional(.parameter("T")))],
      .one { (list, _) throws(EvaluationError) in
        .optional(try elements(list, "first").first)
      }),
    Function(
      "last", "The last element as an optional", cost: .constant, [.method([list], .optional(.parameter("T")))],
      .one { (list, _) throws(EvaluationError) in
        .optional(try elements(list, "last").last)
      }),
  ]

  private static func elements(_ value: Value, _ function: String) throws(EvaluationError) -> [Value] {
    guard case .list(let list) = value else { throw .noOverload(function, value) }
    return list.elements
  }

  private static func flatten(
    _ list: Value, _ depth: Value, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .list(let list) = list, case .int(let depth) = depth else {
      throw .noOverload("flatten", list, depth)
    }
    if depth < 0 { throw EvaluationError(.indexOutOfBounds, "a list cannot be flattened \(depth) levels deep") }
    var elements = list.elements
    var level: Int64 = 0
    while level < depth {
      var result: [Value] = []
      var isFlat = true
      for element in elements {
        if case .list(let inner) = element {
          isFlat = false
          try activation.limitCount(result.count + inner.count)
          result += inner
        } else {
          result.append(element)
        }
      }
      if isFlat { break }
      try activation.checkCount(result.count)
      try activation.charge(result.count * 4)
      elements = result
      level += 1
    }
    return .list(elements)
  }

  /// Sorts by keys of a single ordered type, or by numbers of any types if numbers mix. The sort is stable.
  private static func sort(
    _ list: Value, by keys: Value, _ function: String, _ numbers: Numbers, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .list(let elements) = list, case .list(let keys) = keys, keys.count == elements.count else {
      throw .noOverload(function, list)
    }
    return .list(try ListOrder.sorted(keys, function, numbers, activation).map { elements[$0] })
  }
}

/// A set of values by CEL's equality: scalars are hashed, other values are searched linearly.
struct ElementSet {
  private var scalars: Set<MapKey> = []
  private var others: [Value] = []

  /// Inserts a value; returns whether it was new.
  mutating func insert(_ value: Value, _ activation: Activation) throws(EvaluationError) -> Bool {
    if value.isHashedScalar {
      try activation.charge(96)
      try activation.charge(key: value)
      return scalars.insert(MapKey(value)).inserted
    }
    if try contains(value, activation) { return false }
    others.append(value)
    return true
  }

  func contains(_ value: Value, _ activation: Activation) throws(EvaluationError) -> Bool {
    if value.isHashedScalar {
      try activation.charge(48)
      try activation.charge(key: value)
      return scalars.contains(MapKey(value))
    }
    for other in others {
      try activation.charge(4)
      if try other.isEqual(to: value, activation) { return true }
    }
    return false
  }
}

extension Value {
  /// Whether the equality of `MapKey` is CEL's equality for this value.
  fileprivate var isHashedScalar: Bool {
    switch self {
    case .null, .bool, .int, .uint, .string, .bytes, .timestamp, .duration: true
    case .double(let number): !number.isNaN
    default: false
    }
  }
}
