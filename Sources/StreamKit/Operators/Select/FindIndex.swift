public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the index of the first value for which an expression is true, and finishes.
  ///
  /// Indices count from 0. Upstream is canceled after the match. Without a match it publishes -1 when upstream
  /// finishes.
  public struct FindIndex: StepDefinition, ExpressionFields {
    /// Returns whether the value matches. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.FindIndex {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    context.outputType = .int
    let condition = try context.planCondition(expression) as PlannedExpression
    // The value has been counted already.
    let index = context.planOwn("count - 1", over: [Variable("count", .int)])
    return Search(.condition(condition), found: .index(index), otherwise: .int(-1)).steps
  }

  public static let spec = OperatorSpec(
    "findIndex", "Publishes the index of the first value for which an expression is true, and finishes.",
    fields: [.required("expression", .expression(["value", "index"]), "Returns whether the value matches.")],
    examples: [
      .marbles(
        "the second value", #"{"findIndex": {"expression": "value == 'b'"}}"#, in: "-a-b-c|", out: "---(i|)",
        values: ["i": 1]),
      .marbles(
        "no match", #"{"findIndex": {"expression": "value == 'x'"}}"#, in: "-a-b|", out: "----(i|)",
        values: ["i": -1]),
      .marbles("a failure before a match", #"{"findIndex": {"expression": "value == 'b'"}}"#, in: "-a-#", out: "---#"),
      .rejects("no expression", #"{"findIndex": {}}"#, .missingField, at: "/findIndex"),
    ])
}
