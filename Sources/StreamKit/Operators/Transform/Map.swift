public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the result of an expression for each value.
  ///
  /// - Failure: a run-time error of the expression fails the stream.
  public struct Map: StepDefinition, ExpressionFields {
    /// Returns the value to publish. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.Map {
  public var keepsState: Bool { expression.mentions("index") }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.plan(expression, field: "expression", over: context.valueVariables)
    context.outputType = expression.resultType
    return Steps([expression]) { segment in
      let index = segment.index(for: expression)
      segment.value = segment.evaluate(expression, index: index)
      segment.advance(index)
      segment.keep(index)
    }
  }
}

extension Operator.Map {
  public static let spec = OperatorSpec(
    "map", "Publishes the result of an expression for each value.",
    fields: [.required("expression", .expression(["value", "index"]), "Returns the value to publish.")],
    examples: [
      .marbles(
        "each value doubled", #"{"map": {"expression": "value * 2"}}"#, in: "-a-b|", out: "-b-c|",
        values: ["a": 1, "b": 2, "c": 4]),
      .marbles(
        "with its index", #"{"map": {"expression": "value + string(index)"}}"#, in: "-a-b|", out: "-'a0'-'b1'|"),
      .marbles(
        "a run-time error fails the stream", #"{"map": {"expression": "1 / value"}}"#, in: "-a-z-a|", out: "-a-#",
        values: ["a": 1, "z": 0]),
      .rejects("a syntax error", #"{"map": {"expression": "value *"}}"#, .expressionSyntax, at: "/map/expression"),
      .rejects("no expression", #"{"map": {}}"#, .missingField, at: "/map"),
    ])
}
