public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Replaces a failure of upstream with the result of an expression.
  ///
  /// The failure of upstream becomes the cause of the new one.
  public struct MapError: OperatorDefinition, ExercisedFields {
    /// Returns the new error, any value. `error` is the value that the file gave, or else an object with `code` and
    /// `message`. Variable: `error`.
    public var expression: CELExpression

    public init(expression: CELExpression) {
      self.expression = expression
    }
  }
}

extension Operator.MapError {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    MapErrorMachine(
      expression: try context.plan(expression, field: "expression", over: [Variable("error", .dyn)]))
  }
}

private struct MapErrorMachine: Machine {
  let expression: PlannedExpression

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .failure(let failure) = completion else { return effects.finish() }
    let error = try expression.evaluate(effects, failure.errorValue)
    effects.fail(StreamFailure(payload: error, pointer: expression.pointer, cause: failure))
  }
}

extension Operator.MapError {
  package static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "mapError", "Replaces a failure of upstream with the result of an expression.",
    fields: [
      .required(
        "expression", .expression(["error"]),
        "Returns the new error, any value. `error` is the value that the file gave, or else an object with `code` "
          + "and `message`.")
    ],
    examples: [
      .marbles("another error", #"{"mapError": {"expression": "'because of ' + error"}}"#, in: "-a-#", out: "-a-#"),
      .marbles("no failure", #"{"mapError": {"expression": "error"}}"#, in: "-a-|", out: "-a-|"),
      .rejects("no expression", #"{"mapError": {}}"#, .missingField, at: "/mapError"),
      .rejects(
        "a variable that does not exist", #"{"mapError": {"expression": "value"}}"#, .unknownName,
        at: "/mapError/expression"),
    ])
}
