internal import CEL
@_spi(Engine) internal import StreamCore

/// A sequence of neighboring operators that runs as one program.
///
/// Its observable behavior is that of its operators as separate stages: they are subscribed to from the last to the
/// first, and end one by one.
class SegmentStage: Stage {
  /// Whether it has requested any values from upstream.
  @exclusivity(unchecked) final var hasAsked = false
  /// Whether the stream ends because the last operator has failed.
  @exclusivity(unchecked) private final var endsBackwards = false
  @exclusivity(unchecked) private final var aliveFrom: UInt16
  @exclusivity(unchecked) private final var failed: UInt16 = 0
  final let segment: Segment
  /// The current program.
  /// NB: Retained manually, in `init`, `replaceRun` and `deinit`, because it is read for every value.
  @exclusivity(unchecked) private(set) final var running: Unmanaged<ProgramInstance>

  @inline(__always)
  final var run: ProgramInstance { running._withUnsafeGuaranteedRef { $0 } }

  /// Index of the first operator that has not ended. Before the start, it is that of the last operator.
  final var firstAlive: Int {
    get { Int(aliveFrom) }
    set { aliveFrom = UInt16(newValue) }
  }

  /// Index of the operator that failed last.
  final var failing: Int {
    get { Int(failed) }
    set { failed = UInt16(newValue) }
  }

  final var summary: SegmentSummary {
    get { segmentColdState?.summary ?? SegmentSummary() }
    set { ensureSegmentColdState().summary = newValue }
  }

  override final func makeColdState() -> StageColdState { SegmentColdState() }

  final var segmentColdState: SegmentColdState? { coldState.map { unsafeDowncast($0, to: SegmentColdState.self) } }

  final func ensureSegmentColdState() -> SegmentColdState {
    unsafeDowncast(ensureColdState(), to: SegmentColdState.self)
  }

  init(
    _ segment: Segment, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame, _ execution: Execution
  ) {
    self.segment = segment
    let own = node as? SegmentNode
    let run = ProgramInstance(segment.program, provider: execution, isBaseline: own?.isBaseline == true)
    // The first value predicts the types of the others.
    run.needsRespecialization = own?.takesAnything == true
    running = Unmanaged.passRetained(run)
    aliveFrom = UInt16(segment.operators.count - 1)
    super.init(node: node, downstream: downstream, port: port, frame: frame)
    isSegment = true
    for capture in segment.captures { run.set(frame.value(inSlot: capture.slot), of: capture.cell) }
  }

  deinit { running.release() }

  final func replaceRun(by frame: ProgramInstance) {
    let old = running
    running = Unmanaged.passRetained(frame)
    old.release()
  }

  final var last: Int { segment.operators.count - 1 }

  func deficit(_ number: Int) -> Int64 {
    guard let segmentColdState, number < segmentColdState.deficits.count else { return 0 }
    return segmentColdState.deficits[number]
  }

  func setDeficit(_ deficit: Int64, of number: Int) {
    if segmentColdState?.deficits.isEmpty != false {
      if deficit == 0 { return }
      ensureSegmentColdState().deficits = Array(repeating: 0, count: segment.operators.count)
    }
    ensureSegmentColdState().deficits[number] = deficit
  }

  // MARK: Signals

  override func start(_ effects: Effects) throws(StreamFailure) {
    effects.subscribe(to: 0)
    begin(effects.execution)
    if segment.isSummary {
      hasAsked = true
      effects.request(.unlimited, from: 0)
    }
  }

  /// Marks all operators as running.
  private final func begin(_ execution: Execution) {
    execution.stageCount += last
    firstAlive = 0
    guard let watcher = execution.subscriptionWatcher else { return }
    for number in (0..<last).reversed() { watcher(segment.operators[number].node, true) }
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    if segment.isSummary {
      let isFirst = summary.demand == .none
      summary.demand += demand
      if summary.isWaiting, isFirst { hand(effects) }
      return
    }
    var demand = demand
    if !hasAsked {
      hasAsked = true
      demand += segment.unasked(SegmentCells(stage: self))
    }
    effects.request(demand, from: 0)
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    try forward(take(value), into: &value, effects)
  }

  /// Processes the outcome of a run for a value; an output replaces `value`.
  final func forward(
    _ outcome: ProgramOutcome, into value: inout Value, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding {
    if outcome == .emitted {
      value = output
      return .value
    }
    if outcome != .dropped || !isUnlimited(0) { try handle(outcome, effects) }
    return .nothing
  }

  /// Continues in the program for values like this one and for the contents of the cells.
  @inline(never)
  final func respecialize(for value: Value) {
    guard let node = node as? SegmentNode else { return }
    var likely = TypeFeedback(cells: run.likelyCells)
    if node.takesAnything {
      // A value that predicts nothing leaves the decision to the next one.
      guard let type = CELType.likely(value) else { return }
      likely.input = type
    }
    run.needsRespecialization = false
    guard var program = node.program(for: likely) else { return }
    if run.runs(program) {
      // Runs leave the program although the records in the cells are those that it expects now, for example since a
      // field is null in every other run. Then nothing is predicted of the fields.
      guard run.leaveCount > 1, likely.forgetRecords(), let general = node.program(for: likely), !run.runs(general)
      else { return }
      program = general
    }
    replaceRun(by: run.continued(in: program))
  }

  /// The number of values taken, and the outcome of the last one.
  typealias Taken = (count: Int, outcome: Result<ProgramOutcome, StreamFailure>)

  /// Runs the program for values, at most as many as its runs take at once, until one has an effect.
  ///
  /// - Parameter sink: Takes the outputs for rows; nil if an output is an effect.
  final func take(_ values: UpcomingValues, _ sink: (any RowSink)?) -> Taken {
    if run.needsRespecialization, let first = values.first { respecialize(for: first) }
    let most = run.mostInputs
    let progress: RunProgress
    switch values {
    case .numbers(let first, let step, let count): progress = run.run(from: first, by: step, count: min(count, most))
    case .elements(let elements): progress = elements.prefix(most).withUnsafeBufferPointer { run.run($0) }
    case .rows(let rows): return take(rows, sink)
    }
    if let error = progress.failure { return (progress.consumed, .failure(failure(error))) }
    return (progress.consumed, .success(progress.outcome))
  }

  /// Processes the outcome of a run.
  final func handle(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    switch outcome {
    case .emitted: effects.publish(output)
    case .dropped: if !isUnlimited(0) { drop(effects) }
    case .finished, .emittedLast: try end(outcome, effects)
    case .waiting: break
    }
  }

  /// Drops a value, and requests another one in its place, unless that was requested in advance.
  private final func drop(_ effects: Effects) {
    if let absorbed = segment.absorbed, run.value(of: absorbed) != .int(0) {
      run.set(.int(0), of: absorbed)
    } else {
      effects.request(Demand(1), from: 0)
    }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    finishOperators(through: last - 1, effects.execution)
    complete(completion, effects)
  }

  /// Ends the stream after its last value, or throws the failure of a refused value.
  func end(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    try throwRefusal()
    if segment.isSummary, outcome == .emittedLast { return end(with: output, effects) }
    cancelOperators(below: max(endingOperator, 0), effects)
    if outcome == .emittedLast { effects.publish(output) }
    finish(effects)
  }

  /// Throws the failure if an operator has refused the value of the last run.
  final func throwRefusal() throws(StreamFailure) {
    guard let refused = segment.refused, case .int(let number) = run.value(of: refused), number > 0 else { return }
    run.set(.int(0), of: refused)
    let refusal = segment.refusals[Int(number) - 1]
    failing = refusal.operator
    let value = segment.refusedValue.map(run.value(of:)) ?? .null
    if let kept = segment.refusedValue { run.set(.null, of: kept) }
    throw refusal.failure(value).located(at: segment.operators[failing].node.pointer)
  }

  /// Index of the operator that has ended the stream; -1 if none has.
  final var endingOperator: Int {
    guard let ending = segment.ending, case .int(let number) = run.value(of: ending) else { return -1 }
    return Int(number) - 1
  }

  private final func finish(_ effects: Effects) {
    if segment.isSummary { finishOperators(through: last - 1, effects.execution) }
    complete(.finished, effects)
  }

  private final func complete(_ completion: Completion, _ effects: Effects) {
    guard segment.isSummary, completion == .finished else { return effects.complete(completion) }
    summary.result = segment.operators[last].result?(SegmentCells(stage: self))
    hand(effects)
  }

  /// Ends a summary with this result.
  final func end(with result: Value?, _ effects: Effects) {
    summary.result = result
    cancelBeforeEnding(effects)
    cancelOperators(below: last, effects)
    hand(effects)
  }

  /// Publishes the result of a summary once there is demand.
  private final func hand(_ effects: Effects) {
    summary.isWaiting = summary.demand == .none
    guard !summary.isWaiting else { return }
    if let result = summary.result { effects.publish(result) }
    effects.finish()
  }

  // MARK: Failures

  @inline(never)
  final func takeFailure() -> StreamFailure { failure(run.takeFailure()) }

  final func failure(_ error: ProgramFailure) -> StreamFailure {
    let site = segment.sites[error.site]
    failing = site.operator
    return site.failure(error.reason, for: run.value(of: site.value))
      .located(at: site.pointer ?? segment.operators[failing].node.pointer)
  }

  override var failurePolicy: ErrorPolicy { segment.operators[failing].node.errorPolicy }

  /// Ends the failed operator with those before it; the failure passes through those after it.
  override func prepareToFail(_ effects: Effects) {
    cancelBeforeEnding(effects)
    if failing == last {
      endsBackwards = true
    } else {
      cancelOperators(below: failing + 1, effects)
      finishOperators(through: last - 1, effects.execution)
    }
  }

  /// Skips the value that made an operator fail: the operators that share its counter have not received it.
  override func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard skipped == .value else { return try receive(.finished, on: port, effects) }
    countSkipped()
    let ended = endingOperator
    guard ended >= 0 else { return effects.request(Demand(1), from: 0) }
    cancelOperators(below: ended, effects)
    finish(effects)
  }

  /// Counts a value that the failed operator has skipped, and that those after it with the same counter have not received.
  final func countSkipped() {
    if let index = segment.operators[failing].received {
      let cells = SegmentCells(stage: self)
      cells[index.cell] = .int(cells.int(index.cell) &+ 1)
    }
    guard let sharedCounter = segment.operators[failing].sharedCounter else { return }
    for number in failing...last where segment.operators[number].sharedCounter == sharedCounter {
      setDeficit(deficit(number) + 1, of: number)
    }
  }

  // MARK: Operators that end

  /// Cancels the operators before this one, from the last to the first, and their upstream.
  private final func cancelOperators(below number: Int, _ effects: Effects) {
    let execution = effects.execution
    for ended in (firstAlive..<max(number, firstAlive)).reversed() { end(ended, execution) }
    firstAlive = max(number, firstAlive)
    execution.cancelUpstream(of: self, on: 0)
  }

  /// Cancels the operators before one that has ended the stream, as it does before it passes its last value on.
  private final func cancelBeforeEnding(_ effects: Effects) {
    let ended = endingOperator
    if ended >= 0 { cancelOperators(below: ended, effects) }
  }

  /// Finishes the operators through this one, from the first to the last.
  private final func finishOperators(through number: Int, _ execution: Execution) {
    while firstAlive <= number {
      end(firstAlive, execution)
      firstAlive += 1
    }
  }

  private final func end(_ number: Int, _ execution: Execution) {
    execution.stageCount -= 1
    execution.subscriptionWatcher?(segment.operators[number].node, false)
  }

  /// Returns the state of the last operator, which represents the segment.
  override func saveState() throws -> Value { try segment.operators[last].save(SegmentCells(stage: self)) }

  override func measureState(_ size: inout SizeSample) {
    segment.operators[last].measure(SegmentCells(stage: self), &size)
  }

  override func addHoldings(to sample: HoldingSample, _ execution: Execution) {
    guard isSegment else { return super.addHoldings(to: sample, execution) }
    let (cells, timers) = (SegmentCells(stage: self), timerCount(execution))
    for part in segment.operators[firstAlive...].reversed() {
      let isLast = part.node === node
      sample.add(part.node, timers: isLast ? timers : 0) { isLast ? measureState(&$0) : part.measure(cells, &$0) }
    }
  }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    hasAsked = segment.isSummary
    try Diagnostics.listing { () throws(Diagnostic) in
      try segment.operators[last].load(value, SegmentCells(stage: self))
    }
  }

  override var unansweredDemand: Demand? { segment.operators[last].unansweredDemand(SegmentCells(stage: self)) }

  override func canBeFed(by upstream: Int, on port: Int) -> Bool { upstream == 0 && port == 0 }

  override func reportStart(_ execution: Execution) {
    execution.subscriptionWatcher?(segment.operators[last].node, true)
  }

  override func reportEnd(_ execution: Execution, isCancelled: Bool) {
    execution.stageCount -= last - firstAlive + 1
    guard let watcher = execution.subscriptionWatcher else { return }
    let alive = Array(firstAlive...last)
    for number in isCancelled || endsBackwards ? alive.reversed() : alive {
      watcher(segment.operators[number].node, false)
    }
  }
}

/// The state that few segments need.
final class SegmentColdState: StageColdState {
  @exclusivity(unchecked) var summary = SegmentSummary()
  /// The number of values by which each operator is behind its shared counter: those skipped before they reached it.
  @exclusivity(unchecked) var deficits: [Int64] = []
  /// The rows that were passed last, and the program that received them.
  @exclusivity(unchecked) var rows: LineRows?
  @exclusivity(unchecked) var withRows: ProgramInstance?
  /// A program that takes no rows.
  @exclusivity(unchecked) var withoutRows: ProgramInstance?
}
