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
