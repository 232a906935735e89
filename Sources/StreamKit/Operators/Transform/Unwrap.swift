internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Passes values on, and fails at the first null.
  ///
  /// - Failure: `streamFailed`, with `message`.
  /// - SeeAlso: `replaceNil`, which goes on; `compactMap`, which leaves nulls out.
  public struct Unwrap: OperatorDefinition {
    /// What the failure says. Default "a value is null".
    public var message: String?
  }
}

extension Operator.Unwrap {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    if context.inputType == .null { context.outputType = .dyn }
    return UnwrapMachine(message: message ?? "a value is null")
  }
}

private struct UnwrapMachine: Machine {
  let message: String

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    if case .null = value { throw StreamFailure(.streamFailed, message, value: value) }
    answers.publish(value)
  }
}

extension Operator.Unwrap {
  public static let spec = OperatorSpec(
    "unwrap", "Passes values on, and fails at the first null.",
    fields: [
      .optional("message", .string, "What the failure says. Default \"a value is null\".", default: "a value is null")
    ],
    examples: [
      .marbles("nothing is missing", #"{"unwrap": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles(
        "the first null", #"{"unwrap": {"message": "there is no reading"}}"#, in: "-a-n-b|", out: "-a-#",
        values: ["n": .null]),
      .rejects("a message that is no text", #"{"unwrap": {"message": 1}}"#, .wrongType, at: "/unwrap/message"),
    ])
}
