public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Accumulates all values with an expression, and publishes the last accumulation when upstream finishes.
  ///
  /// An empty stream publishes the initial value. Without one, the first value is the first accumulation, and an empty
  /// stream just finishes. A failure discards the accumulation.
  ///
  /// - Memory: the accumulation.
  /// - SeeAlso: `scan`, which publishes every accumulation.
  public struct Reduce: OperatorDefinition {
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
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try context.planAccumulation(expression, from: initialValue)
    context.outputType = planned.resultType.joined(with: initialValue.map(CELType.of) ?? context.inputType)
    return ReduceMachine(expression: planned, state: ReduceMachine.State(accumulation: Accumulation(initialValue)))
  }
}

private struct ReduceMachine: Machine {
  struct State: Codable, Sendable {
    var accumulation: Accumulation
    var result = PendingResult()
  }

  let expression: PlannedExpression
  var state: State

  func problem(with saved: State) -> String? { saved.accumulation.problem(beside: state.accumulation) }

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    _ = try state.accumulation.add(value, expression, effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.result.end(completion, with: state.accumulation.acc, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  var lowering: Lowering? {
    .summary([expression]) { segment in
      let parts = AccumulationCells(state.accumulation, expression, &segment)
      segment.summarize { parts.accumulation($0).acc }
      segment.keep { cells in
        State(accumulation: parts.accumulation(cells), result: PendingResult(cells.summary))
      } loading: { state, cells in
        parts.load(state.accumulation, cells)
        cells.summary = state.result.summary
      }
    }
  }
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
