extension StreamGraph {
  /// Returns the graph as SVG, drawn left to right, or top-down if it would be too wide for a page.
  ///
  /// - Parameter title: A description of the picture for screen readers.
  public func svg(title: String) -> String { GraphSVG(self).svg(title: title) }

  /// Whether it is drawn from the top down.
  var runsDown: Bool { GraphSVG(self).runsDown }
}

/// Draws a graph as SVG.
private struct GraphSVG {
  private let graph: StreamGraph
  private let layers: GraphLayers
  private let places: GraphPlaces
  /// Start and extent of each layer along the direction of the values.
  private let spans: [(start: Int, extent: Int)]
  let runsDown: Bool

  private static let margin = 20
  private static let nodeHeight = 44
  /// From a layer to the next, from left to right and downwards.
  private static let gap = (across: 46, down: 34)
  /// The widest picture from left to right.
  private static let widthLimit = 1_200
  /// Maximum number of characters of a node's summary.
  private static let detailLimit = 34

  init(_ graph: StreamGraph) {
    self.graph = graph
    let layers = GraphLayers(nodeCount: graph.nodes.count, edges: graph.edges)
    self.layers = layers
    let widths = graph.nodes.map(Self.width)
    let across = Self.spans(layers, gap: Self.gap.across) { widths[$0] }
    runsDown = across.last.map { $0.start + $0.extent + Self.margin > Self.widthLimit } ?? false
    if runsDown {
      spans = Self.spans(layers, gap: Self.gap.down) { _ in Self.nodeHeight }
      places = GraphPlaces(layers) { widths[$0] }
    } else {
      spans = across
      places = GraphPlaces(layers) { _ in Self.nodeHeight }
    }
  }

  private static func spans(
    _ layers: GraphLayers, gap: Int, _ extent: (Int) -> Int
  ) -> [(start: Int, extent: Int)] {
    var start = margin
    return layers.layers.map { layer in
      let widest = layer.map { layers.items[$0].node.map(extent) ?? 0 }.max() ?? 0
      defer { start += widest + gap }
      return (start, widest)
    }
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
    let along = (spans.last.map { $0.start + $0.extent } ?? 0) + Self.margin
    let across = places.size + 2 * Self.margin
    return writer.document(
      width: runsDown ? across : along, height: runsDown ? along : across, title: title)
  }

  /// The middle of an item, across the direction of the values.
  private func middle(_ item: Int) -> Int { Self.margin + places.middles[item] }

  /// The start and end of an item, along the direction of the values.
  private func ends(_ item: Int) -> (start: Int, end: Int) {
    let span = spans[layers.items[item].layer]
    guard let node = layers.items[item].node else { return (span.start, span.start + span.extent) }
    let extent = runsDown ? Self.nodeHeight : Self.width(of: graph.nodes[node])
    let start = span.start + (span.extent - extent) / 2
    return (start, start + extent)
  }

  private func draw(_ node: StreamGraph.Node, _ item: Int, _ writer: inout SVGWriter) {
    let (start, end) = ends(item)
    let width = Self.width(of: node)
    let x = runsDown ? middle(item) : (start + end) / 2
    let y = runsDown ? (start + end) / 2 : middle(item)
    let radius = node.kind == .input || node.kind == .output ? Self.nodeHeight / 2 : node.kind == .stream ? 3 : 8
    let style = node.kind == .operator ? "node" : node.kind.rawValue
    writer.box(x - width / 2, y - Self.nodeHeight / 2, width, Self.nodeHeight, radius: radius, style)
    let detail = Self.detail(node)
    writer.text(node.name, x, detail.isEmpty ? y + 4 : y - 3, "title", anchor: .middle)
    if !detail.isEmpty { writer.text(detail, x, y + 13, "small", anchor: .middle) }
  }

  /// Draws a curve from the end of a node to the start of the next one, straight within the layers it passes through.
  private func draw(_ edge: StreamGraph.Edge, _ way: [Int], _ writer: inout SVGWriter) {
    guard let first = way.first, let last = way.last else { return }
    func point(_ along: Int, _ across: Int) -> String { runsDown ? "\(across) \(along)" : "\(along) \(across)" }
    var along = ends(first).end
    var across = middle(first)
    var data = "M\(point(along, across))"
    for item in way.dropFirst() {
      let (start, end) = ends(item)
      let next = item == last ? start - 8 : start
      let half = (along + next) / 2
      data += "C\(point(half, across)) \(point(half, middle(item))) \(point(next, middle(item)))"
      across = middle(item)
      along = end
      if item != last { data += "L\(point(end, across))" }
    }
    writer.path(data, edge.isInner ? "dashed" : "time")
    let tip = ends(last).start
    writer.arrowHead(runsDown ? middle(last) : tip, runsDown ? tip : middle(last), pointsDown: runsDown, "head")
  }
}
