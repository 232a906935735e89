internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value as a loaded state and a failure as a failed state, then finishes.
  ///
  /// A value becomes `{"loaded": value}`, a failure `{"failed": error}`: the error is the value that the file gave, or
  /// else an object with `code` and `message`. Use `prepend` for the states before the first value.
  ///
  /// - SeeAlso: `toResult`, the same with the member names of a result.
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
    "toLoadingState", "Publishes each value as a loaded state and a failure as a failed state, then finishes.",
    examples: [
      .marbles(
        "a loaded state", #"{"toLoadingState": {}}"#, in: "--a|", out: "--p|",
        values: ["a": [1, 2], "p": ["loaded": [1, 2]]]),
      .marbles(
        "a failed state", #"{"toLoadingState": {}}"#, in: "--#", out: "--(q|)",
        values: ["q": ["failed": "error"]]),
    ])
}
