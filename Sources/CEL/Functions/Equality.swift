import StreamCore

extension Value {
  /// The longest strings and byte sequences that are compared as a part of the step that compares them.
  ///
  /// NB: fused programs do not charge for comparisons: they compare what is not longer, and leave for what is.
  static let freeBytes = 512

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
      // NB: where the stack does not suffice, the comparison begins anew; it is paid for once.
      let budget = activation.budget
      return try PartwiseComparison.areEqual(self, other, by: PaidEquality(activation: activation, budget: budget))
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
private struct PaidEquality: PartEquality {
  let activation: Activation
  /// The budget that was left before the comparison.
  let budget: Int

  static var isReflexive: Bool { CELEquality.isReflexive }

  func willBegin() { activation.budget = budget }

  func willCompare(_ first: Value, count: Int) throws(EvaluationError) {
    switch first {
    case .list: try activation.charge(count * 2 + 4)
    case .map: try activation.charge(count * 8 + 4)
    default: try activation.charge(1)
    }
  }

  func willFind(_ key: Value) throws(EvaluationError) { try activation.charge(key: key) }

  func areEqual(_ first: Value, _ second: Value) throws(EvaluationError) -> Bool {
    // Values without parts are compared as they are by themselves; what holds parts comes here only beside something else.
    switch (first, second) {
    case (.opaque, .opaque): CELEquality().areEqual(first, second)
    default: try first.isEqual(to: second, activation)
    }
  }

  func value(for key: Value, in map: ValueMap) -> Value? { CELEquality().value(for: key, in: map) }
}
