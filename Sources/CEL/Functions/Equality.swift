import StreamCore

extension Value {
  /// The maximum length of strings and byte sequences whose comparison is not charged beyond its own step.
  ///
  /// NB: Fused programs do not charge for comparisons: they compare operands up to this length, and take a side exit
  /// for longer ones.
  package static let freeBytes = 512

  /// Returns whether both values are equal in CEL, and charges for the compared parts: lists that share their elements
  /// may be exponentially larger than their storage.
  func isEqual(to other: Value, _ activation: Activation) throws(EvaluationError) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)):
      if a.hasSameBits(as: b) { return true }
      let count = a.utf8.count
      guard count == b.utf8.count else { return false }
      if count > Self.freeBytes { try activation.charge(bytes: count) }
      return a.isSameText(as: b)
    case (.bytes(let a), .bytes(let b)):
      guard a.count == b.count else { return false }
      if a.count > Self.freeBytes { try activation.charge(bytes: a.count) }
      return a == b
    case (.list, .list), (.map, .map), (.opaque, .opaque):
      return try activation.equality.compare(self, other)
    default: return isEqual(to: other)
    }
  }

  /// Returns the order of both values in CEL, and charges for the compared bytes; nil if they cannot be compared.
  func order(_ other: Value, _ activation: Activation) throws(EvaluationError) -> Int? {
    switch (self, other) {
    case (.string(let a), .string(let b)):
      let count = min(a.utf8.count, b.utf8.count)
      if count > Self.freeBytes { try activation.charge(bytes: 2 * count) }
    case (.bytes(let a), .bytes(let b)):
      let count = min(a.count, b.count)
      if count > Self.freeBytes { try activation.charge(bytes: 2 * count) }
    default: break
    }
    return order(other)
  }

  /// Charges for each part of a value that is to be written, and throws if the total length of its strings and byte
  /// sequences is too large.
  func checkSize(_ activation: Activation) throws(EvaluationError) {
    var pending = [self]
    var bytes = 0
    while let value = pending.popLast() {
      try activation.charge(16)
      switch value {
      case .string(let text): bytes += text.utf8.count
      case .bytes(let content): bytes += content.count
      case .list(let elements): pending += elements
      case .map(let map):
        pending += map.keys
        pending += map.slots
      default: break
      }
      try activation.limitBytes(bytes)
    }
    try activation.charge(bytes * 3)
  }
}

/// CEL's equality, which charges for the compared parts.
final class PaidEquality: PartEquality {
  let isReflexive = false  // NaN is not
  /// The activation that is charged; it owns this object.
  private unowned(unsafe) let activation: Activation
  /// The remaining budget before the comparison.
  private var budget = 0
  /// The error that ended the comparison.
  private var failure: EvaluationError?

  init(_ activation: Activation) { self.activation = activation }

  /// Returns whether two values are equal.
  func compare(_ first: Value, _ second: Value) throws(EvaluationError) -> Bool {
    budget = activation.stepsLeft
    let isEqual = PartwiseComparison.areEqual(first, second, by: self)
    if let failure {
      self.failure = nil
      throw failure
    }
    return isEqual
  }

  /// NB: A comparison restarts if the stack is too small; it is charged once.
  func willBegin() { activation.stepsLeft = budget }

  func mayCompare(_ first: Value, count: Int) -> Bool {
    switch first {
    case .list: pay(count * 2 + 4)
    case .map: pay(count * 8 + 4)
    default: pay(1)
    }
  }

  func mayFind(_ key: Value) -> Bool {
    do throws(EvaluationError) {
      try activation.charge(key: key)
      return true
    } catch {
      failure = error
      return false
    }
  }

  func areEqual(_ first: Value, _ second: Value) -> Bool {
    switch (first, second) {
    case (.string, .string), (.bytes, .bytes):
      do throws(EvaluationError) {
        return try first.isEqual(to: second, activation)
      } catch {
        failure = error
        return false
      }
    case (.opaque(let a), .opaque(let b)): return a === b || a.isEqual(to: b)
    default: return first.isEqual(to: second)
    }
  }

  private func pay(_ steps: Int) -> Bool {
    do throws(EvaluationError) {
      try activation.charge(steps)
      return true
    } catch {
      failure = error
      return false
    }
  }
}
