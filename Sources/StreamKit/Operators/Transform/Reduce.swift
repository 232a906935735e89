public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes what has been accumulated when the stream finishes.
  ///
  /// An empty stream gives the initial value. A failure drops the accumulation.
  ///
  /// - Memory: what the expression accumulates.
  /// - SeeAlso: `scan`, which publishes every accumulation.
  public struct Reduce: OperatorDefinition {
    /// What `acc` is for the first value.
    public var initialValue: Value
    /// Gives the next accumulation. Variables: `value`; `index`, which counts from 0; `acc`.
    public var expression: Expression
  }
}

extension Operator.Reduce {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let planned = try context.planAccumulation(expression, from: initialValue)
    context.outputType = planned.resultType.joined(with: .of(initialValue))
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

  mutating func start(_ answers: Answers) { answers.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) throws(StreamFailure) {
    try state.accumulation.add(value, expression, answers)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    state.result.end(completion, with: state.accumulation.acc, answers)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) { state.result.request(demand, answers) }
}

extension Operator.Reduce {
  public static let spec = OperatorSpec(
    "reduce", "Publishes what has been accumulated when the stream finishes.",
    fields: [
      .required("initialValue", .value, "What `acc` is for the first value."),
      .required("expression", .expression(["acc", "value", "index"]), "Gives the next accumulation."),
    ],
    examples: [
      .marbles(
        "the total", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-b-c|",
        out: "------(f|)", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "the initial value of nothing", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, in: "--|",
        out: "--(z|)", values: ["z": 0]),
      .marbles(
        "a failure drops the result", #"{"reduce": {"initialValue": 0, "expression": "acc + value"}}"#, in: "-a-#",
        out: "---#", values: ["a": 1]),
      .rejects("no initial value", #"{"reduce": {"expression": "acc"}}"#, .missingField, at: "/reduce"),
    ])
}
