public import CEL
internal import DequeModule
package import StreamCore
@_spi(Engine) package import StreamEngine

extension Operator {
  /// Publishes the last value, or the last few values, when upstream finishes.
  ///
  /// Without such a value the stream just finishes. A failure discards the waiting values. With a count of 0 upstream
  /// is not subscribed to.
  ///
  /// - Memory: the newest values, bounded by `count`.
  /// - SeeAlso: `dropLast`, which publishes all other values.
  public struct Last: NodeDefinition {
    /// Returns whether the value matches. By default every value does. Variables: `value`, `index`.
    public var expression: CELExpression?
    /// Number of values to publish. An integer from 0 to 10000000. Default `1`.
    public var count: Int?

    public init(expression: CELExpression? = nil, count: Int? = nil) {
      self.expression = expression
      self.count = count
    }
  }
}

extension Operator.Last {
  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let condition = try context.planCondition(expression) as PlannedExpression?
    return switch count ?? Self.defaultCount {
    case 0: place.nodeWithoutValues()
    case 1: place.node(running: Self.steps(condition), context)
    case let count: place.node(running: LastMachine(condition: condition, count: count))
    }
  }

  /// The steps that keep one value.
  private static func steps(_ condition: PlannedExpression?) -> Steps {
    .summary([condition].compactMap { $0 }) { segment in
      let index = segment.index(for: condition)
      let newest = segment.cell(for: segment.value.type)
      var mark: Operand?
      if let condition {
        let (passes, has) = (segment.label(), segment.cell(.bool(false), .bool))
        segment.require(condition, index, else: passes)
        segment.store(segment.value, in: newest)
        segment.store(segment.constant(.bool(true)), in: has)
        segment.place(passes)
        mark = has
      } else {
        segment.store(segment.value, in: newest)
      }
      let hasOne = mark
      @Sendable func last(_ cells: SegmentCells) -> Value? {
        (hasOne.map { cells[$0] == .bool(true) } ?? (cells[index] > 0)) ? cells[newest] : nil
      }
      segment.summarize(last)
      segment.keep { cells in
        LastState(index: cells[index], last: PendingValues(last(cells), cells.summary))
      } loading: { state, cells in
        cells[index] = state.index
        if let value = state.last.values.first {
          cells[newest] = value
          if let hasOne { cells[hasOne] = .bool(true) }
        }
        cells.summary = state.last.summary
      } refusing: {
        $0.problem(ofAll: condition == nil)
      }
    }
  }
}

private struct LastState: Codable, Sendable {
  /// The index of the next value.
  @Counted var index: Int64 = 0
  var last = PendingValues()

  /// Describes the error in a saved state; nil if it is valid.
  ///
  /// - Parameter isOfAll: Whether every value matches.
  func problem(ofAll isOfAll: Bool) -> String? {
    let isKept = !isOfAll || index == 0 || last.isFinal
    guard isKept || !last.values.isEmpty, index > 0 || last.values.isEmpty else {
      return "has \(last.values.count) of \(index) values"
    }
    return nil
  }
}

/// Keeps several values.
private struct LastMachine: Machine {
  let condition: PlannedExpression?
  let count: Int
  var state = LastState()

  func problem(with saved: LastState) -> String? { saved.problem(ofAll: condition == nil) }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    let counts = try condition?.holds(value, index: index, effects) ?? true
    guard counts else { return }
    while state.last.values.count >= count, state.last.values.popFirst() != nil {}
    state.last.values.append(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.last.end(completion, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.last.request(demand, effects) }
}

extension Operator.Last {
  private static let defaultCount = 1

  public static let spec = OperatorSpec(
    "last", "Publishes the last value, or the last few values, when upstream finishes.",
    memory: .bounded("the newest values", by: "count"),
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value matches. By default every value does."
      ),
      .optional("count", .count(0...10_000_000), "Number of values to publish.", default: .of(defaultCount)),
    ],
    examples: [
      .marbles("the last value", #"{"last": {}}"#, in: "-a-b-c|", out: "------(c|)"),
      .marbles(
        "the last value below 3", #"{"last": {"expression": "value < 3"}}"#, in: "-a-b-c|", out: "------(b|)",
        values: ["a": 1, "b": 2, "c": 3]),
      .marbles("the last two values", #"{"last": {"count": 2}}"#, in: "-a-b-c|", out: "------(bc|)"),
      .marbles("no value", #"{"last": {}}"#, in: "--|", out: "--|"),
      .marbles("a failure discards the value", #"{"last": {}}"#, in: "-a-#", out: "---#"),
      .rejects("a negative number", #"{"last": {"count": -1}}"#, .outOfRange, at: "/last/count"),
    ])
}
