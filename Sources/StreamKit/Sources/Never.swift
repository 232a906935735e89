package import StreamCore
internal import StreamEngine

extension Source {
  /// Publishes nothing and never ends.
  public struct Never: SourceDefinition {
    public init() {}
  }
}

extension Source.Never {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(SilentMachine(), name: "never")
  }
}

private struct SilentMachine: Machine {
  mutating func start(_ effects: Effects) {}
  mutating func request(_ demand: Demand, _ effects: Effects) {}
}

extension Source.Never {
  public static let spec = OperatorSpec(
    "never", "Publishes nothing and never ends.",
    examples: [.publishes("silence", #"{"never": {}}"#, out: "----")])
}
