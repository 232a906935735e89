internal import StreamCore

/// One subscription to an input that the host feeds.
///
/// A value without demand waits in the input's buffer. If the buffer is full, a value is dropped and counted, or the
/// stream fails. An input with an initial value keeps the newest value and publishes it on demand.
final class InputStage: Stage {
  @exclusivity(unchecked) private var state = State()
  private let place: Int32

  var number: Int { Int(place) }

  private struct State: Codable {
    var backlog = Backlog()
    /// Whether the subscriber has not seen the current value.
    var owesCurrent = true
  }

  init(number: Int, node: PipelineNode, downstream: Stage?, port: Int, frame: Frame) {
    place = Int32(number)
    super.init(node: node, downstream: downstream, port: port, frame: frame)
  }

  var wantsValues: Bool { state.backlog.wantsValues }

  /// Whether a value can wait without another one being dropped.
  func hasRoom(in input: Pipeline.Input) -> Bool {
    input.isCurrent ? !state.owesCurrent : state.backlog.count < input.capacity
  }

  /// Whether all values have been requested, and no value or signal waits.
  var isUnlimited: Bool { state.backlog.isWaiting(for: .unlimited) && unheardCount == 0 }

  /// Consumes demand for one value that the caller forwards at once. Returns false without demand, or if values wait.
  func passesOn() -> Bool {
    guard state.backlog.takeOne() else { return false }
    state.owesCurrent = false
    return true
  }

  override func start(_ effects: Effects) {
    effects.execution.inputs[number].join(self)
    if let completion = effects.execution.inputs[number].completion { effects.complete(completion) }
  }

  override func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    state.backlog.ask(demand)
    if state.owesCurrent, let current = effects.execution.inputs[number].current, state.backlog.takeOne() {
      state.owesCurrent = false
      effects.publish(current)
    }
    state.backlog.drain(effects)
  }

  override func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if passesOn() { return effects.publish(value) }
    let declaration = effects.execution.pipeline.inputs[number]
    if declaration.isCurrent {
      if state.owesCurrent { effects.noteDrop() }
      state.owesCurrent = true
      return
    }
    if state.backlog.count < declaration.capacity {
      state.backlog.append(value)
      return
    }
    switch declaration.whenFull {
    case .dropOldest:
      effects.noteDrop(.full)
      guard declaration.capacity > 0 else { return }
      state.backlog.removeFirst()
      state.backlog.append(value)
    case .dropNewest:
      effects.noteDrop(.full)
    case .fail:
      throw StreamFailure(
        .limitExceeded, "the buffer of input '\(declaration.name)' is full: \(state.backlog.count) values wait",
        pointer: node.pointer, value: value)
    }
  }

  override func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    // The end does not wait for the current value, as with Combine's subjects.
    if state.owesCurrent, case .finished = completion, effects.execution.inputs[number].current != nil {
      effects.noteDrop()
    }
    state.backlog.end(completion, effects)
  }

  override func leave(_ execution: Execution) -> Stage? {
    execution.inputs[number].leave(self)
    return nil
  }

  override var unansweredDemand: Demand? { Self.unansweredDemand(in: state) }

  override var endsWithDemand: Bool { state.backlog.isEnding }

  override func saveState() throws -> Value { try ValueEncoder().encode(state) }

  override func restoreState(_ value: Value) throws(Diagnostics) { state = try Self.decode(value) }
}
