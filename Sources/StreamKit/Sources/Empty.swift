package import StreamCore

extension Source {
  /// Finishes at once without a value.
  public struct Empty: SourceDefinition {
    public init() {}
  }
}

extension Source.Empty {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.machine(SequenceMachine([]), name: "empty")
  }

  public static let spec = OperatorSpec(
    "empty", "Finishes at once without a value.",
    examples: [.publishes("a finish", #"{"empty": {}}"#, out: "|")])
}
