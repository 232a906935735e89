public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes the only value, or the only one for which an expression is true, when upstream finishes.
  ///
  /// - Memory: the value found.
  /// - Failure: `S407` on a second such value, or at the finish if there was none.
  public struct Single: OperatorDefinition {
    /// Returns whether the value matches. By default every value does. Variables: `value`, `index`.
    public var expression: CELExpression?

    public init(expression: CELExpression? = nil) {
      self.expression = expression
    }
  }
}

extension Operator.Single {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    SingleMachine(condition: try context.planCondition(expression))
  }
}

private struct SingleMachine: Machine {
  struct State: Codable, Sendable {
    /// The index of the next value.
    @Counted var index: Int64 = 0
    var found: Value?
    var result = PendingResult()
  }

  let condition: PlannedExpression?
  var state = State()

  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    let index = state.index
    state.index += 1
    let isFound = try condition?.holds(value, index: index, effects) ?? true
    if isFound, state.found != nil {
      throw StreamFailure(.streamFailed, "'single' found a second \(description); expected just one", value: value)
    }
    if isFound { state.found = value }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .finished = completion, state.found == nil {
      throw StreamFailure(.streamFailed, "'single' found no \(description); expected just one")
    }
    state.result.end(completion, with: state.found, effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.result.request(demand, effects) }

  private var description: String {
    condition == nil ? "value" : "value for which its expression is true"
  }
}

extension Operator.Single {
  public static let spec = OperatorSpec(
    "single", "Publishes the only value, or the only one for which an expression is true, when upstream finishes.",
    memory: .constant("the value found"),
    fields: [
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value matches. By default every value does."
      )
    ],
    examples: [
      .marbles("one value", #"{"single": {}}"#, in: "-a-|", out: "---(a|)"),
      .marbles(
        "one value equal to 2", #"{"single": {"expression": "value == 2"}}"#, in: "-a-b-c|", out: "------(b|)",
        values: ["a": 1, "b": 2, "c": 3]),
      .marbles("two values", #"{"single": {}}"#, in: "-a-b-c|", out: "---#"),
      .marbles("no match", #"{"single": {"expression": "value == 'x'"}}"#, in: "-a-b|", out: "----#"),
      .rejects(
        "an expression that returns a number", #"{"single": {"expression": "2"}}"#, .typeMismatch,
        at: "/single/expression"),
    ])
}
