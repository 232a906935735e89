internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each event as a value: values, the finish and the failure.
  ///
  /// The values are `{"value": …}`, `{"finished": true}` or `{"failure": …}`, like events in files. After a finish or a
  /// failure the stream finishes.
  ///
  /// - SeeAlso: `dematerialize`, the reverse; `toResult`.
  public struct Materialize: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Materialize {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .map(.string, .dyn)
    return MaterializeMachine()
  }
}

private struct MaterializeMachine: Machine {
  struct State: Codable, Sendable {
    var demand = Demand.none
    /// The completion of upstream, until there is demand for it.
    var end: Completion?
  }

  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    _ = state.demand.takeOne()
    effects.publish(MaterializedEvent.value(value).value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.end = completion
    publishEnd(effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    state.demand += demand
    if state.end == nil { effects.request(demand, from: 0) } else { publishEnd(effects) }
  }

  private mutating func publishEnd(_ effects: Effects) {
    guard let end = state.end, state.demand.takeOne() else { return }
    effects.publish(MaterializedEvent(end).value)
    effects.finish()
  }
}

extension Operator.Materialize {
  public static let spec = OperatorSpec(
    "materialize", "Publishes each event as a value: values, the finish and the failure.",
    examples: [
      .marbles(
        "a value and the finish", #"{"materialize": {}}"#, in: "-a-|", out: "-v-(f|)",
        values: ["v": ["value": "a"], "f": ["finished": true]]),
      .marbles(
        "a failure", #"{"materialize": {}}"#, in: "-a-#", out: "-v-(e|)",
        values: ["v": ["value": "a"], "e": ["failure": "error"]]),
    ])
}
