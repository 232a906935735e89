internal import CEL
internal import DequeModule
internal import StreamCore

/// A delivery to the operator that waits for timers, in one row.
struct RowDelivery {
  let row: Int
  let time: StreamTime
  let delivery: Delivery

  var isEnd: Bool { delivery.value == nil }
}

// The rows of an inner stream with an operator that waits for a timer. All rows share a timer for deliveries, which are
// due in the order of their tickets, and one for each queue of clocks.

extension KeyedStage {
  private static var deliveryTimer: Int { 0 }

  private static func clockTimer(_ queue: Int) -> Int { 1 + queue }

  /// The number of the operator among those of the program.
  private var timedNumber: Int { firstInner + (stream.before?.segment.operators.count ?? 0) }

  /// The number of the first operator of an inner stream.
  private var firstInner: Int { segment.operators.count - stream.steps.count }

  // MARK: Values

  /// Runs entry 0 for a value.
  func forward(_ value: inout Value, _ clock: RowClock, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if let limit = clock.limit, due.count >= limit {
      // A stream might have to wait with its requests, which only the machine does.
      prepareToSave(effects.execution)
      runMachine(.machine)
      return try machine.pointee.forward(&value, on: 0, effects)
    }
    var count = run.rowCount
    do throws(StreamFailure) {
      let outcome = try take(value)
      startClock(clock, ifMoreThan: &count, effects)
      guard outcome == .waiting else {
        if outcome != .dropped { try handle(outcome, effects) }
        return .nothing
      }
    } catch {
      startClock(clock, ifMoreThan: &count, effects)
      guard failing > 0, !skipsFailures(effects.execution) else { throw error }
      failBeforeClock(with: error, effects.execution)
      return .nothing
    }
    let row = run.currentRow
    if let each = clock.each {
      startClock(of: row, for: each, in: 1, effects)
    } else {
      stopClock(of: row, effects.execution)
    }
    if let cell = deliveredCell { add(run.content(of: cell), of: row, effects) }
    return .nothing
  }

  /// An operator before the clock fails. The scheduler delivers the failure, after the other events of the instant: the
  /// stages of the streams do so.
  private func failBeforeClock(with failure: StreamFailure, _ execution: Execution) {
    let (port, failing) = (KeyedGroups.port(of: run.currentRow), failing - firstInner)
    prepareToSave(execution)
    runMachine(.machine)
    guard let stage = operatorStage(of: stream.before, on: port) as? SegmentStage else { return }
    let effects = Effects(execution, stage: stage)
    stage.failing = failing
    stage.prepareToFail(effects)
    effects.fail(failure)
  }

  /// The stage of an operator of the inner stream on a port.
  private func operatorStage(of node: PipelineNode?, on port: Int) -> Stage? {
    var stage = upstream(on: port)
    while let next = stage, next.node !== node { stage = next.upstream(on: 0) }
    return stage
  }

  /// The cell of the delivered value, in the running program.
  private var deliveredCell: CellInput? {
    if let delivered, run.runs(delivered.program) { return delivered.cell }
    guard let cell = segment.delivered else { return nil }
    let program = run.runningProgram
    let input = program.input(cell)
    delivered = (program, input)
    return input
  }

  /// Starts the clock of a new row.
  private func startClock(_ clock: RowClock, ifMoreThan count: inout Int, _ effects: Effects) {
    guard run.rowCount > count, let first = clock.first else { return }
    count = run.rowCount
    // The machine sets the timer at the start and again with the first request: tickets are the same.
    _ = effects.takeTicket()
    startClock(of: run.currentRow, for: first, in: 0, effects)
  }

  private func startClock(of row: Int, for interval: Interval, in queue: Int, _ effects: Effects) {
    clocks.start(
      RowClocks.Entry(deadline: effects.now + interval, ticket: effects.takeTicket(), row: row), in: queue)
    setClockTimers(effects.execution)
  }

  func stopClock(of row: Int, _ execution: Execution) {
    clocks.stop(row)
    setClockTimers(execution)
  }

  /// Sets the timers of the first clocks.
  func setClockTimers(_ execution: Execution) {
    for queue in 0...1 {
      let first = clocks.first(of: queue)
      guard first?.ticket ?? -1 != clocks.armed[queue] else { continue }
      clocks.armed[queue] = first?.ticket ?? -1
      if let first {
        execution.setTimer(Self.clockTimer(queue), of: self, at: first.deadline, ticket: first.ticket)
      } else {
        execution.cancelTimer(Self.clockTimer(queue), of: self)
      }
    }
  }

  /// Schedules a delivery at the current instant.
  private func add(_ value: Value?, of row: Int, _ effects: Effects) {
    let delivery = Delivery(ticket: effects.takeTicket(), value: value)
    if due.isEmpty { effects.setTimer(Self.deliveryTimer, at: effects.now, ticket: delivery.ticket) }
    due.append(RowDelivery(row: row, time: effects.now, delivery: delivery))
  }

  // MARK: Timers

  func fireClock(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    guard timer != Self.deliveryTimer else { return try deliver(effects) }
    let queue = timer - Self.clockTimer(0)
    // A damaged snapshot may contain timers with any number.
    guard 0...1 ~= queue, let first = clocks.first(of: queue) else { return }
    clocks.armed[queue] = -1
    firedRows?.append(first.row)
    stopClock(of: first.row, effects.execution)
    guard run.enterRow(first.row) else { return }
    if let error {
      throw StreamFailure(payload: error).located(at: segment.operators[timedNumber].node.pointer)
    }
    try runEntry(1, effects)
  }

  private func deliver(_ effects: Effects) throws(StreamFailure) {
    guard let first = due.popFirst() else { return }
    if let next = due.first {
      effects.setTimer(Self.deliveryTimer, at: effects.now, ticket: next.delivery.ticket)
    }
    // The stream may have ended since.
    let isOpen = run.enterRow(first.row)
    guard let delivered = first.delivery.value else {
      if isOpen { _ = endStream(with: result, effects) }
      finishIfDone(effects)
      return
    }
    guard isOpen, let cell = deliveredCell else { return }
    run.put(delivered, in: cell)
    try runEntry(2, effects)
  }

  /// Runs the entry of a timer in the current row.
  private func runEntry(_ entry: Int, _ effects: Effects) throws(StreamFailure) {
    do throws(StreamFailure) {
      guard let outcome = run.attempt(entry: entry) else { throw takeFailure() }
      if outcome != .dropped { try handle(outcome, effects) }
    } catch {
      // A source that continues the stream ends it if it fails.
      guard failing != timedNumber, skipsFailures(effects.execution) else { throw error }
      effects.skip(error)
      try skip(.value, on: 0, effects)
    }
  }

  // MARK: The end of upstream

  /// Ends the values of the next remaining row.
  func endNext(_ clock: RowClock, _ effects: Effects) {
    while let row = remaining.popLast() {
      guard run.enterRow(row) else { continue }
      if clock.drops, clocks.deadline(of: row) != nil, let timed = stream.timed {
        effects.execution.noteDrop(by: timed.node, .ended)
      }
      stopClock(of: row, effects.execution)
      if clock.flushes { flush(effects) }
      if run.currentRow == row { add(nil, of: row, effects) }
      // The operators downstream receive the values of this row before the next row ends.
      if !remaining.isEmpty { return effects.resume() }
    }
    finishIfDone(effects)
  }

  private func flush(_ effects: Effects) {
    do throws(StreamFailure) {
      try runEntry(1, effects)
    } catch {
      effects.fail(error)
    }
  }

  /// Finishes after upstream and all rows have ended.
  private func finishIfDone(_ effects: Effects) {
    guard mode == .ending, remaining.isEmpty, due.isEmpty else { return }
    run.removeRows()
    effects.finish()
  }

  // MARK: Saving

  /// Removes the timers, which the stages of the streams have taken over.
  func removeRowTimers(_ execution: Execution) {
    due = []
    clocks.removeAll()
    for timer in timers.indices { execution.cancelTimer(timer, of: self) }
  }

  /// Whether stages wait for a delivery at the current instant.
  func hasDeliveries(_ execution: Execution) -> Bool {
    guard let timed = stream.timed else { return false }
    return upstreams.indices.contains { port in
      operatorStage(of: timed.node, on: port).map { execution.timer(RowClock.delivery, of: $0) != nil } == true
    }
  }
}
