package import StreamCore

/// The lowering of an operator that combines one value of each of several streams: an expression over the values, whose
/// program keeps them in cells.
///
/// The program runs while the state of the machine can be in the cells; the machine handles all other signals.
package struct JoinLowering<State: Codable & Sendable>: Sendable {
  /// The values that are combined.
  package enum Rule: Sendable {
    /// The newest value of each stream, for each value of any stream.
    case latest
    /// The newest value of each stream, for each value of the first stream.
    case latestForFirst
    /// The first values of all streams, then the second ones, and so on.
    case tuples
  }

  let expression: TupleExpression
  let rule: Rule
  let values: @Sendable (State) -> [Value]?
  let store: @Sendable ([(stream: Int, value: Value)], inout State) -> Void

  /// - Parameters:
  ///   - expression: The expression.
  ///   - rule: The values that are combined.
  ///   - values: Returns the newest values of a state that can be in the cells, none for `tuples`; nil for another
  ///     state. The cells have one value for each stream, all values are requested, and none is waiting.
  ///   - store: Stores the values of the cells in a state that could be in the cells.
  package init(
    _ expression: TupleExpression, _ rule: Rule, values: @escaping @Sendable (State) -> [Value]?,
    store: @escaping @Sendable ([(stream: Int, value: Value)], inout State) -> Void
  ) {
    self.expression = expression
    self.rule = rule
    self.values = values
    self.store = store
  }
}

/// A running operator that combines values of several streams: a program while values arrive, otherwise a machine.
final class JoinStage<M: Machine>: MachineStage<M> {
  private let lowering: JoinLowering<M.State>
  /// NB: Retained manually, because it is read for each value; nil before the program first runs.
  @exclusivity(unchecked) private var made: Unmanaged<JoinProgramInstance>?
  /// Whether the cells contain the values, and the state of the machine is outdated.
  @exclusivity(unchecked) private var isRunning = false
  /// The newest value of each stream, from which the types of tuples are predicted; nil once the program has run.
  @exclusivity(unchecked) private var seen: [Int: Value]? = [:]

  init(_ lowering: JoinLowering<M.State>, _ machine: M, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame)
  {
    self.lowering = lowering
    super.init(machine, node: node, downstream: downstream, port: port, frame: frame)
  }

  deinit { made?.release() }

  // MARK: Values

  override func forward(_ value: inout Value, on port: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    if isRunning || begin(effects), let made, let forwarding = try forward(&value, on: port, to: made) {
      return forwarding
    }
    stop()
    if lowering.rule == .tuples { seen?[port] = value }
    return try machine.pointee.forward(&value, on: port, effects)
  }

  /// Passes a value to the program; returns nil if the machine has to receive it.
  @inline(__always)
  private func forward(
    _ value: inout Value, on port: Int, to run: Unmanaged<JoinProgramInstance>
  ) throws(StreamFailure) -> Forwarding? {
    try run.use { run throws(StreamFailure) in
      if lowering.rule == .tuples { return try run.gather(&value, at: port) }
      guard lowering.rule == .latest || port == 0 else {
        run.put(value, at: port)
        return .nothing
      }
      return try run.forward(&value, at: port)
    }
  }

  /// Moves the values of the machine to the cells. Returns false if its state cannot be there.
  @inline(never)
  private func begin(_ effects: Effects) -> Bool {
    guard var values = lowering.values(machine.pointee.state) else { return false }
    if let made {
      made._withUnsafeGuaranteedRef { run in for (stream, value) in values.enumerated() { run.put(value, at: stream) } }
    } else {
      if lowering.rule == .tuples {
        let count = lowering.expression.count
        values = (0..<count).compactMap { seen?[$0] }
        guard values.count == count, count <= JoinProgramInstance.gatheringLimit else { return false }
      }
      made = .passRetained(JoinProgramInstance(lowering.expression, over: values, frame, effects.execution))
      seen = nil
    }
    isRunning = true
    return true
  }

  /// The state of the machine, with the values of the cells.
  private var state: M.State {
    var state = machine.pointee.state
    if isRunning, let made {
      let run = made.takeUnretainedValue()
      lowering.store(lowering.rule == .tuples ? run.gathered : run.values.enumerated().map { ($0, $1) }, &state)
    }
    return state
  }

  /// Moves the values of the cells to the machine.
  private func stop() {
    guard isRunning, let made else { return }
    machine.pointee.state = state
    made._withUnsafeGuaranteedRef { $0.waiting = 0 }
    isRunning = false
  }

  // MARK: Other signals

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    stop()
    try super.receive(completion, on: port, effects)
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    stop()
    try super.request(demand, effects)
  }

  override func saveState() throws -> Value { try ValueEncoder().encode(state) }

  override func measureState(_ size: inout SizeSample) { size.add(state: state) }

  override func restoreState(_ value: Value) throws(Diagnostics) {
    stop()
    try super.restoreState(value)
  }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: state) }
}
