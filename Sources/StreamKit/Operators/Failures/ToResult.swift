internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes each value as a success, and a failure as a value before it finishes.
  ///
  /// A value becomes `{"success": value}`, a failure `{"failure": error}`: the error as the file wrote it, else an object
  /// of `code` and `message`.
  ///
  /// - SeeAlso: `materialize`, which tells of the finish, too.
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
    "toResult", "Publishes each value as a success, and a failure as a value before it finishes.",
    examples: [
      .marbles(
        "two successes", #"{"toResult": {}}"#, in: "-a-b-|", out: "-p-q-|",
        values: ["p": ["success": "a"], "q": ["success": "b"]]),
      .marbles(
        "a success and a failure", #"{"toResult": {}}"#, in: "-a-#", out: "-p-(q|)",
        values: ["p": ["success": "a"], "q": ["failure": "error"]]),
    ])
}
