/// Where the items of a layered graph stand from top to bottom, in pixels.
struct GraphPlaces {
  /// The middle of each item.
  private(set) var middles: [Int]
  private let layers: GraphLayers

  private static let roundCount = 24
  /// From the middle of an item to that of the next: nodes, and edges that pass, which need less.
  private static let nodeStep = 62
  private static let passingStep = 30

  init(_ layers: GraphLayers) {
    self.layers = layers
    middles = Array(repeating: 0, count: layers.items.count)
    for layer in layers.layers {
      var place = 0
      for (index, item) in layer.enumerated() {
        if index > 0 { place += step(layer[index - 1], item) }
        middles[item] = place
      }
    }
    for round in 0..<Self.roundCount { settle(round) }
    let top = middles.min() ?? 0
    for item in middles.indices { middles[item] -= top }
  }

  private func step(_ first: Int, _ second: Int) -> Int {
    let isPassing = layers.items[first].node == nil || layers.items[second].node == nil
    return isPassing ? (Self.nodeStep + Self.passingStep) / 2 : Self.nodeStep
  }

  /// Moves every item towards its neighbours, as far as those of its layer let it.
  private mutating func settle(_ round: Int) {
    let isForward = round % 2 == 0
    let order = isForward ? Array(layers.layers) : layers.layers.reversed()
    for layer in order where !layer.isEmpty {
      let wanted = layer.map { item -> Int in
        var near =
          round >= Self.roundCount - 4
          ? layers.near(item)
          : isForward ? layers.before(item) : layers.behind(item)
        if near.isEmpty { near = layers.near(item) }
        guard !near.isEmpty else { return middles[item] }
        return near.reduce(0) { $0 + middles[$1] } / near.count
      }
      place(layer, wanted)
    }
  }

  /// Gives each item of a layer the place nearest to the wanted one that leaves the others room: neighbours that want the
  /// same place stand around it as a block.
  private mutating func place(_ layer: [Int], _ wanted: [Int]) {
    // Of an item that is so far behind the first of its block, the block as a whole wants this.
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
