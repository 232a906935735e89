public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes a value instead of a failure, and finishes.
  ///
  /// - SeeAlso: `catch`, for a whole stream.
  public struct ReplaceError: OperatorDefinition, ExercisedFields {
    /// The value to publish.
    public var with: Value?
    /// Returns the value to publish, instead of `with`. `error` is the value that the file gave, or else an object with
    /// `code` and `message`. Variable: `error`.
    public var expression: CELExpression?

    public init(with: Value? = nil, expression: CELExpression? = nil) {
      self.with = with
      self.expression = expression
    }
  }
}

extension Operator.ReplaceError {
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ReplaceErrorMachine(
      replacement: try Replacement(with: with, expression: expression, over: [Variable("error", .dyn)], &context))
  }
}

private struct ReplaceErrorMachine: Machine {
  let replacement: Replacement
  var state = TrailingValue()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { state.publish(value, effects) }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .failure(let failure) = completion else { return effects.finish() }
    let error = failure.errorValue
    state.close(with: try replacement.make(effects, variables: [error], value: error), effects)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) { state.request(demand, effects) }
}

extension Operator.ReplaceError {
  package static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "replaceError", "Publishes a value instead of a failure, and finishes.",
    fields: [
      .optional("with", .value, "The value to publish."),
      .optional(
        "expression", .expression(["error"]),
        "Returns the value to publish, instead of `with`. `error` is the value that the file gave, or else an "
          + "object with `code` and `message`."),
    ],
    rules: [.one(["with", "expression"])],
    examples: [
      .marbles("a value", #"{"replaceError": {"with": "z"}}"#, in: "-a-#", out: "-a-(z|)"),
      .marbles(
        "the value null", #"{"replaceError": {"with": null}}"#, in: "-a-#", out: "-a-(z|)", values: ["z": .null]),
      .marbles(
        "a value computed from the error", #"{"replaceError": {"expression": "{'failed': error}"}}"#, in: "-#",
        out: "-(z|)",
        values: ["z": ["failed": "error"]]),
      .marbles("no failure", #"{"replaceError": {"with": "z"}}"#, in: "-a-|", out: "-a-|"),
      .rejects("no replacement", #"{"replaceError": {}}"#, .missingField, at: "/replaceError"),
      .rejects(
        "two replacements", #"{"replaceError": {"with": 1, "expression": "2"}}"#, .conflictingFields,
        at: "/replaceError/expression"),
    ])
}
