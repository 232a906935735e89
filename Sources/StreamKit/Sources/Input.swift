package import StreamCore

extension Source {
  /// Publishes the values that the host sends to an input of this file.
  ///
  /// With an initial value the input is a current-value subject, which publishes the newest value first; without one it
  /// is a passthrough subject. A value without demand waits in the input's `buffer`.
  public struct Input: SourceDefinition {
    /// Name of the input in `inputs`.
    public var name: String
    /// Whether it publishes the values that arrive too late, instead of the others. The `time` of the input has
    /// `"late": "output"`. Default `false`.
    public var late: Bool?

    public init(name: String, late: Bool? = nil) {
      self.name = name
      self.late = late
    }
  }
}

extension Source.Input {
  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    late == true
      ? context.lateValues(ofInput: name, nameField: "name", field: "late") : context.input(named: name, field: "name")
  }

  public static let spec = OperatorSpec(
    "input", "Publishes the values that the host sends to an input of this file.",
    fields: [
      .required("name", .string, "Name of the input in `inputs`."),
      .optional(
        "late", .bool,
        "Whether it publishes the values that arrive too late, instead of the others. The `time` of the input has "
          + "`\"late\": \"output\"`.", default: .of(false)),
    ],
    examples: [
      .joins("values of the host", #"{"input": {"name": "a"}}"#, in: ["-a-b|"], out: "-a-b|"),
      .rejects("an undeclared input", #"{"input": {"name": "x"}}"#, .unknownInput, at: "/input/name"),
      .rejects(
        "late values of an input without a clock", #"{"input": {"name": "a", "late": true}}"#, .conflictingFields,
        at: "/input/late"),
    ])
}
