public import StreamCore
public import StreamEngine

extension Operator {
  /// Sends each failure of upstream through operators, and subscribes again for each value they publish.
  ///
  /// When the operators finish, the stream finishes; when they fail, it fails.
  ///
  /// - Failure: `S409` after 10,000 subscriptions in a row at one instant without a value.
  /// - SeeAlso: `retry`, which covers the usual cases without operators.
  public struct RetryWhen: OperatorDefinition, ExercisedFields {
    /// Operators for the failures of upstream; each failure is a value.
    public var operators: InnerOperators

    public init(operators: InnerOperators) {
      self.operators = operators
    }
  }
}

extension Operator.RetryWhen {
  public var joined: [JoinedStream] { [operators.joined(limit: InnerOperators.waitingLimit)] }

  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ResubscriptionMachine(hearsFailures: true)
  }

  package static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "retryWhen",
    "Sends each failure of upstream through operators, and subscribes again for each value they publish.",
    fields: [
      .required("operators", .operators, "Operators for the failures of upstream; each failure is a value.")
    ],
    examples: [
      .marbles(
        "two attempts, each after a delay",
        #"{"retryWhen": {"operators": [{"prefix": {"count": 2}}, {"delay": {"seconds": 0.002}}]}}"#,
        in: "-a#", out: "-a----|"),
      .marbles("no attempt", #"{"retryWhen": {"operators": [{"prefix": {"count": 0}}]}}"#, in: "-a#", out: "-a|"),
      .rejects("no operators", #"{"retryWhen": {}}"#, .missingField, at: "/retryWhen"),
    ])
}
