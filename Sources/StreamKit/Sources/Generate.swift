public import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Computes each value from the previous one.
  ///
  /// Values are published on demand, or at regular intervals; a value that is due waits for demand.
  ///
  /// - Time: with `seconds`, one timer.
  /// - Memory: the value that `next` returns.
  /// - Failure: run-time errors of the expressions. `next` is evaluated after the previous value has been published.
  public struct Generate: SourceDefinition {
    /// The first value.
    public var initialValue: Value
    /// Returns whether to publish the value. The first value for which it is false finishes the stream. By default the
    /// stream does not end. Variable: `value`.
    public var `while`: CELExpression?
    /// Returns the next value. Variable: `value`.
    public var next: CELExpression
    /// Returns the value to publish. By default it is the value itself. Variable: `value`.
    public var output: CELExpression?
    /// Time before the first value and between two values. 0 publishes on demand. A number of seconds from 0 to
    /// 31536000. Default `0`.
    public var seconds: Double?

    public init(
      initialValue: Value, `while`: CELExpression? = nil, next: CELExpression, output: CELExpression? = nil,
      seconds: Double? = nil
    ) {
      self.initialValue = initialValue
      self.`while` = `while`
      self.next = next
      self.output = output
      self.seconds = seconds
    }
  }
}

extension Source.Generate {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    let (next, type) = try planNext(context)
    let variables = [Variable("value", type)]
    var condition: PlannedExpression?
    if let `while` {
      condition = try context.plan(`while`, owner: "generate", field: "while", over: variables, result: .bool)
    }
    var planned: PlannedExpression?
    if let output { planned = try context.plan(output, owner: "generate", field: "output", over: variables) }
    let machine = GenerateMachine(
      condition: condition, next: next, output: planned, period: Interval(seconds: seconds ?? Self.defaultSeconds),
      state: GenerateMachine.State(value: initialValue))
    return context.machine(machine, name: "generate", type: planned?.resultType ?? type)
  }

  /// The type of the values: that of the first one if `next` returns the same type, or else `dyn`.
  private func planNext(
    _ context: borrowing SourceContext
  ) throws(Diagnostics) -> (expression: PlannedExpression, type: CELType) {
    let first = CELType.of(initialValue)
    if first.isScalar,
      let typed = try? context.plan(next, owner: "generate", field: "next", over: [Variable("value", first)]),
      typed.resultType == first
    {
      return (typed, first)
    }
    return (try context.plan(next, owner: "generate", field: "next", over: [Variable("value", .dyn)]), .dyn)
  }
}

private struct GenerateMachine: Machine {
  struct State: Codable, Sendable {
    /// The value to publish next.
    var value: Value
    @Counted var index: Int64 = 0
    var demand = Demand.none
    /// Whether the value is due.
    var isDue = false
  }

  let condition: PlannedExpression?
  let next: PlannedExpression
  let output: PlannedExpression?
  let period: Interval
  var state: State

  mutating func start(_ effects: Effects) throws(StreamFailure) { try prepare(state.value, effects) }

  mutating func request(_ demand: Demand, _ effects: Effects) throws(StreamFailure) {
    state.demand += demand
    try publish(effects)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    state.isDue = true
    try publish(effects)
  }

  mutating func resume(_ effects: Effects) throws(StreamFailure) {
    let following = try next.evaluate(effects, state.value)
    try Accumulation.checkDepth(of: following, from: state.value, index: state.index, next)
    state.index += 1
    try prepare(following, effects)
    try publish(effects)
  }

  /// Makes a value the next one to publish, or finishes.
  private mutating func prepare(_ value: Value, _ effects: Effects) throws(StreamFailure) {
    if let condition, try !condition.truth(of: condition.evaluate(effects, value), for: value) {
      return effects.finish()
    }
    state.value = value
    if period.nanoseconds > 0 {
      effects.setTimer(0, at: effects.now + period)
    } else {
      state.isDue = true
    }
  }

  private mutating func publish(_ effects: Effects) throws(StreamFailure) {
    guard state.isDue, state.demand > .none else { return }
    effects.publish(try output?.evaluate(effects, state.value) ?? state.value)
    _ = state.demand.takeOne()
    state.isDue = false
    effects.resume()
  }
}

extension Source.Generate {
  private static let defaultSeconds = 0.0

  public static let spec = OperatorSpec(
    "generate", "Computes each value from the previous one.",
    memory: .growing("the value that `next` returns"),
    fields: [
      .required("initialValue", .value, "The first value."),
      .optional(
        "while", .expression(["value"]),
        "Returns whether to publish the value. The first value for which it is false finishes the stream. By "
          + "default the stream does not end."),
      .required("next", .expression(["value"]), "Returns the next value."),
      .optional("output", .expression(["value"]), "Returns the value to publish. By default it is the value itself."),
      .optional(
        "seconds", .seconds(0...31_536_000),
        "Time before the first value and between two values. 0 publishes on demand.",
        default: .of(defaultSeconds)),
    ],
    examples: [
      .publishes(
        "powers of two", #"{"generate": {"initialValue": 1, "while": "value < 8", "next": "value * 2"}}"#,
        out: "(abc|)", values: ["a": 1, "b": 2, "c": 4]),
      .publishes(
        "strings at regular intervals",
        #"{"generate": {"initialValue": 3, "while": "value > 0", "next": "value - 1", "output": "string(value)", "seconds": 0.002}}"#,
        out: "--'3'-'2'-('1'|)"),
      .publishes(
        "a failure after the first value", #"{"generate": {"initialValue": 1, "next": "value / 0"}}"#, out: "(a#)",
        values: ["a": 1]),
      .publishes(
        "no values", #"{"generate": {"initialValue": 1, "while": "value > 1", "next": "value + 1"}}"#, out: "|"),
      .rejects(
        "no expression for the next value", #"{"generate": {"initialValue": 1}}"#, .missingField, at: "/generate"),
      .rejects(
        "a condition that returns a number",
        #"{"generate": {"initialValue": 1, "while": "value + 1", "next": "value"}}"#,
        .typeMismatch, at: "/generate/while"),
    ])
}
