public import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Fails on the first value for which an expression is false.
  ///
  /// - Failure: `S407`, with the value and the message, or with the error.
  /// - SeeAlso: `filter`, which drops such values.
  public struct Validate: StepDefinition {
    /// Returns whether a value is valid. Variables: `value`, `index`.
    public var expression: CELExpression
    /// Message of the failure. By default it quotes the expression.
    public var message: String?
    /// The error, any JSON value, instead of `message`.
    public var error: Value?

    public init(expression: CELExpression, message: String? = nil, error: Value? = nil) {
      self.expression = expression
      self.message = message
      self.error = error
    }
  }
}

extension Operator.Validate {
  public var keepsState: Bool { expression.mentions("index") }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planCondition(expression)
    let (message, error) = (message ?? "the value does not satisfy \(self.expression.text)", error)
    return Steps([expression]) { segment in
      let index = segment.index(for: expression)
      let refused = segment.refuse { value in
        error.map { StreamFailure(payload: $0, pointer: expression.pointer) }
          ?? StreamFailure(.streamFailed, message, pointer: expression.pointer, value: value)
      }
      segment.branch(unless: segment.evaluate(expression, index: index), to: refused)
      segment.advance(index)
      segment.keep(index)
    }
  }
}

extension Operator.Validate {
  public static let spec = OperatorSpec(
    "validate", "Fails on the first value for which an expression is false.",
    fields: [
      .required("expression", .expression(["value", "index"]), "Returns whether a value is valid."),
      .optional("message", .string, "Message of the failure. By default it quotes the expression."),
      .optional("error", .value, "The error, any JSON value, instead of `message`."),
    ],
    rules: [.atMostOne(["message", "error"])],
    examples: [
      .marbles(
        "an empty array is invalid", #"{"validate": {"expression": "size(value) > 0", "message": "no items"}}"#,
        in: "-a-b-c|", out: "-a-#", values: ["a": [1], "b": [], "c": [2]]),
      .marbles(
        "all values are valid", #"{"validate": {"expression": "value < 5"}}"#, in: "-a-b|", out: "-a-b|",
        values: ["a": 1, "b": 2]),
      .marbles(
        "an error of the file", #"{"validate": {"expression": "value < 5", "error": {"tooLarge": 5}}}"#, in: "-a-b|",
        out: "-a-#", values: ["a": 1, "b": 5]),
      .rejects(
        "a message and an error", #"{"validate": {"expression": "true", "message": "no", "error": "no"}}"#,
        .conflictingFields, at: "/validate/error"),
      .rejects(
        "an expression that returns a number", #"{"validate": {"expression": "1 + 1"}}"#, .typeMismatch,
        at: "/validate/expression"),
    ])
}
