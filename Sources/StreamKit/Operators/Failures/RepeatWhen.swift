public import StreamCore
public import StreamEngine

extension Operator {
  /// Sends `null` through operators each time upstream finishes, and subscribes again for each value they publish.
  ///
  /// When the operators finish, the stream finishes with the current run. When they fail, the stream fails.
  ///
  /// - Failure: `S409` after 10,000 subscriptions in a row at one instant without a value.
  /// - SeeAlso: `repeat`, which covers the usual cases without operators.
  public struct RepeatWhen: OperatorDefinition, ExercisedFields {
    /// Operators for the finishes of upstream; each finish is a `null`.
    public var operators: InnerOperators

    public init(operators: InnerOperators) {
      self.operators = operators
    }
  }
}

extension Operator.RepeatWhen {
  public var joined: [JoinedStream] { [operators.joined(limit: InnerOperators.waitingLimit)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ResubscriptionMachine(hearsFailures: false)
  }

  package static var exercise: Exercise { .finish }

  public static let spec = OperatorSpec(
    "repeatWhen",
    "Sends `null` through operators each time upstream finishes, and subscribes again for each value they publish.",
    fields: [
      .required("operators", .operators, "Operators for the finishes of upstream; each finish is a `null`.")
    ],
    examples: [
      .marbles(
        "no repetition", #"{"repeatWhen": {"operators": [{"prefix": {"count": 0}}]}}"#, in: "-a|", out: "-a|"),
      .marbles("a failure ends the stream", #"{"repeatWhen": {"operators": []}}"#, in: "-a#", out: "-a#"),
      .rejects("no operators", #"{"repeatWhen": {}}"#, .missingField, at: "/repeatWhen"),
    ])
}
