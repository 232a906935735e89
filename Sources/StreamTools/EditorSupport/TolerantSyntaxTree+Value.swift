@_spi(Engine) internal import StreamCore

extension TolerantSyntaxTree {
  /// The value of the text without its incomplete parts; a member without a value is null.
  var value: Value {
    var values: [Int: Value] = [:]
    let depths = depths
    // Children come after their parents.
    for (index, node) in nodes.enumerated().reversed() {
      let children = depths[index] < JSONLimits().depth ? node.children : []
      switch node.kind {
      case .object:
        values[index] = .map(
          ValueMap(
            children.compactMap { child in
              guard let key = nodes[child].key, key.colon != nil else { return nil }
              return (.string(key.name), values[child] ?? .null)
            }))
      case .list: values[index] = .list(children.map { values[$0] ?? .null })
      case .string, .word: values[index] = scalar(index)
      case .missing: break
      }
      for child in node.children { values[child] = nil }
    }
    return values[0] ?? .null
  }

  private func scalar(_ node: Int) -> Value {
    guard nodes[node].kind == .word else { return .string(text(of: node) ?? "") }
    var reader = JSONReader()
    return (try? reader.read(Array(bytes[nodes[node].range]))) ?? .null
  }

  private var depths: [Int] {
    var depths: [Int] = []
    depths.reserveCapacity(nodes.count)
    for node in nodes { depths.append(node.parent.map { depths[$0] + 1 } ?? 0) }
    return depths
  }
}
