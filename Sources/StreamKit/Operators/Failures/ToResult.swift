internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each value as a success and a failure as a failed result, then finishes.
  ///
  /// A value becomes `{"success": value}`, a failure `{"failure": error}`: the error is the value that the file gave,
  /// or else an object with `code` and `message`.
  ///
  /// - SeeAlso: `materialize`, which publishes the finish as a value, too.
  public struct ToResult: OperatorDefinition {
    public init() {}
  }
}

extension Operator.ToResult {
  public var handlesFailures: Bool { true }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .map(.string, .dyn)
    return OutcomeMachine(value: "success", error: "failure")
  }

  public static let spec = OperatorSpec(
    "toResult", "Publishes each value as a success and a failure as a failed result, then finishes.",
    examples: [
      .marbles(
        "two successes", #"{"toResult": {}}"#, in: "-a-b-|", out: "-p-q-|",
        values: ["p": ["success": "a"], "q": ["success": "b"]]),
      .marbles(
        "a success and a failure", #"{"toResult": {}}"#, in: "-a-#", out: "-p-(q|)",
        values: ["p": ["success": "a"], "q": ["failure": "error"]]),
    ])
}
