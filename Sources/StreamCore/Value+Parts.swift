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
///
/// NB: without type parameters: a comparison that another module specializes is not specialized, and took five times as
/// long for short lists.
package protocol PartEquality: AnyObject {
  /// Whether whatever is stored once is equal to itself.
  var isReflexive: Bool { get }
  /// Whether two values are equal that are not both lists, or both maps.
  func areEqual(_ first: Value, _ second: Value) -> Bool
  /// The value that `map` has for a key of a map that it is compared with.
  func value(for key: Value, in map: ValueMap) -> Value?

  /// A comparison begins, or begins again on a larger stack.
  func willBegin()
  /// Two lists, maps or optionals with this number of parts are about to be compared; false ends the comparison.
  func mayCompare(_ first: Value, count: Int) -> Bool
  /// A key is about to be looked up in a map; false ends the comparison.
  func mayFind(_ key: Value) -> Bool
}

extension PartEquality {
  package func value(for key: Value, in map: ValueMap) -> Value? { map[key] }
  package func willBegin() {}
  package func mayCompare(_ first: Value, count: Int) -> Bool { true }
  package func mayFind(_ key: Value) -> Bool { true }
}

/// A comparison of two values part by part.
///
/// - Complexity: linear in the number of pairs of lists and maps that differ, however often each of them is used.
package struct PartwiseComparison {
  private struct Pair: Hashable {
    let first, second: UnsafeRawPointer
  }

  private let equality: any PartEquality
  private var levels: Int
  private var isTooDeep = false
  private var count = 0
  private var equal: Set<Pair> = []

  /// Compares two values by a rule. Where the rule has ended the comparison, the result means nothing.
  package static func areEqual(_ first: Value, _ second: Value, by equality: any PartEquality) -> Bool {
    DeepStack.run { levels in
      equality.willBegin()
      var comparison = PartwiseComparison(equality: equality, levels: levels)
      let isEqual = comparison.areEqual(first, second)
      return comparison.isTooDeep ? nil : isEqual
    }
  }

  private init(equality: any PartEquality, levels: Int) {
    self.equality = equality
    self.levels = levels
  }

  private mutating func areEqual(_ first: Value, _ second: Value) -> Bool {
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
      guard equality.mayCompare(first, count: 1), descend() else { return false }
      defer { levels += 1 }
      return areEqual(x, y)
    default: return equality.areEqual(first, second)
    }
    guard let a = first.partsAddress, let b = second.partsAddress else { return true }
    if equality.isReflexive && a == b { return true }
    guard equality.mayCompare(first, count: count) else { return false }
    self.count += 1
    let pair = Pair(first: a, second: b)
    let isRemembered = self.count > Value.unsharedParts
    if isRemembered && equal.contains(pair) { return true }
    guard descend() else { return false }
    defer { levels += 1 }
    guard haveEqualParts(first, second) else { return false }
    if isRemembered { equal.insert(pair) }
    return true
  }

  /// Goes down a level if there are some left.
  private mutating func descend() -> Bool {
    if levels == 0 {
      isTooDeep = true
      return false
    }
    levels -= 1
    return true
  }

  /// Compares two lists, or two maps, of one count.
  private mutating func haveEqualParts(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.list(let a), .list(let b)):
      for index in a.indices {
        guard areEqual(a[index], b[index]) else { return false }
      }
    case (.map(let a), .map(let b)):
      let hasSameShape = a.shape === b.shape
      for (index, (key, x)) in a.pairs.enumerated() {
        guard equality.mayFind(key), let y = hasSameShape ? b.slots[index] : equality.value(for: key, in: b),
          areEqual(x, y)
        else { return false }
      }
    default: break
    }
    return true
  }
}
