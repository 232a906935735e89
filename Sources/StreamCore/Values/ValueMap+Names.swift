extension ValueMap {
  /// Creates a map whose keys are names, in their order.
  package init(sorting values: [String: Value]) {
    self.init(values.sorted { $0.key < $1.key }.map { (.string($0.key), $0.value) })
  }

  /// The values whose keys are names.
  package var byName: [String: Value] {
    Dictionary(pairs.compactMap { key, value in key.text.map { ($0, value) } }) { first, _ in first }
  }
}
