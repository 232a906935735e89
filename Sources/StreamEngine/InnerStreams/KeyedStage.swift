internal import DequeModule
internal import StreamCore

/// A running operator that starts an inner stream for each key: one program with a row for each key while all values
/// are requested, otherwise a machine with stages for each key.
///
/// A snapshot converts rows to stages; the next value converts them back.
final class KeyedStage<M: LoweredMachine>: InnerStage<M> {
  private let keyed: KeyedNode<M>
  /// The timers of the rows, if an operator waits for timers.
  private let clock: RowClock?
  /// The failure when the clock of a row fires; nil if the program runs.
  let error: Value?
  /// The deficits of the operators by row; see `SegmentColdState.deficits`.
  @exclusivity(unchecked) private var deficits: [Int: [Int64]] = [:]
  /// The rows whose streams still have to end after upstream; the last one is next.
  @exclusivity(unchecked) var remaining: [Int] = []
  /// The pending deliveries of values and ends, for all rows.
  @exclusivity(unchecked) var due: Deque<RowDelivery> = []
  @exclusivity(unchecked) var clocks = RowClocks()
  /// The rows whose timers have fired, for a host that takes rows away; nil records none.
  @exclusivity(unchecked) package var firedRows: [Int]?
  /// The cell of the delivered value, and the program of that cell.
  @exclusivity(unchecked) var delivered: (program: Program, cell: CellInput)?

  init(_ node: KeyedNode<M>, downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) {
    keyed = node
    clock = node.stream.timed?.clock
    error = node.stream.timed?.error
    super.init(node, downstream: downstream, port: port, frame: frame, execution)
  }

  var hasClock: Bool { clock != nil }

  /// Whether a row has one timer at most, and no values that wait for the scheduler.
  var hasSimpleClock: Bool { keyed.groups.idle == nil && clock?.limit == nil }

  func deficits(ofRow row: Int) -> [Int64] { deficits[row] ?? [] }

  func set(_ deficits: [Int64], ofRow row: Int) { self.deficits[row] = deficits.isEmpty ? nil : deficits }

  // MARK: Signals

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    if isInProgram { return }
    guard mode == .waiting, demand.isUnlimited, !isWatched(effects.execution) else {
      if mode == .waiting { runMachine(.machine) }
      return try machine.pointee.request(demand, effects)
    }
    beginRows()
    effects.request(.unlimited, from: 0)
  }

  private func beginRows() {
    // With a timer, values are forwarded one by one: each of them sets the timer of its group.
    (mode, isSegment) = (.program, keyed.groups.idle == nil && clock == nil)
    hasAsked = true
    if segment.isSummary { summary.demand = .unlimited }
  }

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if port > 0, isInProgram { return .value }
    guard mode == .program || mode == .saved && port == 0 && loadRows(effects.execution) else {
      return try machine.pointee.forward(&value, on: port, effects)
    }
    if let clock { return try forward(&value, clock, effects) }
    guard let idle = keyed.groups.idle else { return try super.forward(&value, on: port, effects) }
    let row = run.currentRow
    run.enteredRow = -1
    do throws(StreamFailure) {
      let forwarding = try super.forward(&value, on: port, effects)
      setTimer(after: idle, unlessEntered: row, effects)
      return forwarding
    } catch {
      // Failures of the operator itself occur before it enters a row.
      if failing > 0 { setTimer(after: idle, unlessEntered: row, effects) }
      throw error
    }
  }

  /// Sets the timer of the last value's group.
  ///
  /// - Parameter row: The row of that group, if the program has not entered another row.
  private func setTimer(after idle: Interval, unlessEntered row: Int, _ effects: Effects) {
    effects.setTimer(KeyedGroups.port(of: run.enteredRow >= 0 ? run.enteredRow : row), at: effects.now + idle)
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard isInProgram else { return try machine.pointee.receive(completion, on: port, effects) }
    guard completion == .finished else { return effects.complete(completion) }
    guard port == 0 else {
      // The stream of a group that has already ended.
      let row = KeyedGroups.number(of: port)
      if mode == .program, !run.hasKey(row: row) { run.recycle(row: row) }
      return
    }
    (mode, isSegment) = (.ending, false)
    remaining = (0..<run.rowCount).filter { run.hasKey(row: $0) }
    // Row numbers are not in order of creation if rows are reused.
    if keyed.groups.idle != nil { remaining.sort { run.firstIndex(ofRow: $0) < run.firstIndex(ofRow: $1) } }
    remaining.reverse()
    endStreams(effects)
  }

  /// Ends the remaining inner streams, up to one that needs stages of its own.
  private func endStreams(_ effects: Effects) {
    if let clock { return endNext(clock, effects) }
    while segment.isSummary, let row = remaining.popLast() {
      guard run.enterRow(row) else { continue }
      guard endStream(with: result, effects) else { return effects.resume() }
    }
    run.removeRows()
    effects.finish()
  }

  /// Ends the current row's stream, which is closed then.
  ///
  /// - Parameter result: The output of the operators in the program.
  /// - Returns: Whether the stream has ended; false if stages were created that end later.
  func endStream(with result: Value?, _ effects: Effects) -> Bool {
    defer { run.closeRow() }
    let row = run.currentRow
    if clock != nil { stopClock(of: row, effects.execution) }
    guard !tail(effects.execution).hasSummary else {
      if let first = startStream(ofRow: row, effects.execution).segment {
        first.end(with: result, Effects(effects.execution, stage: first))
      }
      return false
    }
    publish(result, capturing: [run.key(ofRow: row)], effects)
    return true
  }

  @discardableResult
  private func startStream(
    ofRow row: Int, due own: [RowDelivery] = [], clock: RowClocks.Entry? = nil, _ execution: Execution
  ) -> InnerStages {
    let stages = startStream(
      keyed.feed, on: KeyedGroups.port(of: row), capturing: [run.key(ofRow: row)], due: own.map(\.delivery), execution)
    if let stage = stages.timed {
      if let clock {
        execution.setTimer(RowClock.timer, of: stage, at: clock.deadline, ticket: clock.ticket)
      }
      if let first = own.first {
        execution.setTimer(RowClock.delivery, of: stage, at: first.time, ticket: first.delivery.ticket)
      }
    }
    return stages
  }

  override func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    if isInProgram, clock != nil { return try fireClock(timer, effects) }
    guard mode == .program else { return try super.fire(timer, effects) }
    let row = KeyedGroups.number(of: timer)
    // A damaged snapshot may contain timers with any number.
    guard KeyedGroups.port(of: row) == timer, run.hasKey(row: row) else { return }
    deficits[row] = nil
    let hasEnded = !run.enterRow(row) || endStream(with: result, effects)
    run.removeKey(ofRow: row)
    if hasEnded { run.recycle(row: row) }
  }

  override func resume(_ effects: Effects) throws(StreamFailure) {
    if mode == .ending { return endStreams(effects) }
    try super.resume(effects)
  }

  // MARK: Rows

  /// The inner stream has ended, or one of its operators has refused the value.
  override func end(_ outcome: ProgramOutcome, _ effects: Effects) throws(StreamFailure) {
    try throwRefusal()
    _ = endStream(with: outcome == .emittedLast ? output : result, effects)
  }

  override func skip(_ skipped: Skipped, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard skipped == .value else { return try receive(.finished, on: port, effects) }
    guard isInProgram else { return effects.request(Demand(1), from: port) }
    countSkipped()
    // Failures of the operator itself occur before it enters a row.
    if failing > 0, endingOperator >= 0 { _ = endStream(with: result, effects) }
  }

  override func deficit(_ number: Int) -> Int64 { deficits[run.currentRow]?[number] ?? 0 }

  override func setDeficit(_ deficit: Int64, of number: Int) {
    guard deficit != self.deficit(number) else { return }
    deficits[run.currentRow, default: Array(repeating: 0, count: segment.operators.count)][number] = deficit
  }

  // MARK: Saving

  override var rowStreamCount: Int { isInProgram ? run.rowCount * keyed.stream.weight : 0 }

  /// Adds the operator, and those of the inner streams, without a conversion of rows.
  override func addHoldings(to sample: HoldingSample, _ execution: Execution) {
    guard isInProgram else { return sample.add(node, timers: timerCount(execution)) { measureState(&$0) } }
    let inner = segment.operators.suffix(stream.steps.count)
    let current = run.currentRow
    sample.add(node)
    sample.visit(run.rowCount) { row in
      guard run.hasKey(row: row) else { return }
      let hasTimer = keyed.groups.idle != nil
      sample.add(node, streams: 0, timers: hasTimer ? 1 : 0) { size in
        size.add(run.key(ofRow: row))
        // The port of the group, and the index of its first value.
        size.add(.int(0))
        size.add(.int(0))
      }
      guard run.enterRow(row) else { return }
      let cells = SegmentCells(stage: self)
      for part in inner {
        let isTimed = part.node === stream.timed?.node && clocks.deadline(of: row) != nil
        sample.add(part.node, timers: isTimed ? 1 : 0) { part.measure(cells, &$0) }
      }
      for node in stream.tail { sample.add(node) }
    }
    if current >= 0, run.hasKey(row: current) { _ = run.enterRow(current) }
  }

  /// Converts rows to stages.
  override func prepareToSave(_ execution: Execution) {
    guard isInProgram else { return }
    var streams: [KeyedGroups.Stream] = []
    let (due, running) = (Dictionary(grouping: due, by: \.row), clocks.running())
    for row in 0..<run.rowCount {
      let port = KeyedGroups.port(of: row)
      if run.enterRow(row) { startStream(ofRow: row, due: due[row] ?? [], clock: running[row], execution) }
      // After the end of a group, its stream waits for the delivery of the end.
      let hasGroup = run.hasKey(row: row) && due[row]?.last?.isEnd != true
      let group =
        hasGroup ? KeyedGroups.Group(key: run.key(ofRow: row), firstIndex: run.firstIndex(ofRow: row)) : nil
      streams.append(KeyedGroups.Stream(group: group, isRunning: upstream(on: port) != nil))
    }
    machine.pointee.state = keyed.groups.state(
      KeyedGroups(index: index, streams, free: run.freeRows, isEnding: mode == .ending))
    run.removeRows()
    deficits = [:]
    if clock != nil { removeRowTimers(execution) }
    runMachine(.saved)
    execution.endRoutes()
  }

  /// Converts stages to rows. Returns false if that is not possible now, or at all; then the machine runs permanently.
  func loadRows(_ execution: Execution) -> Bool {
    guard !isWatched(execution), unheardCount == 0, !hasWork(execution) else { return false }
    guard isUnlimited(0), let groups = keyed.groups.groups(machine.pointee.state), let streams = streams(of: groups)
    else {
      if !hasDeliveries(execution) { runMachine(.machine) }
      return false
    }
    var running: [RowClocks.Entry] = []
    for (row, (entry, stages)) in zip(groups.all, streams).enumerated() {
      guard let group = entry.group else {
        run.addRow()
        continue
      }
      run.addRow(for: group.key, firstIndex: group.firstIndex)
      guard let stages else {
        run.closeRow()
        continue
      }
      copyStates(from: stages)
      if let stage = stages.timed {
        if let clock = execution.timer(RowClock.timer, of: stage) {
          running.append(RowClocks.Entry(deadline: clock.deadline, ticket: max(0, clock.ticket), row: row))
        }
        // NB: The timers do not retain the stage.
        execution.releaseTimers(of: stage)
      }
      execution.stageCount -= stream.weight
    }
    for clock in running.sorted() { clocks.start(clock, in: 0) }
    setClockTimers(execution)
    for row in groups.free { run.recycle(row: row) }
    index = groups.index
    removeInnerUpstreams()
    beginRows()
    execution.endRoutes()
    return true
  }

  /// Returns the stages of each running stream; nil if a stage does more than wait for values.
  private func streams(of groups: KeyedGroups) -> [InnerStages?]? {
    var streams: [InnerStages?] = []
    for (number, stream) in groups.all.enumerated() {
      let port = KeyedGroups.port(of: number)
      let stages = stream.group.flatMap { waitingStream(on: port, capturing: [$0.key]) }
      // A damaged snapshot may have stages on other ports.
      guard stream.isRunning ? stages != nil : upstream(on: port) == nil else { return nil }
      streams.append(stages)
    }
    return streams
  }

  /// The index of the next value.
  private var index: Int64 {
    get {
      guard case .index(let index) = segment.operators[0].state else { return 0 }
      return SegmentCells(stage: self)[index]
    }
    set {
      guard case .index(let index) = segment.operators[0].state else { return }
      SegmentCells(stage: self)[index] = newValue
    }
  }
}
