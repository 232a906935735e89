public import CEL
package import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Publishes the number of values when upstream finishes.
  public struct Count: StepDefinition {
    /// Returns whether to count the value. By default every value counts. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Count {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planCondition(expression) as PlannedExpression?
    context.outputType = .int
    return .summary([expression].compactMap { $0 }) { segment in
      let index = segment.index(for: expression)
      var counter: Operand?
      if let expression {
        let (passes, total) = (segment.label(), segment.cell(.int(0), .int))
        segment.require(expression, index, else: passes)
        segment.count(total)
        segment.place(passes)
        counter = total
      }
      let count = counter
      segment.summarize { cells in .int(count.map(cells.int) ?? cells[index]) }
      segment.keep { cells in
        CountState(
          index: cells[index], count: count.map(cells.int) ?? cells[index], result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[index] = state.index
        if let count { cells[count] = .int(state.count) }
        cells.summary = state.result.summary
      } refusing: { state in
        let isPossible = count == nil ? state.count == state.index : state.count <= state.index
        return isPossible ? nil : "has counted \(state.count) of \(state.index) values"
      }
    }
  }
}

private struct CountState: Codable, Sendable {
  /// The index of the next value.
  @Counted var index: Int64
  @Counted var count: Int64
  var result: PendingResult
}

extension Operator.Count {
  public static let spec = OperatorSpec(
    "count", "Publishes the number of values when upstream finishes.",
    fields: [
      .optional(
        "expression", .expression(["value", "index"]),
        "Returns whether to count the value. By default every value counts.")
    ],
    examples: [
      .marbles("two values", #"{"count": {}}"#, in: "-a-b|", out: "----(n|)", values: ["n": 2]),
      .marbles(
        "the values above 1", #"{"count": {"expression": "value > 1"}}"#, in: "-a-b-c|", out: "------(n|)",
        values: ["a": 1, "b": 2, "c": 3, "n": 2]),
      .marbles("no values", #"{"count": {}}"#, in: "--|", out: "--(n|)", values: ["n": 0]),
      .marbles("a failure discards the count", #"{"count": {}}"#, in: "-a-#", out: "---#"),
      .rejects(
        "an expression that returns a number", #"{"count": {"expression": "1"}}"#, .typeMismatch,
        at: "/count/expression"),
    ])
}
