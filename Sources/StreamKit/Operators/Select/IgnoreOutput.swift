public import StreamCore
public import StreamEngine

extension Operator {
  /// Drops all values and publishes only the completion.
  public struct IgnoreOutput: OperatorDefinition {
    public init() {}
  }
}

extension Operator.IgnoreOutput {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    IgnoreOutputMachine()
  }
}

private struct IgnoreOutputMachine: Machine {
  mutating func start(_ effects: Effects) { effects.subscribeToAll() }

  /// All values have been requested already.
  mutating func request(_ demand: Demand, _ effects: Effects) {}
}

extension Operator.IgnoreOutput {
  public static let spec = OperatorSpec(
    "ignoreOutput", "Drops all values and publishes only the completion.",
    examples: [
      .marbles("a finish", #"{"ignoreOutput": {}}"#, in: "-a-b|", out: "----|"),
      .marbles("a failure", #"{"ignoreOutput": {}}"#, in: "-a-#", out: "---#"),
    ])
}
