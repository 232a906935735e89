public import StreamCore
public import StreamRuntime

extension Operator {
  /// Sends a `null` through operators whenever upstream finishes, and subscribes anew for each value that comes out.
  ///
  /// When that stream has finished, this one finishes with the run under way; when it fails, this one fails.
  ///
  /// - Failure: `S409` after 10,000 subscriptions in a row at one instant without a value.
  /// - SeeAlso: `repeat`, which does the usual without operators.
  public struct RepeatWhen: OperatorDefinition {
    /// What is done with the ends of upstream, each a `null` there.
    public var operators: InnerOperators

    public init(operators: InnerOperators) {
      self.operators = operators
    }
  }
}

extension Operator.RepeatWhen {
  public var joined: [JoinedStream] { [operators.joined(limit: 1_024)] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    ResubscriptionMachine(hearsFailures: false)
  }

  public static var exercise: Exercise { .finish }

  public static let spec = OperatorSpec(
    "repeatWhen",
    "Sends a `null` through operators whenever upstream finishes, and subscribes anew for each value that comes out.",
    fields: [
      .required("operators", .operators, "What is done with the ends of upstream, each a `null` there.")
    ],
    examples: [
      .marbles(
        "never again", #"{"repeatWhen": {"operators": [{"prefix": {"count": 0}}]}}"#, in: "-a|", out: "-a|"),
      .marbles("a failure passes", #"{"repeatWhen": {"operators": []}}"#, in: "-a#", out: "-a#"),
      .rejects("no operators", #"{"repeatWhen": {}}"#, .missingField, at: "/repeatWhen"),
    ])
}
