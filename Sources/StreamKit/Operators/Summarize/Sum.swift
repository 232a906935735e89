public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the sum of all values when upstream finishes.
  ///
  /// Without values the sum is 0. Ints add up to an int; ints and doubles add up to a double.
  ///
  /// - Memory: the sum so far.
  /// - Failure: `S403` if the sum of ints overflows, `S405` for a value that is not a number.
  public struct Sum: StepDefinition {
    /// Returns the number to add. By default it is the value. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Sum {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let number = try context.planSelection(
      expression, field: "expression", of: "numbers", where: \.mayBeNumber)
    // Without values the sum is the int 0, even for doubles.
    context.outputType = number.type == .int ? .int : .dyn
    return Total(of: number, owner: "sum", isMean: false).steps
  }

  public static let spec = OperatorSpec(
    "sum", "Publishes the sum of all values when upstream finishes.",
    memory: .constant("the sum so far"),
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Returns the number to add. By default it is the value.")
    ],
    examples: [
      .marbles(
        "ints", #"{"sum": {}}"#, in: "-a-b-c|", out: "------(s|)", values: ["a": 1, "b": 2, "c": 3, "s": 6]),
      .marbles(
        "an int and a double", #"{"sum": {}}"#, in: "-a-b|", out: "----(s|)", values: ["a": 1, "b": 2.5, "s": 3.5]),
      .marbles(
        "the sum of the squares", #"{"sum": {"expression": "value * value"}}"#, in: "-a-b|", out: "----(s|)",
        values: ["a": 1, "b": 2, "s": 5]),
      .marbles("no values", #"{"sum": {}}"#, in: "--|", out: "--(s|)", values: ["s": 0]),
      .marbles(
        "an overflow", #"{"sum": {}}"#, in: "-a-b|", out: "---#",
        values: ["a": 9_223_372_036_854_775_807, "b": 1]),
      .marbles("a string", #"{"sum": {}}"#, in: "-a|", out: "-#"),
      .rejects(
        "an expression that returns a string", #"{"sum": {"expression": "'1'"}}"#, .typeMismatch, at: "/sum/expression"),
    ])
}
