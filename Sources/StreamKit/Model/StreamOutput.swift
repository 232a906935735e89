internal import CEL
public import StreamCore

extension StreamModel {
  /// A named output of a file: a stream whose values leave the file under that name.
  ///
  /// ```swift
  /// let model = StreamModel(
  ///   inputs: ["readings": InputDeclaration()], streams: ["hot": hot],
  ///   outputs: ["alerts": "hot", "all": "readings"])
  /// ```
  ///
  /// All outputs of a file run in one execution. It publishes each value as an object with the output's name as its only
  /// member, in order of arrival. It fails when one of the outputs fails, and finishes when all have finished.
  public struct Output: StreamFilePart, ExpressibleByStringLiteral {
    /// The purpose of the output.
    public var description: String?
    /// The stream: the name of a stream or an input, or an inline model.
    public var stream: StreamReference
    /// The type of the values, for readers of the file. A stream whose values are known to have another type is an
    /// error (`S203`); values of unknown type are not checked.
    public var type: TypeDeclaration?
    /// Custom members, whose names begin with `x-`.
    public var extensions: ValueMap

    public init(
      _ stream: StreamReference, type: TypeDeclaration? = nil, description: String? = nil,
      extensions: ValueMap = ValueMap()
    ) {
      self.stream = stream
      self.type = type
      self.description = description
      self.extensions = extensions
    }

    public init(stringLiteral name: String) { self.init(.name(name)) }

    package static let keys = ["description", "stream", "type"]

    public init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

    /// The output as far as it can be read, and all errors in it.
    static func read(_ json: Value) -> (Output, Diagnostics) {
      var output = Output(.name(""))
      var reader = MemberReader(
        json, what: "an output", keys: keys, form: { "write {\"stream\": \(JSONWriter.beginning(of: $0, bytes: 60))}" },
        advice: { name, _ in
          ["source", "operators", "streams", "inputs"].contains(name)
            ? "write {\"stream\": {\"source\": …, \"operators\": […]}}" : nil
        })
      guard reader.isObject else { return (output, reader.diagnostics) }
      output.description = reader.string("description")
      if let value = reader.value("stream") {
        let (stream, problems) = StreamReference.read(value)
        output.stream = stream
        reader.append(problems, under: "stream")
      } else {
        reader.missing("stream", in: "an output", help: "add \"stream\": the name of a stream, or a stream in place")
      }
      output.type = reader.value("type").map(TypeDeclaration.init(json:))
      if let type = output.type {
        do throws(Diagnostic) {
          _ = try CELType(type)
        } catch {
          reader.append(error.prefixed(by: JSONPointer(["type"])))
        }
      }
      output.extensions = reader.extensions
      return (output, reader.diagnostics)
    }

    public var json: Value {
      var writer = MemberWriter()
      writer.add("description", description)
      writer.add("stream", stream.json)
      writer.add("type", type?.json)
      writer.add(extensions)
      return writer.value
    }
  }

  /// Creates a model with named outputs.
  public init(
    name: String? = nil, inputs: Members<InputDeclaration> = [:], streams: Members<StreamModel> = [:],
    outputs: Members<Output>, tests: [StreamTest] = []
  ) {
    self.init(name: name, inputs: inputs, streams: streams, source: .items([]), tests: tests)
    self.outputs = outputs
  }

  /// The names of the outputs in the order of the file; empty for a file with one unnamed output.
  package var outputNames: [String] { outputs.names }

  /// Reads `outputs`, which stand instead of a source and operators.
  static func readOutputs(_ reader: inout MemberReader) -> Members<Output> {
    for key in ["stream", "source", "operators"] where reader.has(key) {
      reader.append(
        Diagnostic(
          .conflictingFields, "a file has 'outputs' or '\(key)', not both", at: JSONPointer([key]), part: .key,
          help: "move '\(key)' into a stream of 'streams', and name it as the 'stream' of an output"))
    }
    if reader.has("partition") {
      reader.append(
        Diagnostic(
          .cannotPartition, "a file with 'outputs' cannot be partitioned", at: JSONPointer(["partition"]), part: .key,
          help: "remove 'partition', or the outputs"))
    }
    if case .map(let object)? = reader.value("outputs"), object.isEmpty {
      reader.append(
        Diagnostic(
          .missingField, "'outputs' is empty", at: JSONPointer(["outputs"]),
          help: "write {\"alerts\": {\"stream\": …}}, or remove 'outputs' and write 'source'"))
    }
    return reader.named("outputs", what: "an output", Output.read)
  }
}
