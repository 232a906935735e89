public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the result of an expression for each value, unless the result is null.
  public struct CompactMap: StepDefinition, ExpressionFields {
    /// Returns the value to publish, or null for none. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.CompactMap {
  public var keepsState: Bool { expression.mentions("index") }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.plan(expression, field: "expression", over: context.valueVariables)
    context.outputType = expression.resultType.withoutNull
    return Steps([expression]) { segment in
      let index = segment.index(for: expression)
      let result = segment.evaluate(expression, index: index)
      segment.advance(index)
      segment.branch(ifNull: result, to: segment.drop())
      segment.value = result
      segment.keep(index)
    }
  }
}

extension Operator.CompactMap {
  public static let spec = OperatorSpec(
    "compactMap", "Publishes the result of an expression for each value, unless the result is null.",
    fields: [
      .required("expression", .expression(["value", "index"]), "Returns the value to publish, or null for none.")
    ],
    examples: [
      .marbles(
        "even numbers, halved", #"{"compactMap": {"expression": "value % 2 == 0 ? dyn(value / 2) : null"}}"#,
        in: "-a-b-c-d|", out: "---a---b|", values: ["a": 1, "b": 2, "c": 3, "d": 4]),
      .rejects("no expression", #"{"compactMap": {}}"#, .missingField, at: "/compactMap"),
    ])
}
