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
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return false }
      try activation.charge(a.count * 2 + 4)
      return try DeepStack.run(needing: DeepStack.partBytes) { () throws(EvaluationError) in
        for (x, y) in zip(a, b) {
          if try !x.isEqual(to: y, activation) { return false }
        }
        return true
      }
    case (.map(let a), .map(let b)):
      guard a.count == b.count else { return false }
      try activation.charge(a.count * 8 + 4)
      return try DeepStack.run(needing: DeepStack.partBytes) { () throws(EvaluationError) in
        for (key, value) in a.pairs {
          try activation.charge(key: key)
          guard let counterpart = b[key], try value.isEqual(to: counterpart, activation) else { return false }
        }
        return true
      }
    case (.opaque(let a as OptionalValue), .opaque(let b as OptionalValue)):
      guard let x = a.value, let y = b.value else { return a.value == nil && b.value == nil }
      try activation.charge(1)
      return try x.isEqual(to: y, activation)
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
