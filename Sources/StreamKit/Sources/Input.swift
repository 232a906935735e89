package import StreamCore

extension Source {
  /// Publishes the values that the host sends to an input of this file.
  ///
  /// With an initial value the input is a current-value subject, which publishes the newest value first; without one it
  /// is a passthrough subject. A value without demand waits in the input's `buffer`.
  public struct Input: SourceDefinition {
    /// Name of the input in `inputs`.
    public var name: String

    public init(name: String) {
      self.name = name
    }
  }
}

extension Source.Input {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.input(named: name, field: "name")
  }

  public static let spec = OperatorSpec(
    "input", "Publishes the values that the host sends to an input of this file.",
    fields: [.required("name", .string, "Name of the input in `inputs`.")],
    examples: [
      .joins("values of the host", #"{"input": {"name": "a"}}"#, in: ["-a-b|"], out: "-a-b|"),
      .rejects("an undeclared input", #"{"input": {"name": "x"}}"#, .unknownInput, at: "/input/name"),
    ])
}
