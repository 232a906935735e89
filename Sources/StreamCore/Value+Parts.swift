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
        var mapping = LeafMapping(includesKeys: includesKeys, transform: transform)
        return mapping.result(for: self)
      }
    default: return transform(self)
    }
  }
}

/// One walk of `mapLeaves`.
private struct LeafMapping {
  let includesKeys: Bool
  let transform: (Value) -> Value
  private var count = 0
  private var results: [UnsafeRawPointer: Value] = [:]

  init(includesKeys: Bool, transform: @escaping (Value) -> Value) {
    self.includesKeys = includesKeys
    self.transform = transform
  }

  mutating func result(for value: Value) -> Value {
    guard let address = value.partsAddress else { return leaf(value) }
    if let known = results[address] { return known }
    count += 1
    let isRemembered = count > Value.unsharedParts
    let result = DeepStack.run(needing: DeepStack.partBytes) { container(value) }
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

/// What makes two leaves equal, that is values which are neither lists nor maps.
package protocol LeafEquality {
  static func areEqual(_ first: Value, _ second: Value) -> Bool
  /// Whether all that is stored once is equal to itself.
  static var isReflexive: Bool { get }
  /// The value that `map` has for a key of a map that it is compared with.
  static func value(for key: Value, in map: ValueMap) -> Value?
}

/// A comparison of two values part by part.
///
/// - Complexity: linear in the number of pairs of lists and maps that differ, however often each of them is used.
package struct PartwiseComparison<Leaves: LeafEquality> {
  private struct Pair: Hashable {
    let first, second: UnsafeRawPointer
  }

  private var count = 0
  private var equal: Set<Pair> = []

  package init() {}

  package mutating func areEqual(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return false }
      return isEqual(first, second) { comparison in
        for (x, y) in zip(a, b) {
          guard comparison.areEqual(x, y) else { return false }
        }
        return true
      }
    case (.map(let a), .map(let b)):
      guard a.count == b.count else { return false }
      return isEqual(first, second) { comparison in
        if a.shape === b.shape {
          for (x, y) in zip(a.slots, b.slots) {
            guard comparison.areEqual(x, y) else { return false }
          }
          return true
        }
        for (key, x) in a.pairs {
          guard let y = Leaves.value(for: key, in: b), comparison.areEqual(x, y) else { return false }
        }
        return true
      }
    case (.opaque(let a as any WrappingValue), .opaque(let b as any WrappingValue)):
      guard let x = a.wrapped, let y = b.wrapped else { return a.wrapped == nil && b.wrapped == nil }
      return areEqual(x, y)
    default: return Leaves.areEqual(first, second)
    }
  }

  /// Whether two containers are equal: `compare` tells, unless it is known.
  private mutating func isEqual(_ first: Value, _ second: Value, _ compare: (inout Self) -> Bool) -> Bool {
    guard let a = first.partsAddress, let b = second.partsAddress else { return true }
    if Leaves.isReflexive && a == b { return true }
    count += 1
    let pair = Pair(first: a, second: b)
    let isRemembered = count > Value.unsharedParts
    if isRemembered && equal.contains(pair) { return true }
    guard DeepStack.run(needing: DeepStack.partBytes, { compare(&self) }) else { return false }
    if isRemembered { equal.insert(pair) }
    return true
  }
}
