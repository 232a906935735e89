import StreamCore

extension Value {
  /// CEL's equality, paid for by what is compared: lists may hold one another so often that they seem endless.
  func isEqual(to other: Value, _ activation: Activation) throws(EvaluationError) -> Bool {
    switch (self, other) {
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return false }
      try activation.charge(a.count / 4 + 1)
      return try DeepStack.run(needing: DeepStack.partBytes) { () throws(EvaluationError) in
        for (x, y) in zip(a, b) {
          if try !x.isEqual(to: y, activation) { return false }
        }
        return true
      }
    case (.map(let a), .map(let b)):
      guard a.count == b.count else { return false }
      try activation.charge(a.count / 2 + 1)
      return try DeepStack.run(needing: DeepStack.partBytes) { () throws(EvaluationError) in
        for (key, value) in a.pairs {
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

  /// Pays for each part of a value that is to be written, and refuses it when its texts are too long together.
  func checkSize(_ activation: Activation) throws(EvaluationError) {
    var pending = [self]
    var bytes = 0
    while let value = pending.popLast() {
      try activation.charge(1)
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
  }
}
