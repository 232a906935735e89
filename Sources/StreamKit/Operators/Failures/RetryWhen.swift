public import StreamCore
public import StreamRuntime

extension Operator {
  /// Sends the failures of upstream through operators, and subscribes anew for each value that comes out of these.
  ///
  /// When that stream finishes, so does this one; when it fails, this one fails.
  ///
  /// - Failure: `S409` after 10,000 subscriptions in a row at one instant without a value.
  /// - SeeAlso: `retry`, which does the usual without operators.
  public struct RetryWhen: OperatorDefinition {
    /// What is done with the failures, which are the values there.
    public var operators: InnerOperators

    public init(operators: InnerOperators) {
      self.operators = operators
    }
  }
}

extension Operator.RetryWhen {
  public var joined: [JoinedStream] { [operators.joined(limit: 1_024)] }

  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ResubscriptionMachine(hearsFailures: true)
  }

  public static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "retryWhen",
    "Sends the failures of upstream through operators, and subscribes anew for each value that comes out of these.",
    fields: [
      .required("operators", .operators, "What is done with the failures, which are the values there.")
    ],
    examples: [
      .marbles(
        "twice, a little later",
        #"{"retryWhen": {"operators": [{"prefix": {"count": 2}}, {"delay": {"seconds": 0.002}}]}}"#,
        in: "-a#", out: "-a----|"),
      .marbles("never", #"{"retryWhen": {"operators": [{"prefix": {"count": 0}}]}}"#, in: "-a#", out: "-a|"),
      .rejects("no operators", #"{"retryWhen": {}}"#, .missingField, at: "/retryWhen"),
    ])
}
