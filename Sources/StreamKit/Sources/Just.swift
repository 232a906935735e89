public import CEL
public import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes one value and finishes.
  public struct Just: SourceDefinition {
    /// The value to publish.
    public var value: Value?
    /// Returns the value to publish, instead of `value`. Evaluated at each subscription.
    public var expression: CELExpression?

    public init(value: Value? = nil, expression: CELExpression? = nil) {
      self.value = value
      self.expression = expression
    }
  }
}

extension Source.Just {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    if let expression {
      let planned = try context.plan(expression, owner: "just", field: "expression")
      return context.machine(ComputedJustMachine(expression: planned), name: "just", type: planned.resultType)
    }
    let value = value ?? .null
    return context.machine(SequenceMachine([value]), name: "just", type: .of(value))
  }
}

/// Evaluates the expression at the subscription and keeps the value until it is requested.
private struct ComputedJustMachine: LoweredMachine {
  let expression: PlannedExpression
  var state: Value?

  mutating func start(_ effects: Effects) throws(StreamFailure) {
    state = try expression.evaluate(effects, variables: [], value: nil)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    guard let value = state.take() else { return }
    effects.publish(value)
    effects.finish()
  }

  var lowering: Lowering<State>? {
    .value(Steps([expression]) { $0.value = $0.evaluate(expression) { _ in nil } })
  }
}

extension Source.Just {
  public static let spec = OperatorSpec(
    "just", "Publishes one value and finishes.",
    fields: [
      .optional("value", .value, "The value to publish."),
      .optional(
        "expression", .expression([]),
        "Returns the value to publish, instead of `value`. Evaluated at each subscription."),
    ],
    rules: [.one(["value", "expression"])],
    examples: [
      .publishes("one value at once", #"{"just": {"value": "a"}}"#, out: "(a|)"),
      .publishes("a computed value", #"{"just": {"expression": "'a' + 'b'"}}"#, out: "('ab'|)"),
      .publishes("the value null", #"{"just": {"value": null}}"#, out: "(n|)", values: ["n": .null]),
      .rejects("no value", #"{"just": {}}"#, .missingField, at: "/just"),
      .rejects(
        "a value and an expression", #"{"just": {"value": 1, "expression": "2"}}"#, .conflictingFields,
        at: "/just/expression"),
    ])
}
