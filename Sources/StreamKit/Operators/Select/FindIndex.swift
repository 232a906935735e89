public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the index of the first value for which an expression is true, and finishes.
  ///
  /// Indices count from 0. Upstream is canceled then. If there is no such value, it publishes -1 when upstream finishes.
  public struct FindIndex: OperatorDefinition, ExpressionFields {
    /// Says whether it is the value. Variables: `value`; `index`, which counts from 0.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.FindIndex {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .int
    return SearchMachine(try context.planPredicate(expression), found: .index, otherwise: .int(-1))
  }

  public static let spec = OperatorSpec(
    "findIndex", "Publishes the index of the first value for which an expression is true, and finishes.",
    fields: [.required("expression", .expression(["value", "index"]), "Says whether it is the value.")],
    examples: [
      .marbles(
        "the second", #"{"findIndex": {"expression": "value == 'b'"}}"#, in: "-a-b-c|", out: "---(i|)",
        values: ["i": 1]),
      .marbles(
        "not there", #"{"findIndex": {"expression": "value == 'x'"}}"#, in: "-a-b|", out: "----(i|)",
        values: ["i": -1]),
      .marbles("a failure before it", #"{"findIndex": {"expression": "value == 'b'"}}"#, in: "-a-#", out: "---#"),
      .rejects("nothing to look for", #"{"findIndex": {}}"#, .missingField, at: "/findIndex"),
    ])
}
