internal import CEL
internal import StreamCore

/// A running operator that starts inner streams: one program with the operators of these streams while all values are
/// requested and nothing observes them, otherwise a machine with stages for each stream.
///
/// A snapshot converts the state of the program to stages; the next value converts it back.
class InnerStage<M: Machine>: SegmentStage {
  enum Mode: UInt8 {
    /// No value has been requested.
    case waiting
    /// The program runs.
    case program
    /// Upstream has finished, and the inner streams end one after another.
    case ending
    /// The machine runs until the next value arrives.
    case saved
    /// The machine runs.
    case machine
  }

  final let stream: InnerChain
  final let machine: UnsafeMutablePointer<M>
  @exclusivity(unchecked) final var mode = Mode.waiting
  @exclusivity(unchecked) private final var madeTail: ScratchTail?

  init(_ node: InnerNode<M>, downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) {
    stream = node.stream
    machine = .allocate(capacity: 1)
    machine.initialize(to: node.prototype)
    super.init(node.segment, node: node, downstream: downstream, port: port, frame: frame, execution)
    isSegment = false
  }

  deinit {
    machine.deinitialize(count: 1)
    machine.deallocate()
  }

  final func runMachine(_ mode: Mode) { (self.mode, isSegment) = (mode, false) }

  /// Whether something observes the inner streams.
  final func isWatched(_ execution: Execution) -> Bool {
    execution.isWatched || execution.subscriptionWatcher != nil
  }

  final var isInProgram: Bool { mode == .program || mode == .ending }

  // MARK: Signals

  override func start(_ effects: Effects) throws(StreamFailure) { try machine.pointee.start(effects) }

  override func startFolded(_ execution: Execution) -> Bool { false }

  override func resume(_ effects: Effects) throws(StreamFailure) { try machine.pointee.resume(effects) }

  override func fire(_ timer: Int, into value: inout Value, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try machine.pointee.fire(timer, into: &value, effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if isInProgram { return effects.publish(value) }
    try machine.pointee.receive(value, on: port, effects)
  }

  override var failurePolicy: ErrorPolicy { isInProgram ? super.failurePolicy : node.errorPolicy }

  override func prepareToFail(_ effects: Effects) {}

  override func tellStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }

  override func tellEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  override func cancellationNotes() -> [HookEvent] { machine.pointee.cancellationNotes(at: node.pointer) }

  // MARK: Saving

  override func saveState() throws -> Value { try ValueEncoder().encode(machine.pointee.state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    machine.pointee.state = try machine.pointee.decode(value, of: node)
    runMachine(.saved)
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { machine.pointee.canBeFed(by: upstream, on: port) }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: machine.pointee.state) }

  // MARK: Inner streams

  /// The result of the inner stream whose state is in the registers; nil if it publishes none.
  final var result: Value? {
    segment.isSummary ? segment.operators[last].result?(SegmentCells(stage: self)) : nil
  }

  /// Publishes what the operators after a summary publish for its result.
  ///
  /// - Parameters:
  ///   - result: The result; nil if there is none.
  ///   - captures: The variables of the inner stream.
  final func publish(_ result: Value?, capturing captures: [Value], _ effects: Effects) {
    do throws(StreamFailure) {
      if let output = try tail(effects.execution).output(of: result, capturing: captures, effects) {
        effects.publish(output)
      }
    } catch {
      effects.fail(error)
    }
  }

  /// The operators after a summary, created on first use.
  final func tail(_ execution: Execution) -> ScratchTail {
    if let madeTail { return madeTail }
    let made = ScratchTail(stream.tail, of: self, execution)
    madeTail = made
    return made
  }

  /// Number of operators of the segment outside the inner stream.
  private var ownOperatorCount: Int { segment.operators.count - (stream.segment?.segment.operators.count ?? 0) }

  /// Creates the stages of an inner stream that the operator feeds, with the states of the program.
  ///
  /// - Parameters:
  ///   - first: The operators that receive the values.
  ///   - feed: The source of the stream.
  ///   - port: The port that the stream feeds.
  ///   - values: The variables of the stream.
  /// - Returns: The stage that receives the stream's values.
  @discardableResult
  final func startStream(
    _ first: SegmentNode, _ feed: FeedNode, on port: Int, capturing values: [Value], _ execution: Execution
  ) -> SegmentStage {
    let variables = Frame(number: execution.frameCount, outer: frame, values: values)
    execution.frameCount += 1
    func make(_ node: SegmentNode, _ downstream: SegmentStage) -> SegmentStage {
      let (port, frame) = downstream === self ? (port, variables) : (0, nil)
      let stage = node.makeStage(downstream: downstream, port: port, frame: variables, execution)
      downstream.setUpstream(stage, on: port, frame: frame)
      downstream.setUnlimited(true, on: port)
      stage.goOn()
      return stage
    }
    let stage = make(first, stream.tail.reduce(self) { make($1, $0) })
    copyStates(with: stage, isBack: false)
    let source = feed.makeStage(downstream: stage, port: 0, frame: variables, execution)
    source.expectEverything()
    stage.setUpstream(source, on: 0)
    stage.setUnlimited(true, on: 0)
    variables.feeders = [source]
    execution.stageCount += stream.weight
    return stage
  }

  /// Returns the first stage of an inner stream if all its stages only wait for values.
  final func waitingStream(on port: Int, capturing values: [Value]) -> SegmentStage? {
    guard isUnlimited(port), var stage = upstream(on: port) as? SegmentStage, let first = stream.segment,
      let variables = innerFrame(on: port), variables.values == values, variables.feeders.count == 1,
      variables.feedEnd == nil, variables.hubs.isEmpty
    else { return nil }
    for node in stream.tail {
      guard stage.waits(as: node), stage.isNew, let next = stage.upstream(on: 0) as? SegmentStage else { return nil }
      stage = next
    }
    guard stage.waits(as: first), let feed = stage.upstream(on: 0) as? FeedStage, feed.isWaiting, feed.isFree,
      variables.feeders[0] === feed
    else { return nil }
    return stage
  }

  /// Whether work for this stage or its inner streams is pending.
  final func hasWork(_ execution: Execution) -> Bool {
    var found = false
    execution.stack.forEach { work in
      var stage: Stage? = work.stage
      // Follows the stages from the feed of a stream to this stage.
      for _ in 0..<stream.tail.count + 3 where stage?.isEnded == false {
        if stage === self { found = true }
        stage = stage?.downstream
      }
    }
    return found
  }

  /// Copies the states of the inner operators from the program to a stage, or back.
  final func copyStates(with stage: SegmentStage, isBack: Bool) {
    let (own, cells) = (SegmentCells(stage: self), SegmentCells(stage: stage))
    for (part, other) in zip(segment.operators.dropFirst(ownOperatorCount), stage.segment.operators) {
      if isBack { other.copyState(cells, to: part, own) } else { part.copyState(own, to: other, cells) }
    }
  }
}

extension SegmentStage {
  /// Marks the stage as started, with all values requested.
  fileprivate func goOn() {
    firstAlive = 0
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  /// Whether the stage belongs to this node and only waits for values, with all of them requested.
  fileprivate func waits(as node: SegmentNode) -> Bool {
    self.node === node && firstAlive == 0 && isUnlimited(0) && isFree
  }

  /// Whether no value has arrived.
  fileprivate var isNew: Bool {
    run.isAsMade(apartFrom: segment.captures.map(\.cell))
  }
}

extension Stage {
  /// Whether only the neighboring stages refer to the stage: no pending signal, timer or call.
  fileprivate var isFree: Bool {
    unheardCount == 0 && deferredDemand == .none && timers.isEmpty && callIDs.isEmpty
  }
}
