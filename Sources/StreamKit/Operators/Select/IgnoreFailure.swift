public import StreamCore
public import StreamEngine

extension Operator {
  /// Replaces a failure with a finish.
  ///
  /// - SeeAlso: `replaceError`, which publishes a value, too.
  public struct IgnoreFailure: OperatorDefinition, ExercisedFields {
    public init() {}
  }
}

extension Operator.IgnoreFailure {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    IgnoreFailureMachine()
  }
}

private struct IgnoreFailureMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) { effects.publish(value) }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) { effects.finish() }
}

extension Operator.IgnoreFailure {
  package static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "ignoreFailure", "Replaces a failure with a finish.",
    examples: [
      .marbles("a failure", #"{"ignoreFailure": {}}"#, in: "-a-#", out: "-a-|"),
      .marbles("a finish", #"{"ignoreFailure": {}}"#, in: "-a-b|", out: "-a-b|"),
    ])
}
