public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Drops values until an expression is false for the first time.
  ///
  /// After that the expression is not evaluated again.
  public struct DropWhile: StepDefinition, ExpressionFields {
    /// Returns whether to drop the value. Variables: `value`, `index`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.DropWhile {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let expression = try context.planCondition(expression)
    return Steps([expression]) { segment in
      // The index counts the dropped values and the first published one.
      let index = segment.index(isRead: true)
      let hasDropped = segment.cell(.bool(false), .bool)
      let (asks, ends, passes) = (segment.label(), segment.label(), segment.label())
      segment.branch(unless: hasDropped, to: asks)
      segment.jump(to: passes)
      segment.place(asks)
      segment.branch(unless: segment.evaluate(expression, index: index), to: ends)
      segment.advance(index)
      segment.jump(to: segment.drop())
      segment.place(ends)
      segment.advance(index)
      segment.store(segment.constant(.bool(true)), in: hasDropped)
      segment.place(passes)
      segment.keep { cells in
        DropWhileState(isDropping: cells[hasDropped] == .bool(false), index: cells[index])
      } loading: { state, cells in
        cells[hasDropped] = .bool(!state.isDropping)
        cells[index] = state.index
      }
    }
  }
}

private struct DropWhileState: Codable, Sendable {
  var isDropping: Bool
  /// The index of the next value.
  @Counted var index: Int64
}

extension Operator.DropWhile {
  public static let spec = OperatorSpec(
    "dropWhile", "Drops values until an expression is false for the first time.",
    fields: [.required("expression", .expression(["value", "index"]), "Returns whether to drop the value.")],
    examples: [
      .marbles(
        "while values are below 3", #"{"dropWhile": {"expression": "value < 3"}}"#, in: "-a-b-c-a|", out: "---b-c-a|",
        values: ["a": 1, "b": 3, "c": 4]),
      .marbles(
        "by index", #"{"dropWhile": {"expression": "index < 2"}}"#, in: "-a-b-c-d|", out: "-----c-d|"),
      .marbles("all values", #"{"dropWhile": {"expression": "true"}}"#, in: "-a-b|", out: "----|"),
      .rejects("no expression", #"{"dropWhile": {}}"#, .missingField, at: "/dropWhile"),
    ])
}
