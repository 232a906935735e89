import StreamCore

extension Value {
  /// The longest strings and byte sequences that are compared as a part of the step that compares them.
  ///
  /// NB: fused programs do not charge for comparisons: they compare what is not longer, and leave for what is.
  package static let freeBytes = 512

  /// CEL's equality, paid for by what is compared: lists may hold one another so often that they seem endless.
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

  /// CEL's order, paid for by the bytes that are compared.
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

  /// Pays for each part of a value that is to be written, and refuses it when its texts are too long together.
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

/// CEL's equality, paid for by what is compared.
final class PaidEquality: PartEquality {
  let isReflexive = false  // NaN is not
  /// The activation that pays, which owns this.
  private unowned(unsafe) let activation: Activation
  /// The budget that was left before the comparison.
  private var budget = 0
  /// Why the comparison was ended.
  private var failure: EvaluationError?

  init(_ activation: Activation) { self.activation = activation }

  /// Whether two values are equal.
  func compare(_ first: Value, _ second: Value) throws(EvaluationError) -> Bool {
    budget = activation.budget
    let isEqual = PartwiseComparison.areEqual(first, second, by: self)
    if let failure {
      self.failure = nil
      throw failure
    }
    return isEqual
  }

  /// NB: where the stack does not suffice, a comparison begins anew; it is paid for once.
  func willBegin() { activation.budget = budget }

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
