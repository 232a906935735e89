internal import StreamCore

/// A running operator whose inner streams run one after another: one program that is reset for each stream while all
/// values are requested, otherwise a machine with stages for the streams.
final class SerialStage<M: LoweredMachine>: InnerStage<M> {
  private let lowering: SerialLowering<M.State>
  private let cells: SerialCells
  @exclusivity(unchecked) private var hasStarted = false
  /// The deficits of the operators, and the number of the stream to which they belong; see `SegmentColdState.deficits`.
  @exclusivity(unchecked) private var deficits: (stream: Int64, all: [Int64]) = (-1, [])

  init(_ node: SerialNode<M>, downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) {
    lowering = node.serial
    guard let serial = node.segment.serial else { preconditionFailure("the program starts streams one after another") }
    cells = serial
    super.init(node, downstream: downstream, port: port, frame: frame, execution)
  }

  /// Whether the operator feeds the streams. Otherwise their sources publish values of their own.
  private var isFeeding: Bool { lowering.slots.value == nil }

  // MARK: Signals

  override func start(_ effects: Effects) throws(StreamFailure) {
    hasStarted = true
    guard mode != .waiting || isWatched(effects.execution) else { return effects.subscribe(to: 0) }
    if mode == .waiting { runMachine(.machine) }
    try super.start(effects)
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    if isInProgram { return }
    guard mode == .waiting, demand.isUnlimited, !isWatched(effects.execution) else {
      if mode == .waiting {
        runMachine(.machine)
        // NB: This stage has subscribed to port 0 already, so another subscription is ignored.
        try super.start(effects)
      }
      return try machine.pointee.request(demand, effects)
    }
    beginProgram()
    effects.request(lowering.requests ?? .unlimited, from: 0)
  }

  private func beginProgram() {
    // Values are forwarded one by one if another value is requested after each of them.
    (mode, isSegment) = (.program, lowering.requests == nil)
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    guard mode == .program || mode == .saved && port == 0 && loadProgress(effects.execution) else {
      return try machine.pointee.forward(&value, on: port, effects)
    }
    guard lowering.requests != nil else { return try super.forward(&value, on: port, effects) }
    let outcome = try take(value)
    if outcome != .dropped { try handle(outcome, effects) }
    effects.request(Demand(1), from: 0)
    return .nothing
  }

  // A damaged snapshot may contain a resume or a timer.

  override func resume(_ effects: Effects) throws(StreamFailure) { if !isInProgram { try super.resume(effects) } }

  override func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    if !isInProgram { try super.fire(timer, effects) }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if mode == .waiting {
      // Upstream has ended before values were requested.
      prepareToSave(effects.execution)
      runMachine(.machine)
    }
    guard isInProgram else { return try machine.pointee.receive(completion, on: port, effects) }
    guard completion == .finished else { return effects.complete(completion) }
    if isFeeding {
      startNext()
      if !hasEnded { endStream(with: result, effects) }
    }
    effects.finish()
  }

  /// The inner stream has ended, or one of its operators has refused the value.
  override func end(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    try throwRefusal()
    endStream(with: outcome == .emittedLast ? output : result, effects)
  }

  /// Ends the inner stream.
  ///
  /// - Parameter result: The output of the operators in the program.
  private func endStream(with result: Value?, _ effects: Effects) {
    if let ended = cells.ended { run.set(.int(1), of: ended) }
    publish(result, capturing: captures, effects)
  }

  override func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard skipped == .value else { return try receive(.finished, on: port, effects) }
    guard mode == .program else { return effects.request(Demand(1), from: port) }
    countSkipped()
    let isLast = !isFeeding || position == cells.length
    if endingOperator >= 0 || segment.isSummary && isLast { endStream(with: result, effects) }
    if lowering.requests != nil { effects.request(Demand(1), from: 0) }
  }

  override func skipsFailures(_ execution: Execution) -> Bool {
    // A source has no policy of its own.
    if isInProgram, !isFeeding, failing == SerialNode<M>.sourceNumber {
      return execution.skipsErrors || node.errorPolicy == .skip
    }
    return super.skipsFailures(execution)
  }

  override func deficit(_ number: Int) -> Int64 {
    deficits.stream == int(cells.number) && number < deficits.all.count ? deficits.all[number] : 0
  }

  override func setDeficit(_ deficit: Int64, of number: Int) {
    guard deficit != self.deficit(number) else { return }
    let stream = int(cells.number)
    if deficits.stream != stream || deficits.all.isEmpty {
      deficits = (stream, Array(repeating: 0, count: segment.operators.count))
    }
    deficits.all[number] = deficit
  }

  // MARK: Cells

  private func int(_ cell: Operand) -> Int64 { SegmentCells(stage: self).int(cell) }

  /// Number of values of the inner stream so far.
  private var position: Int { cells.position.map { Int(int($0)) } ?? 1 }

  /// Whether the inner stream has ended before its last value.
  private var hasEnded: Bool { cells.ended.map { int($0) > 0 } ?? true }

  /// The variables of the operators after a summary.
  private var captures: [Value] { [.int(int(cells.number))] }

  /// Starts the next stream if the current one is complete.
  private func startNext() {
    guard let cell = cells.position, position >= cells.length else { return }
    run.set(.int(int(cells.number) + 1), of: cells.number)
    run.set(.int(0), of: cell)
    run.resetCellsOfStream()
  }

  // MARK: Saving

  /// Converts the open stream to stages.
  override func prepareToSave(_ execution: Execution) {
    guard mode == .program || mode == .waiting && hasStarted else { return }
    startNext()
    // The stages have unlimited demand.
    if segment.isSummary { summary.demand = .unlimited }
    let progress = SerialProgress(
      started: int(cells.number) + 1, position: position, isRunning: !hasEnded, isRequested: mode == .program)
    machine.pointee.state = lowering.state(progress, machine.pointee.state)
    if progress.isRunning, let port = lowering.port(machine.pointee.state),
      let feed = stream.source as? FeedNode
    {
      startStream(feed, on: port, capturing: captures, execution)
    }
    runMachine(.saved)
    execution.endRoutes()
  }

  /// Converts stages to the cells of the program. Returns false if that is not possible now, or at all; then the
  /// machine runs permanently.
  private func loadProgress(_ execution: Execution) -> Bool {
    guard !isWatched(execution), unheardCount == 0, !hasWork(execution) else { return false }
    guard lowering.requests != nil || isUnlimited(0), let progress = lowering.progress(machine.pointee.state),
      let open = openStream(progress)
    else {
      runMachine(.machine)
      return false
    }
    run.resetCellsOfStream()
    run.set(.int(progress.started - 1), of: cells.number)
    if let cell = cells.position { run.set(.int(Int64(progress.position)), of: cell) }
    if let ended = cells.ended, !progress.isRunning { run.set(.int(1), of: ended) }
    deficits = (-1, [])
    if let stages = open {
      copyStates(from: stages)
      execution.stageCount -= stream.weight
    }
    removeInnerUpstreams()
    beginProgram()
    execution.endRoutes()
    return true
  }

  /// Returns the stages of the open stream; `.some(nil)` if no stream is open; nil if the stages cannot be converted.
  private func openStream(_ progress: SerialProgress) -> InnerStages?? {
    let stageCount = upstreams.dropFirst().count { $0.stage != nil }
    guard isFeeding, progress.isRunning else { return stageCount == 0 ? .some(nil) : nil }
    guard stageCount == 1, let port = lowering.port(machine.pointee.state) else { return nil }
    return waitingStream(on: port, capturing: [.int(progress.started - 1)]).map { .some($0) }
  }
}
