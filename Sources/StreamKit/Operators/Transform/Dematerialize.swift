internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Converts values that describe events back to events.
  ///
  /// Accepts `{"value": …}`, `{"finished": true}` and `{"failure": …}`; a member `at` is ignored. Ends with the first
  /// completion among the values, or else with upstream.
  ///
  /// - Failure: `wrongResult` for any other value.
  /// - SeeAlso: `materialize`, the reverse.
  public struct Dematerialize: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Dematerialize {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try context.requireInput(MaterializedEvent.description, MaterializedEvent.isAcceptable)
    context.outputType = .dyn
    return DematerializeMachine()
  }
}

private struct DematerializeMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    switch try MaterializedEvent(value, owner: "dematerialize") {
    case .value(let value): effects.publish(value)
    case .finished: effects.finish()
    case .failure(let error): effects.fail(StreamFailure(payload: error))
    }
  }
}

extension Operator.Dematerialize {
  public static let spec = OperatorSpec(
    "dematerialize", "Converts values that describe events back to events.",
    examples: [
      .marbles(
        "a value and a finish", #"{"dematerialize": {}}"#, in: "-v-f-v|", out: "-a-|",
        values: ["v": ["value": "a"], "f": ["finished": true]]),
      .marbles(
        "a failure", #"{"dematerialize": {}}"#, in: "-v-e-v|", out: "-a-#",
        values: ["v": ["value": "a"], "e": ["failure": "error"]]),
      .marbles(
        "a value that is not an event", #"{"dematerialize": {}}"#, in: "-x|", out: "-#", values: ["x": ["what": 1]]),
    ])
}
