public import CEL
public import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Publishes each value with the previous one.
  ///
  /// With `onError: "skip"`, a value that is skipped is the next `previous`, too.
  ///
  /// - Memory: the newest value.
  /// - SeeAlso: `nwise`, for more than two values; `scan`.
  public struct WithPrevious: StepDefinition {
    /// The first `previous`. Default `null`.
    public var initialValue: Value?
    /// Returns the value to publish. By default an array of `previous` and `value` is published. Variables: `previous`,
    /// `value`, `index`.
    public var expression: CELExpression?

    public init(initialValue: Value? = nil, expression: CELExpression? = nil) {
      self.initialValue = initialValue
      self.expression = expression
    }
  }
}

extension Operator.WithPrevious {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let first = initialValue ?? .null
    let previousType = CELType.of(first).joined(with: context.inputType)
    var planned: PlannedExpression?
    if let expression {
      let typed = context.valueVariables + [Variable("previous", previousType)]
      planned = try context.plan(expression, field: "expression", over: typed)
    }
    let expression = planned
    let pair = context.planOwn("[previous, value]", over: [Variable("previous", .dyn), Variable("value", .dyn)])
    context.outputType = expression?.resultType ?? .list(previousType.joined(with: context.inputType))
    return Steps([expression].compactMap { $0 }) { segment in
      let index = segment.index(for: expression)
      let value = segment.value
      let isKnown = CELType.of(first) == value.type && value.type.isScalar
      let type: CELType = isKnown ? value.type : .dyn
      let (newest, previous) = (segment.cell(first, type), segment.cell(first, type))
      // Before the expression: a value that it fails for is the next `previous`, too.
      segment.store(newest, in: previous)
      segment.store(value, in: newest)
      if let expression {
        segment.value = segment.evaluate(expression, index: index, ["previous": previous])
      } else {
        segment.value = segment.evaluate(pair, ["previous": previous, "value": value])
      }
      segment.advance(index)
      segment.keep {
        WithPreviousState(previous: $0[newest], index: $0[index])
      } loading: { state, cells in
        cells[newest] = state.previous
        cells[index] = state.index
      }
    }
  }
}

private struct WithPreviousState: Codable, Sendable {
  var previous: Value
  @Counted var index: Int64
}

extension Operator.WithPrevious {
  public static let spec = OperatorSpec(
    "withPrevious", "Publishes each value with the previous one.",
    memory: .constant("the newest value"),
    fields: [
      .optional(
        "initialValue", .value, "The first `previous`.", default: .value(.null)),
      .optional(
        "expression", .expression(["previous", "value", "index"]),
        "Returns the value to publish. By default an array of `previous` and `value` is published."),
    ],
    examples: [
      .marbles(
        "arrays", #"{"withPrevious": {}}"#, in: "-a-b-#", out: "-c-d-#",
        values: ["a": 1, "b": 2, "c": [.null, 1], "d": [1, 2]]),
      .marbles(
        "differences", #"{"withPrevious": {"initialValue": 0, "expression": "value - previous"}}"#,
        in: "-c-d-g|", out: "-c-a-c|", values: ["a": 1, "c": 3, "d": 4, "g": 7]),
      .rejects(
        "a syntax error", #"{"withPrevious": {"expression": "value -"}}"#, .expressionSyntax,
        at: "/withPrevious/expression"),
    ])
}
