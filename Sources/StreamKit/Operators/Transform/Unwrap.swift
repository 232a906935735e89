internal import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes all values and fails on the first null.
  ///
  /// - Failure: `streamFailed`, with `message` or `error`.
  /// - SeeAlso: `replaceNil`, which replaces nulls; `compactMap`, which drops them.
  public struct Unwrap: StepDefinition {
    /// Message of the failure. Default `a value is null`.
    public var message: String?
    /// The error, any JSON value, instead of `message`.
    public var error: Value?

    public init(message: String? = nil, error: Value? = nil) {
      self.message = message
      self.error = error
    }
  }
}

extension Operator.Unwrap {
  public var keepsState: Bool { false }

  package func makeSteps(_ context: inout OperatorContext) -> Steps {
    if context.inputType == .null { context.outputType = .dyn }
    let (message, error) = (message ?? "a value is null", error)
    return Steps { segment in
      let refused = segment.refuse { value in
        error.map { StreamFailure(payload: $0) } ?? StreamFailure(.streamFailed, message, value: value)
      }
      segment.branch(ifNull: segment.value, to: refused)
    }
  }
}

extension Operator.Unwrap {
  public static let spec = OperatorSpec(
    "unwrap", "Publishes all values and fails on the first null.",
    fields: [
      .optional("message", .string, "Message of the failure.", default: "a value is null"),
      .optional("error", .value, "The error, any JSON value, instead of `message`."),
    ],
    rules: [.atMostOne(["message", "error"])],
    examples: [
      .marbles("no null", #"{"unwrap": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles(
        "the first null", #"{"unwrap": {"message": "there is no reading"}}"#, in: "-a-n-b|", out: "-a-#",
        values: ["n": .null]),
      .marbles(
        "an error of the file", #"{"unwrap": {"error": "missing"}}"#, in: "-a-n|", out: "-a-#", values: ["n": .null]),
      .rejects("a message that is not a string", #"{"unwrap": {"message": 1}}"#, .wrongType, at: "/unwrap/message"),
      .rejects(
        "a message and an error", #"{"unwrap": {"message": "none", "error": 1}}"#, .conflictingFields,
        at: "/unwrap/error"),
    ])
}
