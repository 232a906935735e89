internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Negates each Boolean.
  ///
  /// - Failure: `wrongResult` for a value that is not a Boolean.
  public struct Toggle: OperatorDefinition {
    public init() {}
  }
}

extension Operator.Toggle {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    try context.requireInput("true or false") { $0 == .bool }
    context.outputType = .bool
    return ToggleMachine()
  }
}

private struct ToggleMachine: Machine {
  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    guard case .bool(let truth) = value else {
      throw StreamFailure(.wrongResult, "'toggle' needs true or false; found \(value.describedType)", value: value)
    }
    effects.publish(.bool(!truth))
  }
}

extension Operator.Toggle {
  public static let spec = OperatorSpec(
    "toggle", "Negates each Boolean.",
    examples: [
      .marbles(
        "Booleans", #"{"toggle": {}}"#, in: "-t-f|", out: "-f-t|", values: ["t": true, "f": false]),
      .marbles(
        "a number", #"{"toggle": {}}"#, in: "-t-n|", out: "-f-#",
        values: [
          "t": true, "f": false, "n": 1,
        ]),
    ])
}
