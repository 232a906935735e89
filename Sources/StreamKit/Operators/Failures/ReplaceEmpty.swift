public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a value if upstream finishes without one.
  ///
  /// - SeeAlso: `switchIfEmpty`, for a whole stream; `failIfEmpty`.
  public struct ReplaceEmpty: OperatorDefinition, ExercisedFields {
    /// The value to publish.
    public var with: Value?
    /// Returns the value to publish, instead of `with`.
    public var expression: CELExpression?

    public init(with: Value? = nil, expression: CELExpression? = nil) {
      self.with = with
      self.expression = expression
    }
  }
}

extension Operator.ReplaceEmpty {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ReplaceEmptyMachine(replacement: try Replacement(with: with, expression: expression, over: [], &context))
  }
}

private struct ReplaceEmptyMachine: Machine {
  struct State: Codable, Sendable {
    var values = TrailingValue()
    var isEmpty = true
  }

  let replacement: Replacement
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state.isEmpty = false
    state.values.publish(value, effects)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .finished = completion, state.isEmpty else { return effects.complete(completion) }
    state.values.close(with: try replacement.make(effects, variables: [], value: nil), effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.values.request(demand, effects) }
}

extension Operator.ReplaceEmpty {
  package static var exercise: Exercise { .emptyFinish }

  public static let spec = OperatorSpec(
    "replaceEmpty", "Publishes a value if upstream finishes without one.",
    fields: [
      .optional("with", .value, "The value to publish."),
      .optional("expression", .expression([]), "Returns the value to publish, instead of `with`."),
    ],
    rules: [.one(["with", "expression"])],
    examples: [
      .marbles("no value", #"{"replaceEmpty": {"with": "z"}}"#, in: "---|", out: "---(z|)"),
      .marbles("one value", #"{"replaceEmpty": {"with": "z"}}"#, in: "-a-|", out: "-a-|"),
      .marbles(
        "a computed value", #"{"replaceEmpty": {"expression": "'a' + 'b'"}}"#, in: "-|", out: "-('ab'|)"),
      .marbles("a failure is not replaced", #"{"replaceEmpty": {"with": "z"}}"#, in: "-#", out: "-#"),
      .rejects("no replacement", #"{"replaceEmpty": {}}"#, .missingField, at: "/replaceEmpty"),
    ])
}
