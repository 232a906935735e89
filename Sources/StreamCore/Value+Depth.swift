extension Value {
  /// Whether lists and maps are nested in it more than this many levels deep.
  ///
  /// - Complexity: linear in the number of parts, without recursion. A part that stands in many places of one level is
  ///   looked into once, since what is doubled level by level has more parts than can be counted.
  public func isDeeper(than limit: Int) -> Bool {
    guard isContainer else { return false }
    var level = [self]
    for _ in 0..<max(0, limit) {
      var seen: Set<UnsafeRawPointer> = []
      var next: [Value] = []
      for value in level {
        guard let parts = value.parts, let address = parts.withUnsafeBytes(\.baseAddress), seen.insert(address).inserted
        else { continue }
        for part in parts where part.isContainer { next.append(part) }
      }
      if next.isEmpty { return false }
      level = next
    }
    return true
  }

  private var isContainer: Bool {
    switch self {
    case .list, .map: true
    default: false
    }
  }

  /// The elements of a list, the values of a map.
  private var parts: [Value]? {
    switch self {
    case .list(let elements): elements
    case .map(let map): map.slots
    default: nil
    }
  }
}
