public import CEL
public import StreamCore
internal import StreamProgram
public import StreamRuntime

extension Operator {
  /// Publishes the number of values when upstream finishes.
  public struct Count: OperatorDefinition {
    /// Returns whether to count the value. By default every value counts. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Count {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let predicate = try context.planPredicate(expression)
    context.outputType = .int
    return CountMachine(predicate: predicate)
  }
}

private struct CountMachine: Machine {
  struct State: Codable, Sendable {
    /// The index of the next value.
    @Counted var index: Int64 = 0
    @Counted var count: Int64 = 0
    var result = PendingResult()
  }

  let predicate: Predicate
  var state = State()

  func problem(with saved: State) -> String? {
    (predicate.isTrivial ? saved.count == saved.index : saved.count <= saved.index)
      ? nil : "has counted \(saved.count) of \(saved.index) values"
  }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let counts = try predicate.holds(value, index: state.index, effects)
    state.index += 1
    if counts { state.count += 1 }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.result.end(completion, with: .int(state.count), effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  var lowering: Lowering? {
    let expression = predicate.expression
    guard predicate.isTrivial || expression != nil else { return nil }
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
        State(
          index: cells[index], count: count.map(cells.int) ?? cells[index], result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[index] = state.index
        if let count { cells[count] = .int(state.count) }
        cells.summary = state.result.summary
      }
    }
  }
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
