extension Value {
  /// Number of lists and maps that a walk through a value enters before it records the visited ones.
  ///
  /// A list may contain a list twice, which contains another one twice, and so on: thirty such lists have more paths
  /// than can be walked. Values from files have no shared parts, and few have more parts than this; for them a counter
  /// suffices.
  static let unsharedParts = 1000

  /// The address of the elements of a list, or of the values of a map; nil for a value without parts.
  ///
  /// Two live values with equal addresses have the same parts.
  package var partsAddress: UnsafeRawPointer? {
    switch self {
    case .list(let items) where !items.isEmpty:
      items.elements.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
    case .map(let map) where !map.isEmpty:
      map.slots.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
    default: nil
    }
  }

  /// Returns the value with all leaves transformed; a leaf is neither a list nor a map.
  ///
  /// - Parameter includesKeys: Whether the keys of maps are leaves too. String keys never are.
  /// - Complexity: Linear in the number of distinct lists and maps, however often each of them is used.
  package func mapLeaves(includesKeys: Bool = false, _ transform: (Value) -> Value) -> Value {
    switch self {
    case .list, .map:
      return withoutActuallyEscaping(transform) { transform in
        DeepStack.run { levels in
          var mapping = LeafMapping(includesKeys: includesKeys, transform: transform, levels: levels)
          let result = mapping.result(for: self)
          return mapping.isTooDeep ? nil : result
        }
      }
    default: return transform(self)
    }
  }
}

/// A single walk of `mapLeaves`.
private struct LeafMapping {
  let includesKeys: Bool
  let transform: (Value) -> Value
  private var levels: Int
  private(set) var isTooDeep = false
  private var count = 0
  private var results: [UnsafeRawPointer: Value] = [:]

  init(includesKeys: Bool, transform: @escaping (Value) -> Value, levels: Int) {
    self.includesKeys = includesKeys
    self.transform = transform
    self.levels = levels
  }

  mutating func result(for value: Value) -> Value {
    guard let address = value.partsAddress else { return leaf(value) }
    if let known = results[address] { return known }
    guard levels > 0, !isTooDeep else {
      isTooDeep = true
      return value
    }
    levels -= 1
    defer { levels += 1 }
    count += 1
    let isRemembered = count > Value.unsharedParts
    let result = container(value)
    // NB: A list and the values of a map never share their storage.
    if isRemembered { results[address] = result }
    return result
  }

  private func leaf(_ value: Value) -> Value {
    switch value {
    case .list, .map: value
    default: transform(value)
    }
  }

  private mutating func container(_ value: Value) -> Value {
    switch value {
    case .list(let items):
      var parts: [Value] = []
      parts.reserveCapacity(items.count)
      for item in items { parts.append(result(for: item)) }
      return .list(parts)
    case .map(let map):
      var parts: [Value] = []
      parts.reserveCapacity(map.count)
      for part in map.slots { parts.append(result(for: part)) }
      guard includesKeys, !map.keys.allSatisfy(\.isText) else {
        return .map(ValueMap(shape: map.shape, slots: parts))
      }
      return .map(ValueMap(Array(zip(map.keys.map { $0.isText ? $0 : result(for: $0) }, parts))))
    default: return value
    }
  }
}

extension Value {
  fileprivate var isText: Bool {
    if case .string = self { true } else { false }
  }
}
