internal import CEL
internal import StreamCore
@_spi(Engine) internal import StreamEngine

/// Finds the smallest or the greatest value: the steps of `min` and `max`. Among equal values the first one wins.
struct Extreme: Sendable {
  let key: Selection
  /// Compares two values; nil to compare their keys.
  let compare: PlannedExpression?
  let owner: String
  let isGreatest: Bool
  /// Notes strings that are numbers; nil where keys have a type, or the host does not ask.
  private let texts: TextOrderLog?

  init(
    by: CELExpression?, compare: CELExpression?, isGreatest: Bool, _ context: inout OperatorContext
  ) throws(Diagnostics) {
    owner = context.name
    self.isGreatest = isGreatest
    if let compare {
      self.compare = try Self.plan(compare, &context)
      key = try context.planSelection(nil, field: "by")
    } else {
      self.compare = nil
      key = try context.planSelection(
        by, field: "by", of: NaturalOrder.expectation, where: \.mayBeOrdered)
    }
    texts = self.compare == nil && key.type.mayHoldText ? context.options.textOrder : nil
  }

  private static func plan(
    _ compare: CELExpression, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PlannedExpression {
    let planned = try context.plan(
      compare, field: "compare",
      over: [Variable("first", context.inputType), Variable("second", context.inputType)])
    guard planned.resultType.mayBeNumber else {
      throw Diagnostics(
        .typeMismatch,
        "the expression 'compare' of '\(context.name)' returns \(planned.resultType); it must return a number",
        at: JSONPointer(["compare"]), part: .text(0..<compare.text.utf8.count),
        help: "return a number below 0 if 'first' is smaller, as in first.size - second.size")
    }
    return planned
  }

  /// Whether the first key is less than the second one; one of them belongs to the best value so far.
  private func isLess(_ first: Value, _ second: Value, for value: Value) throws(StreamFailure) -> Bool {
    let (key, best) = isGreatest ? (second, first) : (first, second)
    try NaturalOrder.require(key, like: best, owner: owner, for: value)
    texts?.note(first, second, owner: owner)
    if case .list = first { return NaturalOrder.totalOrder(first, second) < 0 }
    return first.exactOrder(second) == -1
  }

  var steps: Steps {
    .summary([key.expression, compare].compactMap { $0 }) { segment in
      let index = segment.index(isRead: true)
      let position = key.expression?.reads("index") == true ? segment.index(for: key.expression) : index
      let isApart = position.cell != index.cell
      let value = segment.value
      let (best, bestKey) = (segment.cell(for: value.type), segment.cell(for: key.type))
      let key = key.expression.map { segment.evaluate($0, index: position) } ?? value
      let (later, done) = (segment.label(), segment.label())
      segment.branch(unless: segment.equal(index.cell, segment.constant(.int(0))), to: later)
      segment.store(compare == nil ? ordered(key, &segment) : key, in: bestKey)
      segment.store(value, in: best)
      segment.jump(to: done)
      segment.place(later)
      let (first, second) = isGreatest ? (bestKey, key) : (key, bestKey)
      let isBetter = compare.map { isNegative($0, first, second, &segment) } ?? less(first, second, &segment)
      segment.branch(unless: isBetter, to: done)
      segment.store(key, in: bestKey)
      segment.store(value, in: best)
      segment.place(done)
      segment.advance(index)
      if isApart { segment.advance(position) }
      segment.summarize { cells in cells[index] > 0 ? cells[best] : nil }
      segment.keep { cells in
        let has = cells[index] > 0
        return ExtremeState(
          best: has ? cells[best] : nil, key: has ? cells[bestKey] : .null, index: cells[position],
          result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[position] = state.index
        if isApart { cells[index] = state.best == nil ? 0 : 1 }
        if let value = state.best {
          cells[best] = value
          cells[bestKey] = state.key
        }
        cells.summary = state.result.summary
      } refusing: {
        ($0.best != nil) == ($0.index > 0) || isApart && $0.best == nil
          ? nil : "has the best of \($0.index) values"
      }
    }
  }

  /// A key; it must be ordered.
  private func ordered(_ key: Operand, _ segment: inout SegmentBuilder) -> Operand {
    let step: @Sendable (Value, Value) throws(StreamFailure) -> Value = { key, value throws(StreamFailure) in
      _ = try NaturalOrder(of: key, owner: owner, for: value)
      return key
    }
    return segment.apply(PairFunction(.first) { key, _ in try? step(key, .null) }, key, key) { key, _, value in
      StreamFailure.of { () throws(StreamFailure) in try step(key, value) }
    }
  }

  private func less(_ first: Operand, _ second: Operand, _ segment: inout SegmentBuilder) -> Operand {
    let step: @Sendable (Value, Value, Value) throws(StreamFailure) -> Value = {
      first, second, value throws(StreamFailure) in
      .bool(try isLess(first, second, for: value))
    }
    return segment.apply(PairFunction(.isLess) { try? step($0, $1, .null) }, first, second) { first, second, value in
      StreamFailure.of { () throws(StreamFailure) in try step(first, second, value) }
    }
  }

  /// Whether the expression returns a number below 0 for the two.
  private func isNegative(
    _ compare: PlannedExpression, _ first: Operand, _ second: Operand, _ segment: inout SegmentBuilder
  ) -> Operand {
    let order = segment.evaluate(compare) { $0 == "first" ? first : second }
    let zero: Value =
      switch compare.resultType {
      case .double: .double(0)
      case .uint: .uint(0)
      default: .int(0)
      }
    let step: @Sendable (Value, Value) throws(StreamFailure) -> Value = { order, value throws(StreamFailure) in
      .bool(try Self.isNegative(order, of: compare, for: value))
    }
    let function = PairFunction(.isLess) { order, _ in try? step(order, .null) }
    return segment.apply(function, order, segment.constant(zero)) { order, _, value in
      StreamFailure.of { () throws(StreamFailure) in try step(order, value) }
    }
  }

  private static func isNegative(
    _ order: Value, of expression: PlannedExpression, for value: Value
  ) throws(StreamFailure) -> Bool {
    switch order {
    case .int(let number): return number < 0
    case .uint: return false
    case .double(let number): return number < 0
    default:
      throw StreamFailure(
        .wrongResult,
        "the expression 'compare' of '\(expression.owner)' returned \(order.describedType); it must return a number",
        pointer: expression.pointer, value: value)
    }
  }
}

private struct ExtremeState: Codable, Sendable {
  var best: Value?
  /// The key of the best value so far.
  var key: Value
  /// The index of the next value.
  @Counted var index: Int64
  var result: PendingResult
}

extension FieldSpec {
  /// The fields of operators that compare values.
  static let comparing: [FieldSpec] = [
    .optional(
      "by", .expression(["value", "index"]),
      "Returns the key to compare; a list is compared by its elements. By default it is the value."),
    .optional(
      "compare", .expression(["first", "second"]),
      "Compares two values: returns a number below 0 if `first` is smaller. By default their natural order is used."),
  ]
}

extension OperatorSpec {
  /// The documentation of `min` or `max`.
  ///
  /// - Parameters:
  ///   - extreme: The adjective of the value that is published.
  ///   - results: The values that the first three examples publish.
  ///   - second: The second value of the example with a key.
  ///   - comparison: The title of the example with a comparison.
  static func extreme(
    _ name: String, _ extreme: String, among results: (String, String, String), second: Value, by comparison: String
  ) -> OperatorSpec {
    OperatorSpec(
      name, "Publishes the \(extreme) value when upstream finishes.",
      memory: .constant("the \(extreme) value so far"),
      fields: FieldSpec.comparing,
      rules: [.atMostOne(["by", "compare"])],
      examples: [
        .marbles(
          "numbers", #"{"\#(name)": {}}"#, in: "-a-b-c|", out: "------(\(results.0)|)",
          values: ["a": 2, "b": 1.5, "c": 3]),
        .marbles(
          "by a key", #"{"\#(name)": {"by": "value % 10"}}"#, in: "-a-b-c|", out: "------(\(results.1)|)",
          values: ["a": 13, "b": second, "c": 14]),
        .marbles(
          comparison,
          #"{"\#(name)": {"compare": "(first - 10) * (first - 10) - (second - 10) * (second - 10)"}}"#,
          in: "-a-b-c|", out: "------(\(results.2)|)", values: ["a": 1, "b": 12, "c": 20]),
        .marbles(
          "the first of two equal values", #"{"\#(name)": {"by": "value % 10"}}"#, in: "-a-b|", out: "----(a|)",
          values: ["a": 1, "b": 11]),
        .marbles("a string and a number", #"{"\#(name)": {}}"#, in: "-a-b|", out: "---#", values: ["b": 1]),
        .marbles("no values", #"{"\#(name)": {}}"#, in: "--|", out: "--|"),
        .marbles("a failure discards the value", #"{"\#(name)": {}}"#, in: "-a-#", out: "---#"),
        .rejects(
          "a key and a comparison", #"{"\#(name)": {"by": "value", "compare": "first - second"}}"#,
          .conflictingFields, at: "/\(name)/compare"),
      ])
  }
}
