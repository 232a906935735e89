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

  init(nodeCount: Int, edges: [StreamGraph.Edge]) {
    let depth = Self.layers(nodeCount, edges)
    items = depth.enumerated().map { Item(node: $0, layer: $1) }
    neighbors = Array(repeating: ([], []), count: nodeCount)
    layers = Array(repeating: [], count: (depth.max() ?? 0) + 1)
    for (number, layer) in depth.enumerated() { layers[layer].append(number) }
    for edge in edges {
      var way = [edge.from]
      for layer in (depth[edge.from] + 1)..<max(depth[edge.to], depth[edge.from] + 1) {
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
    // A graph without circles is settled after as many rounds as it is deep.
    for _ in 0..<count {
      var hasChanged = false
      for edge in edges where depth[edge.to] <= depth[edge.from] && depth[edge.from] + 1 < count {
        depth[edge.to] = depth[edge.from] + 1
        hasChanged = true
      }
      if !hasChanged { break }
    }
    let fed = Set(edges.map(\.to))
    for node in 0..<count where !fed.contains(node) {
      if let next = edges.filter({ $0.from == node }).map({ depth[$0.to] }).min() { depth[node] = max(next - 1, 0) }
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
      let ends = layer.map { neighbors[$0].behind.compactMap { places[$0] } }
      for first in ends.indices {
        for second in ends.indices where second > first {
          for a in ends[first] { count += ends[second].count { $0 < a } }
        }
      }
    }
    return count
  }

  /// The items directly before and after an item.
  func near(_ item: Int) -> [Int] { neighbors[item].before + neighbors[item].behind }
  func before(_ item: Int) -> [Int] { neighbors[item].before }
  func behind(_ item: Int) -> [Int] { neighbors[item].behind }
}
