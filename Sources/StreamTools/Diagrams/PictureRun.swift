internal import CEL
public import StreamCore
public import StreamEngine
public import StreamKit

/// Runs a stream in virtual time and records the events for a diagram.
public struct PictureRun: Sendable {
  private let stream: StreamFile
  private let options: CompileOptions

  /// Whether every operator has its own line. Default false.
  public var showsStages = false
  /// Maximum number of values on a line; the run ends when it is reached. Default 30.
  public var limit = 30
  /// End of the drawn time. Default unlimited.
  public var until = StreamTime.distantFuture
  /// Limit on the work of the run; the diagram ends where the run exceeds it. Default `RunLimits()`.
  public var workLimit = RunLimits()

  public init(_ stream: StreamFile, options: CompileOptions = CompileOptions()) {
    self.stream = stream
    self.options = options
  }

  /// Runs the stream with the inputs of a test, which need not be in the file.
  ///
  /// - Throws: The errors in the stream, or in what the test feeds.
  public func picture(of test: StreamTest, at pointer: JSONPointer = JSONPointer()) throws(Diagnostics)
    -> TimelineDiagram
  {
    try picture(of: test, at: pointer, [], origin: nil)
  }

  /// Runs the stream with recordings of inputs, which are read when the stream wants their values.
  ///
  /// - Parameter origin: Time zero of the recordings.
  /// - Throws: The errors in the stream.
  package func picture(
    ofRecordings recordings: [(name: String, script: OrderedScript)], origin: Timestamp
  ) throws(Diagnostics) -> TimelineDiagram {
    let bare = StreamTest(name: "", expect: StreamTest.EventScript(.values([])))
    return try picture(of: bare, at: JSONPointer(), recordings, origin: origin)
  }

  private func picture(
    of test: StreamTest, at pointer: JSONPointer, _ recordings: [(name: String, script: OrderedScript)],
    origin: Timestamp?
  ) throws(Diagnostics) -> TimelineDiagram {
    var options = options
    options.fuses = options.fuses && !showsStages
    var prepared = try TestRunner(stream, options: options).prepare(test, at: pointer)
    for (name, script) in recordings {
      guard let input = prepared.pipeline.input(named: name) else { continue }
      prepared.recordings.append(.init(input: input, script, in: prepared.pipeline))
      prepared.order = .byInput
    }
    if let origin { prepared.origin = origin }
    let until = min(until, prepared.until)
    let player = prepared.makePlayer()
    let order = Self.nodes(of: prepared.pipeline)
    let run = LaneRun(
      prepared, player, limit: max(limit, 1), drawsStages: showsStages,
      lanes: prepared.pipeline.inputs.count + (showsStages ? order.count : 1), workLimit)
    let isCut = run.run(until: until) || player.hasEvents(after: until)
    var lanes = inputLanes(test, prepared.pipeline, player, until: isCut ? min(until, run.time) : until)
    let inputCount = lanes.count
    // The nodes that publish what the test feeds instead of named streams, by track.
    var fed = lanes.indices.dropFirst(prepared.pipeline.inputs.count).map { (lane: $0, nodes: [PipelineNode]()) }
    let places = Dictionary(
      fed.enumerated().map { (Self.pointer(ofStream: lanes[$1.lane].title), $0) }
    ) { first, _ in first }
    var others: [PipelineNode] = []
    for node in order {
      if let place = places[node.pointer] { fed[place].nodes.append(node) } else { others.append(node) }
    }
    let stages = showsStages ? stageLanes(prepared.pipeline, others, run) : (lanes: [], nodes: [], last: nil)
    lanes += stages.lanes
    let names = stream.model.outputNames
    lanes += names.map { .init(.output, title: $0, events: History(run.output.events).ofOutput($0).events) }
    if names.isEmpty {
      lanes.append(
        .init(
          .output, title: stages.last.map { "\($0.title) → output" } ?? "output", detail: stages.last?.detail ?? "",
          events: run.output.events))
    }
    var diagram = TimelineDiagram(lanes: lanes, isCut: isCut, stop: run.stop, drops: run.drops)
    diagram.warnings = prepared.warnings.prefix(1) + prepared.lateWarnings
    diagram.trace =
      LaneTracing(
        prepared.pipeline, lanes: lanes, inputCount: inputCount, fed: fed, stages: stages.nodes, outputNames: names, run
      ).trace
    // The stream was silent until then.
    if !run.isEnded, !run.isFull, run.stop == nil, until < .distantFuture { diagram.trace.end = until }
    return diagram
  }

  /// The events fed to inputs, and those that replace named streams.
  private func inputLanes(
    _ test: StreamTest, _ pipeline: Pipeline, _ player: RecordingPlayer, until: StreamTime
  ) -> [TimelineDiagram.Lane] {
    var lanes: [TimelineDiagram.Lane] = []
    for (number, input) in pipeline.inputs.enumerated() {
      let initial = input.initialValue.map { [History.Event(.zero, .value($0))] } ?? []
      // Late values end with their input.
      let end = input.lateOf.flatMap(pipeline.input).flatMap { player.events(for: $0).last { !$0.isValue } }
      lanes.append(
        lane(input.name, initial + player.events(for: number) + [end].compactMap(\.self), until: until))
    }
    for (name, script) in test.inputs where pipeline.input(named: name) == nil {
      lanes.append(lane(name, script.history().events, until: until))
    }
    return lanes
  }

  private func lane(_ name: String, _ events: [History.Event], until: StreamTime) -> TimelineDiagram.Lane {
    let visible = events.filter { $0.time >= .zero && $0.time <= until }
    var count = 0
    let shown = visible.prefix { event in
      if case .value = event.event { count += 1 }
      return count <= limit
    }
    return TimelineDiagram.Lane(.input, title: name, events: Array(shown))
  }

  /// A line for every source and operator except the last, whose output is the stream's line.
  private func stageLanes(
    _ pipeline: Pipeline, _ order: [PipelineNode], _ run: LaneRun
  ) -> (lanes: [TimelineDiagram.Lane], nodes: [PipelineNode], last: TimelineDiagram.Lane?) {
    // Among several nodes at one location, the one nearest to the output represents it.
    let nodes = Dictionary(order.map { ($0.pointer, $0) }) { _, nearer in nearer }
    var lanes: [TimelineDiagram.Lane] = []
    var laneNodes: [PipelineNode] = []
    var last: TimelineDiagram.Lane?
    func add(_ node: PipelineNode, _ title: String, _ detail: String) {
      let events = run.record(of: node).events
      let lane = TimelineDiagram.Lane(
        .stage, title: title, detail: detail, events: events,
        isSubscribed: !events.isEmpty || run.subscribed.contains(node.pointer))
      guard node !== pipeline.root else {
        last = lane
        return
      }
      lanes.append(lane)
      laneNodes.append(node)
    }
    let stages = StreamOutline(of: stream, options: options).stages
    let places = Set(stages.map(\.step.pointer))
    // Parts in other files come first, since this stream consists of them.
    for node in order where !places.contains(node.pointer) && !node.isInput && nodes[node.pointer] === node {
      // The operators that join the outputs are not part of the file.
      if node.pointer.tokens.first == "outputs", node.pointer.tokens.count < 3 { continue }
      add(node, (Self.streams(around: node.pointer) + [node.name]).joined(separator: " · "), "")
    }
    for stage in stages {
      if let node = nodes[stage.step.pointer] { add(node, stage.title, stage.step.detail) }
    }
    return (lanes, laneNodes, last)
  }

  /// The nodes of the pipeline, each after all its upstreams.
  private static func nodes(of pipeline: Pipeline) -> [PipelineNode] {
    var order: [PipelineNode] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(pipeline.root)]
    var open: [(node: PipelineNode, next: Int)] = [(pipeline.root, 0)]
    while let (node, next) = open.last {
      guard next < node.upstreams.count else {
        order.append(node)
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let upstream = node.upstreams[next]
      if seen.insert(ObjectIdentifier(upstream)).inserted { open.append((upstream, 0)) }
    }
    return order
  }

  /// The place of the recording that a test feeds instead of a named stream.
  private static func pointer(ofStream name: String) -> JSONPointer {
    JSONPointer(["streams", name, "source", "record"])
  }

  /// The names of the streams that a place is part of, outermost first.
  private static func streams(around pointer: JSONPointer) -> [String] {
    zip(pointer.tokens, pointer.tokens.dropFirst()).compactMap { $0 == "streams" ? $1 : nil }
  }
}
