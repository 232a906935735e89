internal import StreamCore

extension StreamGraph {
  /// The graph as SVG, from left to right.
  ///
  /// - Parameter title: what it shows, for those who cannot see it.
  public func svg(title: String) -> String { GraphSVG(self).svg(title: title) }
}

/// Draws a graph as SVG.
private struct GraphSVG {
  private let graph: StreamGraph
  private let layers: GraphLayers
  private let places: GraphPlaces
  /// Where each layer begins, and how wide it is.
  private let spans: [(x: Int, width: Int)]

  private static let margin = 20
  private static let layerGap = 46
  private static let nodeHeight = 44
  /// Characters of what a node's fields say.
  private static let detailLimit = 34

  init(_ graph: StreamGraph) {
    self.graph = graph
    let layers = GraphLayers(nodeCount: graph.nodes.count, edges: graph.edges)
    self.layers = layers
    places = GraphPlaces(layers)
    var x = Self.margin
    var spans: [(x: Int, width: Int)] = []
    for layer in layers.layers {
      let width = layer.map { layers.items[$0].node.map { Self.width(of: graph.nodes[$0]) } ?? 0 }.max() ?? 0
      spans.append((x, width))
      x += width + Self.layerGap
    }
    self.spans = spans
  }

  private static func detail(_ node: StreamGraph.Node) -> String {
    FieldText.shortened(node.detail, to: detailLimit)
  }

  private static func width(of node: StreamGraph.Node) -> Int {
    max(SVGWriter.width(of: node.name), SVGWriter.width(of: detail(node), isSmall: true), 20) + 24
  }

  func svg(title: String) -> String {
    var writer = SVGWriter()
    for (edge, way) in zip(graph.edges, layers.ways) { draw(edge, way, &writer) }
    for (item, place) in layers.items.enumerated() {
      if let node = place.node { draw(graph.nodes[node], item, &writer) }
    }
    let width = (spans.last.map { $0.x + $0.width } ?? 0) + Self.margin
    let height = (places.middles.max() ?? 0) + Self.nodeHeight + 2 * Self.margin
    return writer.document(width: width, height: height, title: title)
  }

  private func y(_ item: Int) -> Int { Self.margin + Self.nodeHeight / 2 + places.middles[item] }

  /// The left and the right end of an item.
  private func ends(_ item: Int) -> (left: Int, right: Int) {
    let span = spans[layers.items[item].layer]
    guard let node = layers.items[item].node else { return (span.x, span.x + span.width) }
    let width = Self.width(of: graph.nodes[node])
    let left = span.x + (span.width - width) / 2
    return (left, left + width)
  }

  private func draw(_ node: StreamGraph.Node, _ item: Int, _ writer: inout SVGWriter) {
    let (left, right) = ends(item)
    let middle = y(item)
    let radius = node.kind == .input || node.kind == .output ? Self.nodeHeight / 2 : node.kind == .stream ? 3 : 8
    let style = node.kind == .operator ? "node" : node.kind.rawValue
    writer.box(left, middle - Self.nodeHeight / 2, right - left, Self.nodeHeight, radius: radius, style)
    let detail = Self.detail(node)
    let center = (left + right) / 2
    writer.text(node.name, center, detail.isEmpty ? middle + 4 : middle - 3, "title", anchor: .middle)
    if !detail.isEmpty { writer.text(detail, center, middle + 13, "small", anchor: .middle) }
  }

  /// A line that leaves to the right and comes in from the left, level in the layers that it passes.
  private func draw(_ edge: StreamGraph.Edge, _ way: [Int], _ writer: inout SVGWriter) {
    guard let first = way.first, let last = way.last else { return }
    var x = ends(first).right
    var height = y(first)
    var data = "M\(x) \(height)"
    for item in way.dropFirst() {
      let (left, right) = ends(item)
      let end = item == last ? left - 8 : left
      let middle = (x + end) / 2
      data += "C\(middle) \(height) \(middle) \(y(item)) \(end) \(y(item))"
      height = y(item)
      x = right
      if item != last { data += "L\(right) \(height)" }
    }
    writer.path(data, edge.isInner ? "dashed" : "time")
    writer.arrowHead(ends(last).left, y(last), "head")
  }
}
