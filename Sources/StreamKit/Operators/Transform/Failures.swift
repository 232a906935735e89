internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the errors of materialized events, and drops all other events.
  ///
  /// Finishes with upstream.
  ///
  /// - Failure: `wrongResult` for a value that is not an event.
  /// - SeeAlso: `materialize`, which makes events; `values`.
  public struct Failures: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Failures {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try context.requireInput(MaterializedEvent.description, MaterializedEvent.isAcceptable)
    context.outputType = .dyn
    return FailuresMachine()
  }
}

private struct FailuresMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .failure(let error) = try MaterializedEvent(value, owner: "failures") {
      effects.publish(error)
    } else {
      effects.request(Demand(1), from: 0)
    }
  }
}

extension Operator.Failures {
  public static let spec = OperatorSpec(
    "failures", "Publishes the errors of materialized events, and drops all other events.",
    examples: [
      .marbles(
        "the error of a failure", #"{"failures": {}}"#, in: "-v-(e|)", out: "---(x|)",
        values: ["v": ["value": "a"], "e": ["failure": "x"]]),
      .marbles("a value that is not an event", #"{"failures": {}}"#, in: "-x|", out: "-#"),
    ])
}
