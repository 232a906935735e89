extension Value {
  /// Whether lists, maps and optionals are nested more than `limit` levels deep.
  ///
  /// - Complexity: Linear in the number of parts, without recursion. A part shared within one level is visited once,
  ///   since a value that doubles at each level has too many parts to count.
  public func isDeeper(than limit: Int) -> Bool {
    guard isContainer else { return false }
    var level = [self]
    for _ in 0..<max(0, limit) {
      var seen: Set<UnsafeRawPointer> = []
      var next: [Value] = []
      for value in level {
        switch value {
        case .list(let parts): parts.elements.withUnsafeBufferPointer { Self.look(into: $0, &seen, &next) }
        case .map(let map): _ = map.slots.withContiguousStorageIfAvailable { Self.look(into: $0, &seen, &next) }
        case .opaque(let value as any WrappingValue):
          if let wrapped = value.wrapped, wrapped.isContainer { next.append(wrapped) }
        default: break
        }
      }
      if next.isEmpty { return false }
      level = next
    }
    return true
  }

  private var isContainer: Bool {
    switch self {
    case .list, .map: true
    case .opaque(let value): value is any WrappingValue
    default: false
    }
  }

  /// Adds the containers in a list or map to the next level, unless its parts have been visited.
  private static func look(
    into parts: UnsafeBufferPointer<Value>, _ seen: inout Set<UnsafeRawPointer>, _ next: inout [Value]
  ) {
    guard let address = parts.baseAddress, seen.insert(address).inserted else { return }
    for part in parts where part.isContainer { next.append(part) }
  }
}
