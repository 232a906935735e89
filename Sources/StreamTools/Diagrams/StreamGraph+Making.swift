internal import StreamCore

extension StreamGraph {
  /// Creates the graph of a stream.
  public init(_ outline: StreamOutline) {
    var maker = GraphMaker()
    for end in maker.ends(of: outline, [:]) {
      let output = maker.node(.output, end.output ?? "output", "", end.pointer)
      if let last = end.last { maker.connect(last, output) }
    }
    self = maker.graph
  }
}

/// Collects nodes and edges.
private struct GraphMaker {
  private(set) var graph = StreamGraph()
  private var edges: Set<StreamGraph.Edge> = []
  /// The nodes of inputs: one of a name, in whichever file it is declared, is fed once.
  private var inputs: [String: Int] = [:]
  private var files: [String: Int] = [:]
  /// The definitions and files that are applied around the current operator, each followed by an arrow.
  private var prefix = ""

  mutating func node(
    _ kind: StreamGraph.Node.Kind, _ name: String, _ detail: String, _ pointer: JSONPointer
  ) -> Int {
    graph.nodes.append(.init(kind: kind, name: name, detail: detail, pointer: pointer))
    return graph.nodes.count - 1
  }

  mutating func connect(_ from: Int, _ to: Int, isInner: Bool = false) {
    let edge = StreamGraph.Edge(from: from, to: to, isInner: isInner)
    if edges.insert(edge).inserted { graph.edges.append(edge) }
  }

  /// The last node of a stream, or of an output of a file.
  struct End {
    /// The name of the output; nil if the stream has one unnamed output.
    let output: String?
    let last: Int?
    let pointer: JSONPointer
  }

  /// Adds a stream with its inputs, operators and streams, and returns its last node.
  ///
  /// - Parameter names: The nodes of the inputs and streams in scope.
  mutating func add(_ outline: StreamOutline, _ names: [String: Int]) -> Int? { ends(of: outline, names).last?.last }

  /// Adds a stream with its inputs, operators and streams, and returns the last node of each output.
  ///
  /// - Parameter upstream: The node that feeds the first operator of an applied outline; nil for a stream.
  mutating func ends(of outline: StreamOutline, _ names: [String: Int], after upstream: Int? = nil) -> [End] {
    for file in outline.files {
      guard let name = file.name else { continue }
      files[name] = node(.stream, name, "", file.pointer)
    }
    var names = names
    for (name, node) in outline.bindings.compactMapValues({ names[$0] }) { names[name] = node }
    for input in outline.inputs {
      if let known = inputs[input.name] {
        names[input.name] = known
        continue
      }
      let detail =
        (input.type == "dyn" ? "" : input.type) + (input.initialValue.map { " = \(JSONWriter.compact($0))" } ?? "")
      let number = node(.input, input.name, detail, outline.pointer + JSONPointer(["inputs", input.name]))
      (names[input.name], inputs[input.name]) = (number, number)
    }
    // Streams may refer to each other in any order.
    for stream in outline.streams {
      guard let name = stream.name else { continue }
      names[name] = node(.stream, name, "", stream.pointer)
    }
    for file in outline.files {
      for end in ends(of: file, names.filter { file.bindings.values.contains($0.key) }) {
        if let last = end.last, let name = file.name, let place = files[name] { connect(last, place) }
      }
    }
    for stream in outline.streams {
      if let last = add(stream, names), let name = stream.name, let end = names[name] { connect(last, end) }
    }
    if !outline.outputs.isEmpty {
      return outline.outputs.map { End(output: $0.name, last: add($0.stream, names), pointer: $0.pointer) }
    }
    var last = upstream
    for step in outline.steps { last = add(step, after: last, names) }
    return [End(output: nil, last: last, pointer: outline.pointer)]
  }

  private mutating func add(_ step: StreamOutline.Step, after last: Int?, _ names: [String: Int]) -> Int? {
    switch step.kind {
    case .input where !step.detail.isEmpty:
      let late = node(.source, step.name, step.detail, step.pointer)
      if let input = names[step.name] { connect(input, late) }
      return late
    case .input, .reference: return names[step.name]
    case .file: return files[step.name]
    case .source, .operator, .fed: break
    }
    for case .outline(let outline) in step.branches.lazy.filter({ $0.relation == .applied }).map(\.content) {
      let outer = prefix
      prefix += "\(outline.name ?? step.name) › "
      defer { prefix = outer }
      return ends(of: outline, names, after: last).last?.last
    }
    let kind: StreamGraph.Node.Kind = step.kind == .operator ? .operator : .source
    let detail = step.label ?? step.detail
    let name = prefix + (step.kind == .fed ? "fed by \(step.name)" : step.name)
    let number = node(kind, name, detail, step.pointer)
    if let last { connect(last, number) }
    for branch in step.branches {
      let isInner = branch.relation == .started || branch.relation == .fed
      switch branch.content {
      case .name(let name): if let target = names[name] { connect(target, number, isInner: isInner) }
      case .outline(let outline): if let end = add(outline, names) { connect(end, number, isInner: isInner) }
      }
    }
    return number
  }
}
