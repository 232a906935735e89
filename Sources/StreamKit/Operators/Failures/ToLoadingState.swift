internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes each value as loaded, and a failure as a value before it finishes.
  ///
  /// A value becomes `{"loaded": value}`, a failure `{"failed": error}`: the error as the file wrote it, else an object of
  /// `code` and `message`. The states before the first value are for `prepend` to say.
  ///
  /// - SeeAlso: `toResult`, of which this is the form that views show.
  public struct ToLoadingState: OperatorDefinition {
    public init() {}
  }
}

extension Operator.ToLoadingState {
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .map(.string, .dyn)
    return OutcomeMachine(value: "loaded", error: "failed")
  }

  public static let spec = OperatorSpec(
    "toLoadingState", "Publishes each value as loaded, and a failure as a value before it finishes.",
    examples: [
      .marbles(
        "items that have come", #"{"toLoadingState": {}}"#, in: "--a|", out: "--p|",
        values: ["a": [1, 2], "p": ["loaded": [1, 2]]]),
      .marbles(
        "items that cannot come", #"{"toLoadingState": {}}"#, in: "--#", out: "--(q|)",
        values: ["q": ["failed": "error"]]),
    ])
}
