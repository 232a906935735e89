public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the arithmetic mean of all values, a double, when upstream finishes.
  ///
  /// Without values the stream just finishes.
  ///
  /// - Memory: the sum and the count so far.
  /// - Failure: `S403` if the sum of ints overflows, `S405` for a value that is not a number.
  public struct Average: StepDefinition {
    /// Returns the number to average. By default it is the value. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Average {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let number = try context.planSelection(
      expression, field: "expression", of: "numbers", where: \.mayBeNumber)
    context.outputType = .double
    return Total(of: number, owner: "average", isMean: true).steps
  }

  public static let spec = OperatorSpec(
    "average", "Publishes the arithmetic mean of all values, a double, when upstream finishes.",
    memory: .constant("the sum and the count so far"),
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Returns the number to average. By default it is the value.")
    ],
    examples: [
      .marbles("two values", #"{"average": {}}"#, in: "-a-b|", out: "----(m|)", values: ["a": 1, "b": 2, "m": 1.5]),
      .marbles(
        "the mean of the squares", #"{"average": {"expression": "value * value"}}"#, in: "-a-b|", out: "----(m|)",
        values: ["a": 1, "b": 3, "m": 5.0]),
      .marbles("no values", #"{"average": {}}"#, in: "--|", out: "--|"),
      .marbles("a string", #"{"average": {}}"#, in: "-a|", out: "-#"),
      .rejects(
        "an expression that returns a list", #"{"average": {"expression": "[1]"}}"#, .typeMismatch,
        at: "/average/expression"),
    ])
}
