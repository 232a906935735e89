internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Leaves out all values; only the end comes out.
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

  /// Everything has been asked for already.
  mutating func request(_ demand: Demand, _ effects: Effects) {}
}

extension Operator.IgnoreOutput {
  public static let spec = OperatorSpec(
    "ignoreOutput", "Leaves out all values; only the end comes out.",
    examples: [
      .marbles("the end", #"{"ignoreOutput": {}}"#, in: "-a-b|", out: "----|"),
      .marbles("a failure", #"{"ignoreOutput": {}}"#, in: "-a-#", out: "---#"),
    ])
}
