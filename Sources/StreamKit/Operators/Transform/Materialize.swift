internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes everything that happens as a value: values, the end and the failure.
  ///
  /// `{"value": …}`, `{"finished": true}` or `{"failure": …}`, as events in files. After the end or the failure it
  /// finishes; a failure is not one any more.
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
    /// How the upstream has ended, while nobody asks for that.
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
    "materialize", "Publishes everything that happens as a value: values, the end and the failure.",
    examples: [
      .marbles(
        "a value and the end", #"{"materialize": {}}"#, in: "-a-|", out: "-v-(f|)",
        values: ["v": ["value": "a"], "f": ["finished": true]]),
      .marbles(
        "a failure", #"{"materialize": {}}"#, in: "-a-#", out: "-v-(e|)",
        values: ["v": ["value": "a"], "e": ["failure": "error"]]),
    ])
}
