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
    // The position of each item if the first one is at 0.
    var offsets = [0]
    for (index, item) in layer.enumerated().dropFirst() {
      offsets.append(offsets[index - 1] + step(layer[index - 1], item))
    }
    // Blocks of items without gaps, each with the sum of the positions that its items give to the first of the layer.
    var blocks: [(range: Range<Int>, sum: Int)] = []
    func start(_ block: (range: Range<Int>, sum: Int)) -> Int {
      (block.sum + block.range.count * offsets[block.range.lowerBound]) / block.range.count
    }
    for index in layer.indices {
      var last = (range: index..<index + 1, sum: wanted[index] - offsets[index])
      while let before = blocks.last,
        start(before) + offsets[last.range.lowerBound] - offsets[before.range.lowerBound] > start(last)
      {
        blocks.removeLast()
        last = (before.range.lowerBound..<last.range.upperBound, before.sum + last.sum)
      }
      blocks.append(last)
    }
    for block in blocks {
      let origin = start(block) - offsets[block.range.lowerBound]
      for index in block.range { middles[layer[index]] = origin + offsets[index] }
    }
  }
}
