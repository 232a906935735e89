public import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Accumulates all values with an expression, and publishes the last accumulation when upstream finishes.
  ///
  /// An empty stream publishes the initial value. Without one, the first value is the first accumulation, and an empty
  /// stream just finishes. A failure discards the accumulation.
  ///
  /// - Memory: the accumulation.
  /// - SeeAlso: `scan`, which publishes every accumulation.
  public struct Reduce: StepDefinition {
    /// The first `acc`. By default the first value, so the expression is evaluated from the second value on.
    public var initialValue: Value?
    /// Returns the next accumulation. Variables: `acc`, `value`, `index`.
    public var expression: CELExpression

    public init(initialValue: Value? = nil, expression: CELExpression) {
      self.initialValue = initialValue
      self.expression = expression
    }
  }
}

extension Operator.Reduce {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planAccumulation(expression, from: initialValue)
    context.outputType = expression.resultType.joined(with: initialValue.map(CELType.of) ?? context.inputType)
    let initialValue = initialValue
    return .summary([expression]) { segment in
      let accumulation = AccumulationCells(from: initialValue, expression, &segment)
      segment.summarize { accumulation.state($0).acc }
      segment.keep { cells in
        ReduceState(accumulation: accumulation.state(cells), result: PendingResult(cells.summary))
      } loading: { state, cells in
        accumulation.load(state.accumulation, cells)
        cells.summary = state.result.summary
      } refusing: {
        accumulation.problem(with: $0.accumulation)
      }
    }
  }
}

private struct ReduceState: Codable, Sendable {
  var accumulation: Accumulation
  var result: PendingResult
}

extension Operator.Reduce {
  public static let fieldsOfState: Set<String> = ["initialValue"]

  public static let spec = OperatorSpec(
    "reduce", "Accumulates all values with an expression, and publishes the last accumulation when upstream finishes.",
    memory: .growing("the accumulation"),
    fields: FieldSpec.accumulating,
    examples: [
      .marbles(
        "a total", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-b-c|",
        out: "------(f|)", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "an empty stream publishes the initial value", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#,
        in: "--|",
        out: "--(z|)", values: ["z": 0]),
      .marbles(
        "a failure discards the result", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-#",
        out: "---#", values: ["a": 1]),
      .marbles(
        "no initial value", #"{"reduce": {"expression": "acc * 10 + value"}}"#, in: "-a-b|", out: "----(c|)",
        values: ["a": 1, "b": 2, "c": 12]),
      .marbles(
        "an empty stream without an initial value", #"{"reduce": {"expression": "acc + value"}}"#, in: "--|", out: "--|"
      ),
      .rejects("no expression", #"{"reduce": {"initialValue": 0}}"#, .missingField, at: "/reduce"),
    ])
}
