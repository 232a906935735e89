public import CEL
package import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Publishes a value only if it differs from the previous one.
  ///
  /// Equal numbers of different types are duplicates.
  ///
  /// - Memory: the previous value.
  /// - SeeAlso: `distinct`, which compares with all previous values.
  public struct RemoveDuplicates: StepDefinition {
    /// Returns the key to compare. By default it is the value. Variable: `value`.
    public var key: CELExpression?
    /// Returns whether two values are duplicates. By default they are if they are equal. Variables: `previous`,
    /// `value`.
    public var by: CELExpression?

    public init(key: CELExpression? = nil, by: CELExpression? = nil) {
      self.key = key
      self.by = by
    }
  }
}

extension Operator.RemoveDuplicates {
  package func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps {
    let value = Variable("value", context.inputType)
    var (planned, comparison): (PlannedExpression?, PlannedExpression?)
    if let key { planned = try context.plan(key, field: "key", over: [value]) }
    if let by {
      comparison = try context.plan(
        by, field: "by", over: [value, Variable("previous", context.inputType)], result: .bool)
    }
    let (key, by) = (planned, comparison)
    return Steps([key, by].compactMap { $0 }) { segment in
      let compared = key.map { segment.evaluate($0) } ?? segment.value
      let newest = segment.cell(for: compared.type)
      let hasNewest = segment.cell(.bool(false), .bool)
      let (isFirst, isNew) = (segment.label(), segment.label())
      segment.branch(unless: hasNewest, to: isFirst)
      let isSame: Operand
      if let by {
        let previous = segment.cell(for: compared.type)
        // Before the condition: a value that it fails for is the next `previous`, too.
        segment.store(newest, in: previous)
        segment.store(compared, in: newest)
        isSame = segment.evaluate(by, ["previous": previous])
      } else {
        isSame = segment.equal(compared, newest)
        segment.store(compared, in: newest)
      }
      segment.branch(unless: isSame, to: isNew)
      segment.jump(to: segment.drop())
      segment.place(isFirst)
      segment.store(segment.constant(.bool(true)), in: hasNewest)
      segment.store(compared, in: newest)
      segment.place(isNew)
      segment.keep { cells in
        let has = cells[hasNewest] == .bool(true)
        return RemoveDuplicatesState(hasPrevious: has, previous: has ? cells[newest] : .null)
      } loading: { state, cells in
        cells[hasNewest] = .bool(state.hasPrevious)
        if state.hasPrevious { cells[newest] = state.previous }
      }
    }
  }
}

private struct RemoveDuplicatesState: Codable, Sendable {
  var hasPrevious: Bool
  /// The previous value, or its key.
  var previous: Value
}

extension Operator.RemoveDuplicates {
  public static let fieldsOfState: Set<String> = ["key"]

  public static let spec = OperatorSpec(
    "removeDuplicates", "Publishes a value only if it differs from the previous one.",
    memory: .constant("the previous value"),
    fields: [
      .optional("key", .expression(["value"]), "Returns the key to compare. By default it is the value."),
      .optional(
        "by", .expression(["previous", "value"]),
        "Returns whether two values are duplicates. By default they are if they are equal."),
    ],
    rules: [.atMostOne(["key", "by"])],
    examples: [
      .marbles("runs of equal values", #"{"removeDuplicates": {}}"#, in: "-a-a-b-b-a|", out: "-a---b---a|"),
      .marbles(
        "runs of equal keys", #"{"removeDuplicates": {"key": "value % 10"}}"#, in: "-a-b-c|", out: "-a---c|",
        values: ["a": 1, "b": 11, "c": 12]),
      .marbles(
        "a condition on two neighbors", #"{"removeDuplicates": {"by": "value - previous < 5"}}"#, in: "-a-b-c|",
        out: "-a---c|",
        values: ["a": 1, "b": 3, "c": 12]),
      .rejects(
        "a key and a condition", #"{"removeDuplicates": {"key": "value", "by": "true"}}"#, .conflictingFields,
        at: "/removeDuplicates/by"),
    ])
}
