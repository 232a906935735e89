public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Fails when a value comes for which an expression is not true.
  ///
  /// - Failure: `S407`, with the value and the message.
  /// - SeeAlso: `filter`, which leaves such values out.
  public struct Validate: OperatorDefinition {
    /// Says whether a value is good. Variables: `value`; `index`, which counts from 0.
    public var expression: Expression
    /// What people are told. Default: the expression.
    public var message: String?
  }
}

extension Operator.Validate {
  public var keepsState: Bool { expression.mentions("index") }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ValidateMachine(
      expression: try context.plan(expression, field: "expression", over: context.valueVariables, result: .bool),
      message: message ?? "the value does not keep to \(expression.text)")
  }
}

private struct ValidateMachine: Machine {
  let expression: PlannedExpression
  let message: String
  /// The index of the next value.
  var state: Int64 = 0

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    guard try expression.truth(of: expression.evaluate(answers, value, index: state), for: value) else {
      throw StreamFailure(.streamFailed, message, pointer: expression.pointer, value: value)
    }
    state += 1
    answers.publish(value)
  }
}

extension Operator.Validate {
  public static let spec = OperatorSpec(
    "validate", "Fails when a value comes for which an expression is not true.",
    fields: [
      .required("expression", .expression(["value", "index"]), "Says whether a value is good."),
      .optional("message", .string, "What people are told. Default: the expression."),
    ],
    examples: [
      .marbles(
        "an empty list is refused", #"{"validate": {"expression": "size(value) > 0", "message": "no items"}}"#,
        in: "-a-b-c|", out: "-a-#", values: ["a": [1], "b": [], "c": [2]]),
      .marbles(
        "all is well", #"{"validate": {"expression": "value < 5"}}"#, in: "-a-b|", out: "-a-b|",
        values: ["a": 1, "b": 2]),
      .rejects(
        "an expression that gives a number", #"{"validate": {"expression": "1 + 1"}}"#, .typeMismatch,
        at: "/validate/expression"),
    ])
}
