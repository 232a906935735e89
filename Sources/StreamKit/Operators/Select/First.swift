public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the first value, or the first for which an expression is true, and finishes.
  ///
  /// Upstream is canceled then. If there is no such value, it finishes when upstream does.
  ///
  /// - SeeAlso: `failIfEmpty`, for those who expect a failure then.
  public struct First: OperatorDefinition {
    /// Says whether it is the value. Variables: `value`; `index`, which counts from 0. Default any value.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.First {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    SearchMachine(try context.planPredicate(expression), found: .value)
  }

  public static let spec = OperatorSpec(
    "first", "Publishes the first value, or the first for which an expression is true, and finishes.",
    fields: [
      .optional("expression", .expression(["value", "index"]), "Says whether it is the value. Default any value.")
    ],
    examples: [
      .marbles("the first", #"{"first": {}}"#, in: "-a-b-c|", out: "-(a|)"),
      .marbles(
        "the first above 2", #"{"first": {"expression": "value > 2"}}"#, in: "-a-b-c|", out: "---(b|)",
        values: ["a": 1, "b": 3, "c": 4]),
      .marbles("the first of nothing", #"{"first": {}}"#, in: "--|", out: "--|"),
      .marbles("a failure before it", #"{"first": {"expression": "value == 'b'"}}"#, in: "-a-#", out: "---#"),
      .rejects(
        "an expression that gives a string", #"{"first": {"expression": "'a'"}}"#, .typeMismatch,
        at: "/first/expression"),
    ])
}
