internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// Finds the tracks that feed each track, and the steps of its events.
struct LaneTracing {
  let trace: RunTrace

  /// - Parameters:
  ///   - inputCount: The number of tracks for inputs, which come first.
  ///   - fed: The tracks among them that a test feeds instead of named streams, with their nodes.
  ///   - nodes: The nodes of the tracks after them.
  ///   - outputNames: The names of the outputs, whose tracks come last; empty if there is one without a name.
  init(
    _ pipeline: Pipeline, lanes: [TimelineDiagram.Lane], inputCount: Int,
    fed: [(lane: Int, nodes: [PipelineNode])], stages nodes: [PipelineNode], outputNames: [String], _ run: LaneRun
  ) {
    var laneOfNode: [ObjectIdentifier: Int] = [:]
    for (place, node) in nodes.enumerated() { laneOfNode[ObjectIdentifier(node)] = inputCount + place }
    for (lane, nodes) in fed { for node in nodes { laneOfNode[ObjectIdentifier(node)] = lane } }
    let inputNames = Dictionary(
      lanes.prefix(inputCount).enumerated().map { ($0.element.title, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    // NB: Streams that several operators read are visited once, and a chain of operators may be long.
    func lanesOf(_ nodes: [PipelineNode]) -> [Int] {
      var (lanes, known, seen) = ([Int](), Set<Int>(), Set<ObjectIdentifier>())
      var open = Array(nodes.reversed())
      while let node = open.popLast() {
        guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
        if let lane = laneOfNode[ObjectIdentifier(node)]
          ?? node.inputNumber.flatMap({ inputNames[pipeline.inputs[$0].name] })
        {
          if known.insert(lane).inserted { lanes.append(lane) }
        } else if !node.isInput {
          open += node.upstreams.reversed()
        }
      }
      return lanes
    }

    var trace = RunTrace()
    (trace.steps, trace.end) = (run.steps, run.time)
    for (lane, input) in zip(lanes, pipeline.inputs.indices).prefix(inputCount) {
      var marks = run.received[input] ?? []
      if pipeline.inputs[input].initialValue != nil { marks.insert(RunTrace.Mark(step: 0, order: 0), at: 0) }
      trace.lanes.append(RunTrace.Lane(marks: Self.filled(marks, to: lane.events.count)))
    }
    for (lane, nodes) in fed {
      let marks = nodes.first.map { run.record(of: $0).marks } ?? []
      trace.lanes.append(RunTrace.Lane(marks: Self.filled(marks, to: lanes[lane].events.count)))
    }
    for (node, lane) in zip(nodes, lanes.dropFirst(inputCount)) {
      let marks = run.record(of: node).marks
      trace.lanes.append(
        RunTrace.Lane(
          pointer: node.pointer, upstreams: lanesOf(node.upstreams),
          combination: RunTrace.Combination(node.name), marks: Self.filled(marks, to: lane.events.count)))
    }
    let root = pipeline.root
    if outputNames.isEmpty {
      let upstreams = lanesOf(root.isInput ? [root] : root.upstreams)
      trace.lanes.append(
        RunTrace.Lane(
          pointer: root.pointer, upstreams: upstreams,
          combination: root.isInput ? nil : RunTrace.Combination(root.name),
          marks: Self.filled(run.output.marks, to: run.output.events.count)))
    } else {
      let tags = OutputTags(outputNames)
      for (place, name) in outputNames.enumerated() {
        let marks = zip(run.output.events, run.output.marks).filter { event, _ in
          guard case .value(let value) = event.event else { return true }
          return tags.output(of: value)?.index == place
        }.map(\.1)
        let upstreams = root.upstreams.indices.contains(place) ? lanesOf([root.upstreams[place]]) : []
        let count = lanes[inputCount + nodes.count + place].events.count
        trace.lanes.append(
          RunTrace.Lane(
            pointer: JSONPointer(["outputs", name]), upstreams: upstreams, marks: Self.filled(marks, to: count))
        )
      }
    }
    self.trace = trace
  }

  /// A mark for each event: events without one have not been received.
  private static func filled(_ marks: [RunTrace.Mark], to count: Int) -> [RunTrace.Mark] {
    Array(marks.prefix(count))
      + (marks.count..<max(count, marks.count)).map { _ in RunTrace.Mark(step: -1, order: .max) }
  }
}
