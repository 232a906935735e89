/// The nodes of a graph in layers, from left to right, with the places where long edges pass through layers in between.
struct GraphLayers {
  /// A node, or a place where an edge passes.
  struct Item: Hashable {
    /// Nil for a place where an edge passes.
    let node: Int?
    let layer: Int
  }

  private(set) var items: [Item]
  /// The items of each layer, from the top down.
  private(set) var layers: [[Int]] = []
  /// The path of each edge, as a sequence of items.
  private(set) var ways: [[Int]] = []
  private var neighbors: [(before: [Int], behind: [Int])]

  /// Number of passes that improve the order within the layers.
  private static let roundCount = 12
  /// Maximum number of places where long edges pass through layers. The edges of a graph that needs more are straight.
  private static let passingLimit = 50_000

  init(nodeCount: Int, edges: [StreamGraph.Edge]) {
    let depth = Self.layers(nodeCount, edges)
    items = depth.enumerated().map { Item(node: $0, layer: $1) }
    neighbors = Array(repeating: ([], []), count: nodeCount)
    layers = Array(repeating: [], count: (depth.max() ?? 0) + 1)
    for (number, layer) in depth.enumerated() { layers[layer].append(number) }
    let passing = edges.reduce(0) { $0 + max(0, depth[$1.to] - depth[$1.from] - 1) }
    for edge in edges {
      var way = [edge.from]
      let first = depth[edge.from] + 1
      for layer in passing > Self.passingLimit ? first..<first : first..<max(depth[edge.to], first) {
        items.append(Item(node: nil, layer: layer))
        neighbors.append(([], []))
        layers[layer].append(items.count - 1)
        way.append(items.count - 1)
      }
      way.append(edge.to)
      for (from, to) in zip(way, way.dropFirst()) {
        neighbors[from].behind.append(to)
        neighbors[to].before.append(from)
      }
      ways.append(way)
    }
    order()
  }

  /// The layer of each node: after all nodes that feed it; a source comes directly before the nodes it feeds.
  private static func layers(_ count: Int, _ edges: [StreamGraph.Edge]) -> [Int] {
    var depth = Array(repeating: 0, count: count)
    var next: [[Int]] = Array(repeating: [], count: count)
    var open = Array(repeating: 0, count: count)
    for edge in edges {
      next[edge.from].append(edge.to)
      open[edge.to] += 1
    }
    let sources = open.indices.filter { open[$0] == 0 }
    var ready = sources
    var isDone = Array(repeating: false, count: count)
    var first = 0
    while true {
      while let node = ready.popLast() {
        isDone[node] = true
        for other in next[node] where !isDone[other] {
          depth[other] = max(depth[other], depth[node] + 1)
          open[other] -= 1
          if open[other] == 0 { ready.append(other) }
        }
      }
      // The streams of a file with an error may feed each other in a circle.
      while first < count, isDone[first] { first += 1 }
      guard first < count else { break }
      ready = [first]
    }
    for node in sources {
      if let nearest = next[node].map({ depth[$0] }).min() { depth[node] = max(nearest - 1, 0) }
    }
    return depth
  }

  /// Puts the items of each layer into the order of their neighbors, so that few edges cross.
  private mutating func order() {
    var best = (crossings: crossings, layers: layers)
    for round in 0..<Self.roundCount {
      let isForward = round % 2 == 0
      let numbers = isForward ? Array(layers.indices) : layers.indices.reversed()
      for layer in numbers {
        var places: [Int: Int] = [:]
        for other in [layer - 1, layer + 1] where layers.indices.contains(other) {
          for (place, item) in layers[other].enumerated() { places[item] = place }
        }
        let keys = layers[layer].enumerated().map { place, item -> (Double, Int, Int) in
          let near = isForward ? neighbors[item].before : neighbors[item].behind
          let found = near.compactMap { places[$0] }
          let middle = found.isEmpty ? Double(place) : Double(found.reduce(0, +)) / Double(found.count)
          return (middle, place, item)
        }
        layers[layer] = keys.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
      }
      if crossings < best.crossings { best = (crossings, layers) }
    }
    layers = best.layers
  }

  /// Number of edge crossings between neighboring layers.
  private var crossings: Int {
    var count = 0
    for (layer, next) in zip(layers, layers.dropFirst()) {
      let places = Dictionary(next.enumerated().map { ($1, $0) }) { first, _ in first }
      // Counts, for each edge, those before it that end behind it, in a Fenwick tree.
      var tree = Array(repeating: 0, count: next.count + 1)
      var before = 0
      for item in layer {
        let ends = neighbors[item].behind.compactMap { places[$0] }
        for end in ends {
          count += before
          var place = end + 1
          while place > 0 {
            count -= tree[place]
            place -= place & -place
          }
        }
        for end in ends {
          var place = end + 1
          while place <= next.count {
            tree[place] += 1
            place += place & -place
          }
        }
        before += ends.count
      }
    }
    return count
  }

  /// The items directly before and after an item.
  func near(_ item: Int) -> [Int] { neighbors[item].before + neighbors[item].behind }
  func before(_ item: Int) -> [Int] { neighbors[item].before }
  func behind(_ item: Int) -> [Int] { neighbors[item].behind }
}
