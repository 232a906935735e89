public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the first value, or the first for which an expression is true, and finishes.
  ///
  /// Upstream is canceled after the match. Without a match the stream finishes when upstream finishes.
  ///
  /// - SeeAlso: `failIfEmpty`, to fail without a match.
  public struct First: StepDefinition {
    /// Returns whether the value matches. By default every value does. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.First {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    Search(.init(try context.planCondition(expression)), found: .value).steps
  }

  public static let spec = OperatorSpec(
    "first", "Publishes the first value, or the first for which an expression is true, and finishes.",
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value matches. By default every value does."
      )
    ],
    examples: [
      .marbles("the first value", #"{"first": {}}"#, in: "-a-b-c|", out: "-(a|)"),
      .marbles(
        "the first value above 2", #"{"first": {"expression": "value > 2"}}"#, in: "-a-b-c|", out: "---(b|)",
        values: ["a": 1, "b": 3, "c": 4]),
      .marbles("no value", #"{"first": {}}"#, in: "--|", out: "--|"),
      .marbles("a failure before a match", #"{"first": {"expression": "value == 'b'"}}"#, in: "-a-#", out: "---#"),
      .rejects(
        "an expression that returns a string", #"{"first": {"expression": "'a'"}}"#, .typeMismatch,
        at: "/first/expression"),
    ])
}
