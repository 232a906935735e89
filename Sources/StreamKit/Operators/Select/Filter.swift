public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the values for which an expression is true.
  public struct Filter: StepDefinition, ExpressionFields {
    /// Returns whether to publish the value. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.Filter {
  public var keepsState: Bool { expression.mentions("index") }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planCondition(expression)
    context.outputType = expression.plan.narrowed(context.inputType, of: "value")
    return Steps([expression]) { segment in
      let index = segment.index(for: expression)
      segment.require(expression, index, else: segment.drop())
      segment.keep(index)
    }
  }
}

extension Operator.Filter {
  public static let spec = OperatorSpec(
    "filter", "Publishes the values for which an expression is true.",
    fields: [.required("expression", .expression(["value", "index"]), "Returns whether to publish the value.")],
    examples: [
      .marbles(
        "all values but 3", #"{"filter": {"expression": "value != 3"}}"#, in: "-a-b-c-d|", out: "-a-b---d|",
        values: ["a": 1, "b": 2, "c": 3, "d": 4]),
      .marbles(
        "a result that is not a Boolean fails the stream", #"{"filter": {"expression": "value"}}"#, in: "-a|", out: "-#"
      ),
      .rejects(
        "an expression that returns a number", #"{"filter": {"expression": "1 + 1"}}"#, .typeMismatch,
        at: "/filter/expression"),
    ])
}
