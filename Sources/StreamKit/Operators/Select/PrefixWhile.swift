public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes values as long as an expression is true, then finishes.
  ///
  /// The first value for which the expression is false cancels upstream. It is published only with `inclusive`.
  public struct PrefixWhile: StepDefinition {
    /// Returns whether to continue. Variables: `value`, `index`.
    public var expression: CELExpression
    /// Whether to publish the value that ends the stream. Default `false`.
    public var inclusive: Bool?

    public init(expression: CELExpression, inclusive: Bool? = nil) {
      self.expression = expression
      self.inclusive = inclusive
    }
  }
}

extension Operator.PrefixWhile {
  public var keepsState: Bool { expression.mentions("index") }

  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planCondition(expression)
    let isInclusive = inclusive ?? Self.defaultInclusive
    return Steps([expression]) { segment in
      let index = segment.index(for: expression)
      let goesOn = segment.evaluate(expression, index: index)
      if isInclusive {
        segment.endWithValue(unless: goesOn)
      } else {
        segment.branch(unless: goesOn, to: segment.stop())
      }
      segment.advance(index)
      segment.keep(index)
    }
  }
}

extension Operator.PrefixWhile {
  private static let defaultInclusive = false

  public static let spec = OperatorSpec(
    "prefixWhile", "Publishes values as long as an expression is true, then finishes.",
    fields: [
      .required("expression", .expression(["value", "index"]), "Returns whether to continue."),
      .optional(
        "inclusive", .bool, "Whether to publish the value that ends the stream.", default: .of(defaultInclusive)),
    ],
    examples: [
      .marbles(
        "while values are below 3", #"{"prefixWhile": {"expression": "value < 3"}}"#, in: "-a-b-c-a|", out: "-a-b-|",
        values: ["a": 1, "b": 2, "c": 3]),
      .marbles(
        "with the value that ends the stream", #"{"prefixWhile": {"expression": "value != 'c'", "inclusive": true}}"#,
        in: "-a-b-c-a|", out: "-a-b-(c|)"),
      .marbles("until upstream finishes", #"{"prefixWhile": {"expression": "true"}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure", #"{"prefixWhile": {"expression": "true"}}"#, in: "-a-#", out: "-a-#"),
      .rejects("no expression", #"{"prefixWhile": {}}"#, .missingField, at: "/prefixWhile"),
    ])
}
