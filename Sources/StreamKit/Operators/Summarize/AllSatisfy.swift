public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes false on the first value for which an expression is false, or true when upstream finishes.
  ///
  /// The first value for which it is false cancels upstream.
  public struct AllSatisfy: StepDefinition, ExpressionFields {
    /// Returns whether the value satisfies the condition. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.AllSatisfy {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let condition = try context.planCondition(expression) as PlannedExpression
    context.outputType = .bool
    return Search(.condition(condition, false), found: .constant(.bool(false)), otherwise: .bool(true)).steps
  }

  public static let spec = OperatorSpec(
    "allSatisfy",
    "Publishes false on the first value for which an expression is false, or true when upstream finishes.",
    fields: [
      .required("expression", .expression(["value", "index"]), "Returns whether the value satisfies the condition.")
    ],
    examples: [
      .marbles(
        "all values are below 5", #"{"allSatisfy": {"expression": "value < 5"}}"#, in: "-a-b|", out: "----(t|)",
        values: ["a": 1, "b": 2, "t": true]),
      .marbles(
        "one value is not", #"{"allSatisfy": {"expression": "value < 2"}}"#, in: "-a-b-a|", out: "---(f|)",
        values: ["a": 1, "b": 2, "f": false]),
      .marbles(
        "no values", #"{"allSatisfy": {"expression": "value < 2"}}"#, in: "--|", out: "--(t|)", values: ["t": true]),
      .rejects("no expression", #"{"allSatisfy": {}}"#, .missingField, at: "/allSatisfy"),
    ])
}
