public import StreamCore
public import StreamEngine

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
    try EventPartMachine(&context) { event in if case .failure(let error) = event { error } else { nil } }
  }

  public static let spec = OperatorSpec(
    "failures", "Publishes the errors of materialized events, and drops all other events.",
    examples: [
      .marbles(
        "the error of a failure", #"{"failures": {}}"#, in: "-v-(e|)", out: "---(x|)",
        values: ["v": ["value": "a"], "e": ["failure": "x"]]),
      .marbles("a value that is not an event", #"{"failures": {}}"#, in: "-x|", out: "-#"),
    ])
}
