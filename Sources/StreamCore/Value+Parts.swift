extension Value {
  /// How many lists and maps a walk through a value enters before it remembers them.
  ///
  /// A list may hold one list twice, which holds one list twice, and so on: thirty lists then have more paths than can
  /// be walked. Values from files have no shared parts, and few have more than this many; they pay for a counter.
  fileprivate static let unsharedParts = 1000

  /// Where the elements of a list, or the values of a map, are stored; nil for what has no parts.
  ///
  /// Two values that are alive have the same parts where the addresses are equal.
  package var partsAddress: UnsafeRawPointer? {
    switch self {
    case .list(let items) where !items.isEmpty: items.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    case .map(let map) where !map.isEmpty:
      map.slots.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
    default: nil
    }
  }

  /// The value with all leaves replaced by what `transform` makes of them; a leaf is no list and no map.
  ///
  /// - Parameter includesKeys: whether the keys of maps are leaves too. Those that are strings never are.
  /// - Complexity: linear in the number of lists and maps that differ, however often each of them is used.
  package func mapLeaves(includesKeys: Bool = false, _ transform: (Value) -> Value) -> Value {
    switch self {
    case .list, .map:
      return withoutActuallyEscaping(transform) { transform in
        DeepStack.run { levels in
          var mapping = LeafMapping(includesKeys: includesKeys, transform: transform, levels: levels)
          let result = mapping.result(for: self)
          return mapping.isTooDeep ? nil : result
        }
      }
    default: return transform(self)
    }
  }
}

/// One walk of `mapLeaves`.
private struct LeafMapping {
  let includesKeys: Bool
  let transform: (Value) -> Value
  private var levels: Int
  private(set) var isTooDeep = false
  private var count = 0
  private var results: [UnsafeRawPointer: Value] = [:]

  init(includesKeys: Bool, transform: @escaping (Value) -> Value, levels: Int) {
    self.includesKeys = includesKeys
    self.transform = transform
    self.levels = levels
  }

  mutating func result(for value: Value) -> Value {
    guard let address = value.partsAddress else { return leaf(value) }
    if let known = results[address] { return known }
    guard levels > 0, !isTooDeep else {
      isTooDeep = true
      return value
    }
    levels -= 1
    defer { levels += 1 }
    count += 1
    let isRemembered = count > Value.unsharedParts
    let result = container(value)
    // NB: a list and the values of a map never share their storage.
    if isRemembered { results[address] = result }
    return result
  }

  private func leaf(_ value: Value) -> Value {
    switch value {
    case .list, .map: value
    default: transform(value)
    }
  }

  private mutating func container(_ value: Value) -> Value {
    switch value {
    case .list(let items):
      var parts: [Value] = []
      parts.reserveCapacity(items.count)
      for item in items { parts.append(result(for: item)) }
      return .list(parts)
    case .map(let map):
      var parts: [Value] = []
      parts.reserveCapacity(map.count)
      for part in map.slots { parts.append(result(for: part)) }
      guard includesKeys, !map.keys.allSatisfy(\.isText) else {
        return .map(ValueMap(shape: map.shape, slots: parts))
      }
      return .map(ValueMap(Array(zip(map.keys.map { $0.isText ? $0 : result(for: $0) }, parts))))
    default: return value
    }
  }
}

extension Value {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}

/// The rule by which two values are equal.
package protocol PartEquality {
  associatedtype Failure: Error
  /// Whether whatever is stored once is equal to itself.
  static var isReflexive: Bool { get }
  /// Whether two values are equal that are not both lists, or both maps.
  func areEqual(_ first: Value, _ second: Value) throws(Failure) -> Bool
  /// The value that `map` has for a key of a map that it is compared with.
  func value(for key: Value, in map: ValueMap) -> Value?

  /// A comparison begins, or begins again on a larger stack.
  func willBegin()
  /// Two lists, maps or optionals with this number of parts are about to be compared.
  func willCompare(_ first: Value, count: Int) throws(Failure)
  /// A key is about to be looked up in a map.
  func willFind(_ key: Value) throws(Failure)
}

extension PartEquality {
  package func willBegin() {}
}

extension PartEquality where Failure == Never {
  package func willCompare(_ first: Value, count: Int) {}
  package func willFind(_ key: Value) {}
}

/// A comparison of two values part by part.
///
/// - Complexity: linear in the number of pairs of lists and maps that differ, however often each of them is used.
package struct PartwiseComparison<Equality: PartEquality> {
  private struct Pair: Hashable {
    let first, second: UnsafeRawPointer
  }

  private let equality: Equality
  private var levels: Int
  private var isTooDeep = false
  private var count = 0
  private var equal: Set<Pair> = []

  /// Compares two values by a rule.
  package static func areEqual(
    _ first: Value, _ second: Value, by equality: Equality
  ) throws(Equality.Failure) -> Bool {
    try DeepStack.run { (levels) throws(Equality.Failure) -> Bool? in
      equality.willBegin()
      var comparison = PartwiseComparison(equality: equality, levels: levels)
      let isEqual = try comparison.areEqual(first, second)
      return comparison.isTooDeep ? nil : isEqual
    }
  }

  private init(equality: Equality, levels: Int) {
    self.equality = equality
    self.levels = levels
  }

  private mutating func areEqual(_ first: Value, _ second: Value) throws(Equality.Failure) -> Bool {
    let count: Int
    switch (first, second) {
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return false }
      count = a.count
    case (.map(let a), .map(let b)):
      guard a.count == b.count else { return false }
      count = a.count
    case (.opaque(let a as any WrappingValue), .opaque(let b as any WrappingValue)):
      guard let x = a.wrapped, let y = b.wrapped else { return a.wrapped == nil && b.wrapped == nil }
      try equality.willCompare(first, count: 1)
      return try descend { (comparison) throws(Equality.Failure) in try comparison.areEqual(x, y) }
    default: return try equality.areEqual(first, second)
    }
    guard let a = first.partsAddress, let b = second.partsAddress else { return true }
    if Equality.isReflexive && a == b { return true }
    try equality.willCompare(first, count: count)
    self.count += 1
    let pair = Pair(first: a, second: b)
    let isRemembered = self.count > Value.unsharedParts
    if isRemembered && equal.contains(pair) { return true }
    guard try descend({ (comparison) throws(Equality.Failure) in try comparison.haveEqualParts(first, second) }) else {
      return false
    }
    if isRemembered { equal.insert(pair) }
    return true
  }

  private mutating func descend(
    _ compare: (inout Self) throws(Equality.Failure) -> Bool
  ) throws(Equality.Failure) -> Bool {
    guard levels > 0 else {
      isTooDeep = true
      return false
    }
    levels -= 1
    defer { levels += 1 }
    return try compare(&self)
  }

  /// Compares two lists, or two maps, of one count.
  private mutating func haveEqualParts(_ first: Value, _ second: Value) throws(Equality.Failure) -> Bool {
    switch (first, second) {
    case (.list(let a), .list(let b)):
      for (x, y) in zip(a, b) {
        guard try areEqual(x, y) else { return false }
      }
    case (.map(let a), .map(let b)):
      let hasSameShape = a.shape === b.shape
      for (index, (key, x)) in a.pairs.enumerated() {
        try equality.willFind(key)
        guard let y = hasSameShape ? b.slots[index] : equality.value(for: key, in: b), try areEqual(x, y) else {
          return false
        }
      }
    default: break
    }
    return true
  }
}
