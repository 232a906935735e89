internal import CEL
package import StreamCore

/// The lowering of an operator that waits for a timer, as part of an inner stream in a row: steps with an entry for
/// each timer.
///
/// Entry 0 ends with `SegmentBuilder.wait` for every value. Entry 1 runs when the clock fires, and when the values end
/// if the operator flushes. Entry 2 runs for each delivery, if the operator delivers values by the scheduler.
package struct TimedLowering<State: Codable & Sendable>: Sendable {
  let steps: @Sendable (SourceStep?) -> Steps?
  let clock: RowClock
  let error: Value?
  let saved: @Sendable (State, [Delivery]) -> State
  let fitsRow: @Sendable (State) -> Bool

  /// - Parameters:
  ///   - clock: The timers of a row.
  ///   - error: The failure when the clock fires; nil if entry 1 runs.
  ///   - saved: Returns the machine's state, given the state of the cells and the pending deliveries.
  ///   - fitsRow: Whether a row without deliveries can have a state: all values are requested, and upstream has not
  ///     ended.
  ///   - steps: Returns the steps of the operator, given the source that it continues with, if it has one upstream.
  package init(
    clock: RowClock, error: Value? = nil, saved: @escaping @Sendable (State, [Delivery]) -> State,
    fitsRow: @escaping @Sendable (State) -> Bool, steps: @escaping @Sendable (SourceStep?) -> Steps?
  ) {
    self.clock = clock
    self.error = error
    self.saved = saved
    self.fitsRow = fitsRow
    self.steps = steps
  }
}

/// The timers of an operator with a row for each inner stream.
///
/// NB: It contains no references, since a stage copies it for each value.
package struct RowClock: Sendable {
  /// The time from the start to the first value; nil for no timer.
  let first: Interval?
  /// The time from each value to the next; nil for no timer.
  let each: Interval?
  /// Whether entry 1 runs when the values end.
  let flushes: Bool
  /// Whether a value that waits for the clock is dropped when the values end.
  let drops: Bool
  /// Maximum number of pending values; nil if values are not delivered by the scheduler.
  let limit: Int?

  package init(first: Interval? = nil, each: Interval?, flushes: Bool = false, drops: Bool = false, limit: Int? = nil) {
    self.first = first
    self.each = each
    self.flushes = flushes
    self.drops = drops
    self.limit = limit
  }

  /// The timers of the operator's machine.
  static let timer = 0
  static let delivery = 1
}

/// A value, or the end of the values, that the scheduler delivers at the current instant.
package struct Delivery: Sendable {
  /// Its position among the work of the instant.
  package let ticket: Int64
  /// Nil for the end.
  package let value: Value?
}

/// A source that publishes one value, as part of a program.
package struct SourceStep: Sendable {
  let node: PipelineNode
  let step: Steps

  /// Nil if the source does not become part of a program.
  init?(_ node: PipelineNode) {
    guard node.upstreams.isEmpty, let step = node.onlyValue else { return nil }
    (self.node, self.step) = (node, step)
  }
}

/// An operator with a timer among the operators of an inner stream.
struct TimedOperator: Sendable {
  let node: PipelineNode
  let step: Steps
  let clock: RowClock
  /// The failure when the clock fires; nil if entry 1 runs.
  let error: Value?
  /// Copies the state of the operator in a program, with pending deliveries, to a stage that runs its machine.
  let save: @Sendable (any SegmentState, SegmentCells, [Delivery], Stage) -> Void
  /// Whether a program can have the state of a stage.
  let fitsRow: @Sendable (Stage) -> Bool
  /// Copies the state of a stage to the operator in a program.
  let load: @Sendable (Stage, any SegmentState, SegmentCells) -> Void

  /// Nil if the operator continues with a stream that does not become part of the program.
  init?<M: Machine>(_ node: PipelineNode, _ lowering: TimedLowering<M.State>, of _: M.Type) {
    guard node.upstreams.count <= 2 else { return nil }
    let other = node.upstreams.count == 2 ? SourceStep(node.upstreams[1]) : nil
    guard node.upstreams.count == 1 || other != nil, let step = lowering.steps(other) else { return nil }
    self.node = node
    self.step = step
    clock = lowering.clock
    error = lowering.error
    save = { state, cells, due, stage in
      guard let state = state as? TypedSegmentState<M.State>, let stage = stage as? MachineStage<M> else { return }
      stage.machine.pointee.state = lowering.saved(state.read(cells), due)
    }
    fitsRow = { ($0 as? MachineStage<M>).map { lowering.fitsRow($0.machine.pointee.state) } ?? false }
    load = { stage, state, cells in
      guard let state = state as? TypedSegmentState<M.State>, let stage = stage as? MachineStage<M> else { return }
      state.write(stage.machine.pointee.state, cells)
    }
  }
}
