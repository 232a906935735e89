internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// Runs a stream and records the events of every line.
final class LaneRun {
  /// The events of a line, with their marks.
  struct Record {
    var events: [History.Event] = []
    var marks: [RunTrace.Mark] = []
  }

  /// The events of an operator.
  private final class Box {
    var record = Record()
    var valueCount = 0
  }

  private let session: StreamSession
  private let player: RecordingPlayer
  private let answers: CallAnswers
  private let limit: Int
  /// Maximum number of values of an operator. Operators that are not drawn may publish more than a line shows, since the
  /// output may have few of them.
  private let valueLimit: Int
  /// Maximum number of instants. Each instant is a column over all lines.
  private let instantLimit: Int
  private let drawsStages: Bool
  /// The number of instants so far, and the latest.
  private var instants = (count: 0, latest: StreamTime?.none)
  private(set) var output = Record()
  /// Locations of the stages that had a subscriber.
  private(set) var subscribed: Set<JSONPointer> = []
  private var published: [ObjectIdentifier: Box] = [:]
  /// The steps so far, and the number of events.
  private(set) var steps: [RunTrace.Step] = []
  private var eventCount = 0
  /// The places of the events of each input among all events, by the number of the input.
  private(set) var received: [Int: [RunTrace.Mark]] = [:]
  /// The reason why the work limit stopped the run; nil if it did not.
  private(set) var stop: StreamFailure?
  /// Whether a line has as many values as are drawn.
  private(set) var isFull = false
  /// The last instant to draw, set once a line is full.
  private var end: StreamTime?

  /// The dropped values, without those whose end the picture shows.
  var drops: [Execution.DroppedValues] { session.drops.filter { $0.reason != .ended } }

  var isEnded: Bool { session.isEnded }

  /// When the run ended.
  var time: StreamTime { end ?? session.time }

  /// Prepares a run for a picture with `lanes` lines.
  ///
  /// - Parameter drawsStages: Whether the values of operators are drawn, too.
  init(
    _ prepared: TestRunner.PreparedTest, _ player: RecordingPlayer, limit: Int, drawsStages: Bool, lanes: Int,
    _ workLimit: RunLimits
  ) {
    self.drawsStages = drawsStages
    instantLimit = max(1, Self.cellLimit / max(lanes, 1))
    session = StreamSession(prepared.pipeline, origin: prepared.origin, limit: workLimit)
    answers = prepared.answers
    self.player = player
    self.limit = limit
    valueLimit = drawsStages || limit > .max / 1_000 ? limit : limit * 1_000
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
    begin(.start)
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
          guard output.events.count < limit else { continue }
          isFull = isFull || output.events.count + 1 >= limit
        }
        append(event, to: &output)
      case .limited(let failure):
        stop = failure
        return true
      case .busy, .rolledBack: continue
      case nil:
        if step(until: until) { continue }
        guard !session.isEnded, let deadline = session.nextWake else { return false }
        guard !isFull, deadline <= until else { return true }
        begin(.timer, at: deadline)
        session.advanceToNextTimer()
      }
    }
    return !session.isEnded
  }

  /// Hands the next event from outside to the stream, if it is due. Returns false if there is none.
  private func step(until: StreamTime) -> Bool {
    // NB: The stream publishes while it receives the event.
    steps.append(RunTrace.Step(kind: .answer, time: session.time))
    eventCount += 1
    let order = eventCount
    guard player.step(session, until: until) else {
      steps.removeLast()
      return false
    }
    guard let input = player.latestInput else {
      steps[steps.count - 1] = RunTrace.Step(kind: .answer, time: player.latestTime)
      return true
    }
    let name = session.execution.pipeline.inputs[input].name
    steps[steps.count - 1] = RunTrace.Step(kind: .input(name), time: player.latestTime)
    received[input, default: []].append(RunTrace.Mark(step: steps.count - 1, order: order))
    return true
  }

  private func begin(_ kind: RunTrace.Step.Kind, at time: StreamTime = .zero) {
    steps.append(RunTrace.Step(kind: kind, time: time))
    eventCount += 1
  }

  /// Maximum number of instants times lines. A picture that would have more ends there, as at its number of values.
  private static let cellLimit = 2_000_000

  private func append(_ event: ExecutionEvent, to record: inout Record, isDrawn: Bool = true) {
    eventCount += 1
    if isDrawn, instants.latest != session.time {
      instants = (instants.count + 1, session.time)
      if instants.count >= instantLimit { isFull = true }
    }
    record.events.append(History.Event(session.time, event))
    record.marks.append(RunTrace.Mark(step: steps.count - 1, order: eventCount))
  }

  /// Maximum number of deliveries at the last instant of a full diagram.
  private static let patience = 10_000

  /// Whether the last instant is over.
  private var isOver: Bool { end.map { session.time > $0 } ?? false }

  private func record(_ event: ExecutionEvent, of node: ObjectIdentifier) {
    guard !isOver else { return }
    let box = box(of: node)
    // Streams that are subscribed to again and again end as often.
    if box.valueCount < limit, box.record.events.count < 2 * limit {
      append(event, to: &box.record, isDrawn: drawsStages)
    }
    guard case .value = event else { return }
    box.valueCount += 1
    if box.valueCount >= valueLimit { isFull = true }
  }

  private func box(of node: ObjectIdentifier) -> Box {
    if let box = published[node] { return box }
    let box = Box()
    published[node] = box
    return box
  }

  /// The events that an operator has published.
  func record(of node: PipelineNode) -> Record { published[ObjectIdentifier(node)]?.record ?? Record() }
}
