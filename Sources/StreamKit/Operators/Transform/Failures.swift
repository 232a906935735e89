internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the errors of events, as values, and leaves everything else out.
  ///
  /// Finishes with upstream.
  ///
  /// - Failure: `wrongResult` at a value that is no event.
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
    "failures", "Publishes the errors of events, as values, and leaves everything else out.",
    examples: [
      .marbles(
        "the error alone", #"{"failures": {}}"#, in: "-v-(e|)", out: "---(x|)",
        values: ["v": ["value": "a"], "e": ["failure": "x"]]),
      .marbles("a value that is no event", #"{"failures": {}}"#, in: "-x|", out: "-#"),
    ])
}
