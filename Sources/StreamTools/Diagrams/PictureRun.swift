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
    ofRecordings recordings: [(name: String, history: History)], origin: Timestamp
  ) throws(Diagnostics) -> TimelineDiagram {
    let bare = StreamTest(name: "", expect: StreamTest.EventScript(.values([])))
    return try picture(of: bare, at: JSONPointer(), recordings, origin: origin)
  }

  private func picture(
    of test: StreamTest, at pointer: JSONPointer, _ recordings: [(name: String, history: History)], origin: Timestamp?
  ) throws(Diagnostics) -> TimelineDiagram {
    var options = options
    options.fuses = options.fuses && !showsStages
    var prepared = try TestRunner(stream, options: options).prepare(test, at: pointer)
    for (name, history) in recordings {
      guard let input = prepared.pipeline.input(named: name) else { continue }
      prepared.recordings.append(.init(input: input, history: history, waits: true))
      prepared.order = .byInput
    }
    if let origin { prepared.origin = origin }
    let until = min(until, prepared.until)
    let player = prepared.makePlayer()
    let run = LaneRun(prepared, player, limit: max(limit, 1), workLimit)
    let isCut = run.run(until: until) || player.hasEvents(after: until)
    var lanes = inputLanes(test, prepared.pipeline, player, until: isCut ? min(until, run.time) : until)
    let stages = showsStages ? stageLanes(prepared.pipeline, run) : (lanes: [], last: nil)
    lanes += stages.lanes
    let names = stream.model.outputNames
    lanes += names.map { .init(.output, title: $0, events: History(run.output).ofOutput($0).events) }
    if names.isEmpty {
      lanes.append(
        .init(
          .output, title: stages.last.map { "\($0.title) → output" } ?? "output", detail: stages.last?.detail ?? "",
          events: run.output))
    }
    var diagram = TimelineDiagram(lanes: lanes, isCut: isCut, stop: run.stop, drops: run.drops)
    diagram.warnings = Array(prepared.warnings.prefix(1))
    return diagram
  }

  /// The events fed to inputs, and those that replace named streams.
  private func inputLanes(
    _ test: StreamTest, _ pipeline: Pipeline, _ player: RecordingPlayer, until: StreamTime
  ) -> [TimelineDiagram.Lane] {
    var lanes: [TimelineDiagram.Lane] = []
    for (number, input) in pipeline.inputs.enumerated() {
      let initial = input.initialValue.map { [History.Event(.zero, .value($0))] } ?? []
      lanes.append(lane(input.name, initial + player.events(for: number), until: until))
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
    _ pipeline: Pipeline, _ run: LaneRun
  ) -> (lanes: [TimelineDiagram.Lane], last: TimelineDiagram.Lane?) {
    let order = Self.nodes(of: pipeline)
    // Among several nodes at one location, the one nearest to the output represents it.
    let nodes = Dictionary(order.map { ($0.pointer, $0) }) { _, nearer in nearer }
    var lanes: [TimelineDiagram.Lane] = []
    var last: TimelineDiagram.Lane?
    func add(_ node: PipelineNode, _ title: String, _ detail: String) {
      let events = run.said[ObjectIdentifier(node)] ?? []
      let lane = TimelineDiagram.Lane(
        .stage, title: title, detail: detail, events: events,
        isSubscribed: !events.isEmpty || run.subscribed.contains(node.pointer))
      if node === pipeline.root { last = lane } else { lanes.append(lane) }
    }
    let stages = StreamOutline(stream.model, host: options.host).stages
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
    return (lanes, last)
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

  /// The names of the streams that a place is part of, outermost first.
  private static func streams(around pointer: JSONPointer) -> [String] {
    zip(pointer.tokens, pointer.tokens.dropFirst()).compactMap { $0 == "streams" ? $1 : nil }
  }
}

/// Runs a stream and records the events of every line.
private final class LaneRun {
  private let session: StreamSession
  private let player: RecordingPlayer
  private let answers: CallAnswers
  private let limit: Int
  private(set) var output: [History.Event] = []
  /// Locations of the stages that had a subscriber.
  private(set) var subscribed: Set<JSONPointer> = []
  private(set) var said: [ObjectIdentifier: [History.Event]] = [:]
  private var valueCounts: [ObjectIdentifier: Int] = [:]
  /// The reason why the work limit stopped the run; nil if it did not.
  private(set) var stop: StreamFailure?
  private var isFull = false
  /// The last instant to draw, set once a line is full.
  private var end: StreamTime?

  /// The values that operators have dropped.
  var drops: [Execution.DroppedValues] { session.drops }

  /// When the run ended.
  var time: StreamTime { end ?? session.time }

  init(_ prepared: TestRunner.PreparedTest, _ player: RecordingPlayer, limit: Int, _ workLimit: RunLimits) {
    session = StreamSession(prepared.pipeline, origin: prepared.origin, limit: workLimit)
    answers = prepared.answers
    self.player = player
    self.limit = limit
  }

  /// Runs until nothing more can happen or a line is full. Returns whether the run would have continued.
  func run(until: StreamTime) -> Bool {
    // NB: not the run itself, which keeps the execution.
    session.execution.publicationWatcher = { [unowned self] node, event in record(event, of: ObjectIdentifier(node)) }
    session.execution.subscriptionWatcher = { [unowned self] node, isSubscribed in
      if isSubscribed { subscribed.insert(node.pointer) }
    }
    defer {
      session.execution.publicationWatcher = nil
      session.execution.subscriptionWatcher = nil
    }
    session.start()
    var patience = Self.patience
    while !session.isEnded, patience > 0 {
      if isFull {
        // Later events at the same instant belong to the picture, unless they are endless.
        patience -= 1
        if end == nil { end = session.time }
        if let end, session.time > end { break }
      }
      switch session.next(atMost: 1) {
      case .event(.call(let call)):
        guard let answer = answers.answer(call) else { continue }
        player.resolve(call.id, with: answer.result, at: session.time + answer.delay)
      case .event(let event):
        guard event.isOfTheStream, !isOver else { continue }
        if case .value = event {
          guard output.count < limit else { continue }
          isFull = isFull || output.count + 1 >= limit
        }
        output.append(History.Event(session.time, event))
      case .limited(let failure):
        stop = failure
        return true
      case .busy, .rolledBack: continue
      case nil:
        if player.step(session, until: until) { continue }
        guard !session.isEnded, let deadline = session.nextWake else { return false }
        guard !isFull, deadline <= until else { return true }
        session.advanceToNextTimer()
      }
    }
    return !session.isEnded
  }

  /// Maximum number of deliveries at the last instant of a full diagram.
  private static let patience = 10_000

  /// Whether the last instant is over.
  private var isOver: Bool { end.map { session.time > $0 } ?? false }

  private func record(_ event: ExecutionEvent, of node: ObjectIdentifier) {
    guard valueCounts[node, default: 0] < limit, !isOver else { return }
    // Streams that are subscribed to again and again end as often.
    guard said[node, default: []].count < 2 * limit else { return }
    said[node, default: []].append(History.Event(session.time, event))
    guard case .value = event else { return }
    valueCounts[node, default: 0] += 1
    if valueCounts[node, default: 0] >= limit { isFull = true }
  }
}
