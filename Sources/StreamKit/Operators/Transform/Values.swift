public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the values of materialized events, and drops finishes and failures.
  ///
  /// Finishes with upstream.
  ///
  /// - Failure: `wrongResult` for a value that is not an event.
  /// - SeeAlso: `materialize`, which makes events; `failures`; `dematerialize`.
  public struct Values: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Values {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try EventPartMachine(&context) { event in if case .value(let value) = event { value } else { nil } }
  }

  public static let spec = OperatorSpec(
    "values", "Publishes the values of materialized events, and drops finishes and failures.",
    examples: [
      .marbles(
        "the values before a failure", #"{"values": {}}"#, in: "-v-(e|)", out: "-a-|",
        values: ["v": ["value": "a"], "e": ["failure": "error"]]),
      .marbles("a value that is not an event", #"{"values": {}}"#, in: "-x|", out: "-#"),
    ])
}
