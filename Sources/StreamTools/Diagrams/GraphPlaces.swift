/// Positions of the items of a layered graph across its layers, in pixels.
struct GraphPlaces {
  /// The middle of each item.
  private(set) var middles: [Int]
  /// Total extent of all items.
  private(set) var size = 0
  private let layers: GraphLayers
  /// Extent of each item.
  private let extents: [Int]

  private static let roundCount = 24
  /// Between an item and the next.
  private static let gap = 18
  /// Extent of an edge that passes through a layer.
  private static let passingExtent = 12

  /// - Parameter nodeExtent: Returns the extent of a node across the layers.
  init(_ layers: GraphLayers, nodeExtent: (Int) -> Int) {
    self.layers = layers
    extents = layers.items.map { $0.node.map(nodeExtent) ?? Self.passingExtent }
    middles = Array(repeating: 0, count: layers.items.count)
    for layer in layers.layers {
      var place = 0
      for (index, item) in layer.enumerated() {
        if index > 0 { place += step(layer[index - 1], item) }
        middles[item] = place
      }
    }
    // The last round goes forward: behind a node that has one upstream its line is straight.
    for round in 0...Self.roundCount { settle(round) }
    let top = zip(middles, extents).map { $0 - $1 / 2 }.min() ?? 0
    for item in middles.indices { middles[item] -= top }
    size = zip(middles, extents).map { $0 + $1 / 2 }.max() ?? 0
  }

  /// From the middle of an item to that of the next.
  private func step(_ first: Int, _ second: Int) -> Int { (extents[first] + extents[second]) / 2 + Self.gap }

  /// Moves every item toward its neighbors, as far as the items of its layer permit.
  private mutating func settle(_ round: Int) {
    let isForward = round % 2 == 0
    let order = isForward ? Array(layers.layers) : layers.layers.reversed()
    for layer in order where !layer.isEmpty {
      let wanted = layer.map { item -> Int in
        var near =
          (Self.roundCount - 4..<Self.roundCount).contains(round)
          ? layers.near(item)
          : isForward ? layers.before(item) : layers.behind(item)
        if near.isEmpty { near = layers.near(item) }
        guard !near.isEmpty else { return middles[item] }
        return near.reduce(0) { $0 + middles[$1] } / near.count
      }
      place(layer, wanted)
    }
  }

  /// Assigns each item of a layer the position nearest to the wanted one without overlaps: neighbors that want the same
  /// position are centered around it as a block.
  private mutating func place(_ layer: [Int], _ wanted: [Int]) {
    // The position of the block that gives this item its wanted position.
    var blocks: [(items: [Int], offsets: [Int], wishes: [Int])] = []
    func start(_ block: (items: [Int], offsets: [Int], wishes: [Int])) -> Int {
      zip(block.wishes, block.offsets).reduce(0) { $0 + $1.0 - $1.1 } / max(block.items.count, 1)
    }
    for (index, item) in layer.enumerated() {
      blocks.append(([item], [0], [wanted[index]]))
      while blocks.count > 1, let last = blocks.last {
        let before = blocks[blocks.count - 2]
        guard let end = before.items.last, let first = last.items.first, let offset = before.offsets.last else { break }
        let gap = step(end, first)
        guard start(before) + offset + gap > start(last) else { break }
        blocks.removeLast(2)
        blocks.append(
          (
            before.items + last.items, before.offsets + last.offsets.map { $0 + offset + gap },
            before.wishes + last.wishes
          ))
      }
    }
    for block in blocks {
      let start = start(block)
      for (item, offset) in zip(block.items, block.offsets) { middles[item] = start + offset }
    }
  }
}
