public import StreamCore
internal import StreamRuntime

extension Source {
  /// Publishes what the host feeds to an input of this file.
  ///
  /// With an initial value the input is a current-value subject: the newest value comes first. Without it, a
  /// passthrough subject. A value that nobody has asked for waits in the input's `buffer` or is lost.
  public struct Input: SourceDefinition {
    /// The name, as declared under `inputs`.
    public var name: String

    public init(name: String) {
      self.name = name
    }
  }
}

extension Source.Input {
  public func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    context.input(named: name, field: "name")
  }

  public static let spec = OperatorSpec(
    "input", "Publishes what the host feeds to an input of this file.",
    fields: [.required("name", .string, "The name, as declared under `inputs`.")],
    examples: [
      .joins("what the host sends", #"{"input": {"name": "a"}}"#, in: ["-a-b|"], out: "-a-b|"),
      .rejects("an input that nobody declared", #"{"input": {"name": "x"}}"#, .unknownInput, at: "/input/name"),
    ])
}
