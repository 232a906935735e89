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
  @exclusivity(unchecked) private final var madeTail: PostSummaryOperators?

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

  override func resume(_ effects: Effects) throws(StreamFailure) { try machine.pointee.resume(effects) }

  override func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    try machine.pointee.fire(timer, effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if isInProgram { return effects.publish(value) }
    try machine.pointee.receive(value, on: port, effects)
  }

  override var failurePolicy: ErrorPolicy { isInProgram ? super.failurePolicy : node.errorPolicy }

  override func prepareToFail(_ effects: Effects) {}

  override func reportStart(_ execution: Execution) { execution.subscriptionWatcher?(node, true) }

  override func reportEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(node, false)
  }

  override func node(ofTimer timer: Int) -> PipelineNode { (isInProgram ? stream.timed?.node : nil) ?? node }

  override func cancellationNotes() -> [HookEvent] { machine.pointee.cancellationNotes(at: node.pointer) }

  // MARK: Saving

  override func saveState() throws -> Value { try ValueEncoder().encode(machine.pointee.state) }

  override func measureState(_ size: inout SizeSample) { size.add(state: machine.pointee.state) }

  /// As one operator unless the program runs.
  override func addHoldings(to sample: HoldingSample, _ execution: Execution) {
    prepareToSave(execution)
    sample.add(node, timers: timerCount(execution)) { measureState(&$0) }
  }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    machine.pointee.state = try machine.pointee.decode(value, of: node)
    runMachine(.saved)
  }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { machine.pointee.canBeFed(by: upstream, on: port) }

  override var unansweredDemand: Demand? {
    // A program runs only with all values requested.
    isInProgram ? .unlimited : Self.unansweredDemand(in: machine.pointee.state)
  }

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
  final func tail(_ execution: Execution) -> PostSummaryOperators {
    if let madeTail { return madeTail }
    let made = PostSummaryOperators(stream.tail, of: self, execution)
    madeTail = made
    return made
  }

  /// Creates the stages of an inner stream that the operator feeds, with the states of the program.
  ///
  /// - Parameters:
  ///   - feed: The source of the stream.
  ///   - port: The port that the stream feeds.
  ///   - values: The variables of the stream.
  ///   - due: The pending deliveries.
  /// - Returns: The stages of the operators in the program.
  @discardableResult
  final func startStream(
    _ feed: FeedNode, on port: Int, capturing values: [Value], due: [Delivery] = [], _ execution: Execution
  ) -> InnerStages {
    let variables = Frame(number: execution.frameCount, outer: frame, values: values)
    execution.frameCount += 1
    var last: Stage = self
    func make(_ node: PipelineNode, isUnlimited: Bool = true) -> Stage {
      let (port, frame) = last === self ? (port, variables) : (0, nil)
      let stage = node.makeStage(downstream: last, port: port, frame: variables, execution)
      last.setUpstream(stage, on: port, frame: frame)
      last.setUnlimited(isUnlimited, on: port)
      last = stage
      (stage as? SegmentStage)?.proceed()
      return stage
    }
    for node in stream.tail { _ = make(node) }
    let isUnlimited = stream.timed?.clock.limit == nil
    var stages = InnerStages()
    stages.segment = stream.segment.flatMap { make($0) as? SegmentStage }
    stages.timed = stream.timed.map { make($0.node) }
    stages.before = stream.before.flatMap { make($0, isUnlimited: isUnlimited) as? SegmentStage }
    copyStates(to: stages, due: due)
    guard let source = make(feed, isUnlimited: isUnlimited) as? FeedStage else { return stages }
    source.expect(requested(by: stages, due: due.count { $0.value != nil }))
    variables.join(source)
    execution.stageCount += stream.weight
    return stages
  }

  /// The values that the operators of an inner stream have requested from its source.
  private func requested(by stages: InnerStages, due count: Int) -> Demand {
    guard let limit = stream.timed?.clock.limit else { return .unlimited }
    guard let first = stages.before else { return Demand(limit - count) }
    let cells = SegmentCells(stage: first)
    return Demand(limit - count) + first.segment.unasked(cells)
  }

  /// Returns the stages of an inner stream if all of them only wait for values or a timer; nil otherwise.
  final func waitingStream(on port: Int, capturing values: [Value]) -> InnerStages? {
    guard isUnlimited(port), let variables = innerFrame(on: port), variables.values == values,
      variables.feeders.count == 1, variables.feedEnd == nil, variables.hubs.isEmpty
    else { return nil }
    var next = upstream(on: port)
    func take(_ node: PipelineNode, isUnlimited: Bool = true) -> Stage? {
      guard let stage = next, stage.node === node, stage.isUnlimited(0) == isUnlimited else { return nil }
      next = stage.upstream(on: 0)
      return stage
    }
    for node in stream.tail {
      guard let stage = take(node) as? SegmentStage, stage.waits, stage.isNew else { return nil }
    }
    let isUnlimited = stream.timed?.clock.limit == nil
    var stages = InnerStages()
    if let node = stream.segment {
      guard let stage = take(node) as? SegmentStage, stage.waits else { return nil }
      stages.segment = stage
    }
    if let timed = stream.timed {
      guard let stage = take(timed.node, isUnlimited: isUnlimited), stage.isFree(withTimers: true), timed.fitsRow(stage)
      else { return nil }
      stages.timed = stage
    }
    if let node = stream.before {
      guard let stage = take(node, isUnlimited: isUnlimited) as? SegmentStage, stage.waits else { return nil }
      stages.before = stage
    }
    guard let feed = next as? FeedStage, feed.isFree(), feed.isWaiting(for: requested(by: stages, due: 0)),
      variables.feeders[0] === feed
    else { return nil }
    return stages
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

  /// The operators of the inner stream in the program, grouped by the stages that can run them.
  private var innerOperators: (before: ArraySlice<SegmentOperator>, rest: ArraySlice<SegmentOperator>) {
    let all = segment.operators.suffix(stream.steps.count)
    guard stream.timed != nil else { return ([], all) }
    let count = stream.before?.segment.operators.count ?? 0
    return (all.prefix(count), all.dropFirst(count))
  }

  /// Copies the states of the inner operators from the program to stages.
  private func copyStates(to stages: InnerStages, due: [Delivery]) {
    var (before, rest) = innerOperators
    let own = SegmentCells(stage: self)
    func copy(_ operators: ArraySlice<SegmentOperator>, to stage: SegmentStage?) {
      guard let stage else { return }
      let cells = SegmentCells(stage: stage)
      for (part, other) in zip(operators, stage.segment.operators) { part.copyState(own, to: other, cells) }
    }
    copy(before, to: stages.before)
    if let timed = stream.timed, let stage = stages.timed, case .other(let state)? = rest.popFirst()?.state {
      timed.save(state, own, due, stage)
    }
    copy(rest, to: stages.segment)
  }

  /// Copies the states of stages to the program.
  final func copyStates(from stages: InnerStages) {
    var (before, rest) = innerOperators
    let own = SegmentCells(stage: self)
    func copy(_ operators: ArraySlice<SegmentOperator>, from stage: SegmentStage?) {
      guard let stage else { return }
      let cells = SegmentCells(stage: stage)
      for (part, other) in zip(operators, stage.segment.operators) { other.copyState(cells, to: part, own) }
    }
    copy(before, from: stages.before)
    if let timed = stream.timed, let stage = stages.timed, case .other(let state)? = rest.popFirst()?.state {
      timed.load(stage, state, own)
    }
    copy(rest, from: stages.segment)
  }
}

/// The stages of the operators of an inner stream that are part of the program, apart from its tail.
struct InnerStages {
  var before: SegmentStage?
  var timed: Stage?
  var segment: SegmentStage?
}

extension SegmentStage {
  /// Marks the stage as started, with all values requested.
  fileprivate func proceed() {
    firstAlive = 0
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  /// Whether the stage only waits for values.
  fileprivate var waits: Bool { firstAlive == 0 && isFree() }

  /// Whether no value has arrived.
  fileprivate var isNew: Bool {
    run.isAsMade(apartFrom: segment.captures.map(\.cell))
  }
}

extension Stage {
  /// Whether only the neighboring stages refer to the stage: no pending signal or call, and no timer.
  fileprivate func isFree(withTimers hasTimers: Bool = false) -> Bool {
    unheardCount == 0 && deferredDemand == .none && (hasTimers || timers.isEmpty) && callIDs.isEmpty
  }
}
