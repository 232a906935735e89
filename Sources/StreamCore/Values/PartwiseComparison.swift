/// The rule by which two values are equal.
///
/// NB: The comparison is not generic over the rule: code is not specialized for a type of another module, and took five
/// times as long for short lists.
package protocol PartEquality: AnyObject {
  /// Whether every value equals itself, so that values with the same storage are equal.
  var isReflexive: Bool { get }
  /// Returns whether two values are equal that are not both lists, or both maps.
  func areEqual(_ first: Value, _ second: Value) -> Bool
  /// Returns the value of `map` for a key of the other map; nil if there is none.
  func value(for key: Value, in map: ValueMap) -> Value?

  /// Called when a comparison begins, or restarts on a larger stack.
  func willBegin()
  /// Called before two lists, maps or optionals with `count` parts are compared; false ends the comparison.
  func mayCompare(_ first: Value, count: Int) -> Bool
  /// Called before a key is looked up in a map; false ends the comparison.
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
/// - Complexity: Linear in the number of distinct pairs of lists and maps, however often each of them is used.
package struct PartwiseComparison {
  private struct Pair: Hashable {
    let first, second: UnsafeRawPointer
  }

  private let equality: any PartEquality
  private var levels: Int
  private var isTooDeep = false
  private var count = 0
  private var equal: Set<Pair> = []

  /// Compares two values by a rule. If the rule has ended the comparison, the result is meaningless.
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

  /// Descends one level; returns false if none is left.
  private mutating func descend() -> Bool {
    if levels == 0 {
      isTooDeep = true
      return false
    }
    levels -= 1
    return true
  }

  /// Compares two lists, or two maps, of the same count.
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
