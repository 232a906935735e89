public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes the sum of all values when the stream finishes.
  ///
  /// The sum of nothing is 0. Ints add up to an int; where int and double mix the sum is a double.
  ///
  /// - Failure: `S403` if the sum does not fit into an int, `S405` for what is no number.
  public struct Sum: OperatorDefinition {
    /// Gives what is added. Variables: `value`; `index`, which counts from 0. Default the value itself.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Sum {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let number = try context.planSelection(
      expression, field: "expression", of: "numbers", where: \.mayBeNumber)
    // The sum of no doubles is the int 0.
    context.outputType = number.type == .int ? .int : .dyn
    return TotalMachine(of: number, owner: "sum", isMean: false)
  }

  public static let spec = OperatorSpec(
    "sum", "Publishes the sum of all values when the stream finishes.",
    memory: .constant("the sum so far"),
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Gives what is added. Default the value itself.")
    ],
    examples: [
      .marbles(
        "ints", #"{"sum": {}}"#, in: "-a-b-c|", out: "------(s|)", values: ["a": 1, "b": 2, "c": 3, "s": 6]),
      .marbles(
        "int and double", #"{"sum": {}}"#, in: "-a-b|", out: "----(s|)", values: ["a": 1, "b": 2.5, "s": 3.5]),
      .marbles(
        "squares", #"{"sum": {"expression": "value * value"}}"#, in: "-a-b|", out: "----(s|)",
        values: ["a": 1, "b": 2, "s": 5]),
      .marbles("nothing", #"{"sum": {}}"#, in: "--|", out: "--(s|)", values: ["s": 0]),
      .marbles(
        "too much for an int", #"{"sum": {}}"#, in: "-a-b|", out: "---#",
        values: ["a": 9_223_372_036_854_775_807, "b": 1]),
      .marbles("a string", #"{"sum": {}}"#, in: "-a|", out: "-#"),
      .rejects(
        "an expression that gives a string", #"{"sum": {"expression": "'1'"}}"#, .typeMismatch, at: "/sum/expression"),
    ])
}
