public import StreamCore

extension Source {
  /// Publishes another stream of this file, or the stream of another file.
  ///
  /// Each use is a subscription of its own, as in Combine.
  public struct Stream: SourceDefinition {
    /// Name of a stream of this file, or else of an input.
    public var name: String?
    /// Path of a stream file, relative to this file.
    public var file: String?
    /// Name of an output of the file, which is required if the file has named outputs.
    public var output: String?

    public init(name: String? = nil, file: String? = nil, output: String? = nil) {
      self.name = name
      self.file = file
      self.output = output
    }
  }
}

extension Source.Stream {
  public func validate() throws(Diagnostic) { try FilePath.check(file, field: "file") }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    if let file { return try context.file(file, output: output, field: "file") }
    return context.stream(named: name ?? "", field: "name")
  }

  public static let spec = OperatorSpec(
    "stream", "Publishes another stream of this file, or the stream of another file.",
    fields: [
      .optional("name", .string, "Name of a stream of this file, or else of an input."),
      .optional("file", .string, "Path of a stream file, relative to this file."),
      .optional("output", .string, "Name of an output of the file, which is required if the file has named outputs."),
    ],
    rules: [.one(["name", "file"]), .needs("output", ["file"])],
    examples: [
      .joins("an input", #"{"stream": {"name": "a"}}"#, in: ["-a-b|"], out: "-a-b|"),
      .rejects("an unknown stream", #"{"stream": {"name": "x"}}"#, .unknownStream, at: "/stream/name"),
      .rejects("neither a name nor a file", #"{"stream": {}}"#, .missingField, at: "/stream"),
      .rejects(
        "an output without a file", #"{"stream": {"name": "a", "output": "x"}}"#, .conflictingFields,
        at: "/stream/output"),
    ])
}
