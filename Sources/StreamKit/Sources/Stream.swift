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
    /// For inputs of the file, the stream or input of this file that feeds each: an object of names.
    public var inputs: [String: String]?
    /// Values for parameters of the file, by name.
    public var parameters: Value?

    public init(
      name: String? = nil, file: String? = nil, output: String? = nil, inputs: [String: String]? = nil,
      parameters: Value? = nil
    ) {
      self.name = name
      self.file = file
      self.output = output
      self.inputs = inputs
      self.parameters = parameters
    }
  }
}

extension Source.Stream {
  public func validate() throws(Diagnostic) { try FilePath.check(file, field: "file") }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    if let file {
      var use = FileUse(inputs: inputs ?? [:])
      if case .map(let values)? = parameters { use.parameters = values }
      return try context.file(file, output: output, field: "file", use: use)
    }
    return context.stream(named: name ?? "", field: "name")
  }

  public static let spec = OperatorSpec(
    "stream", "Publishes another stream of this file, or the stream of another file.",
    fields: [
      .optional("name", .string, "Name of a stream of this file, or else of an input."),
      .optional("file", .string, "Path of a stream file, relative to this file."),
      .optional("output", .string, "Name of an output of the file, which is required if the file has named outputs."),
      .optional(
        "inputs", .object,
        "For inputs of the file, the stream or input of this file that feeds each: an object of names."
      ),
      .optional("parameters", .object, "Values for parameters of the file, by name."),
    ],
    rules: [
      .one(["name", "file"]), .needs("output", ["file"]), .needs("inputs", ["file"]), .needs("parameters", ["file"]),
    ],
    examples: [
      .joins("an input", #"{"stream": {"name": "a"}}"#, in: ["-a-b|"], out: "-a-b|"),
      .rejects("an unknown stream", #"{"stream": {"name": "x"}}"#, .unknownStream, at: "/stream/name"),
      .rejects("neither a name nor a file", #"{"stream": {}}"#, .missingField, at: "/stream"),
      .rejects(
        "an output without a file", #"{"stream": {"name": "a", "output": "x"}}"#, .conflictingFields,
        at: "/stream/output"),
    ])
}
