extension Value {
  /// Whether lists and maps are nested in it more than this many levels deep.
  ///
  /// - Complexity: linear in the number of parts; without recursion.
  public func isDeeper(than limit: Int) -> Bool {
    var waiting: [(value: Value, depth: Int)] = [(self, 0)]
    while let (value, depth) = waiting.popLast() {
      let parts: [Value]
      switch value {
      case .list(let elements): parts = elements
      case .map(let map): parts = map.slots
      default: continue
      }
      if depth == limit { return true }
      for part in parts {
        switch part {
        case .list, .map: waiting.append((part, depth + 1))
        default: continue
        }
      }
    }
    return false
  }
}
