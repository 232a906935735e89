public import StreamCore
package import StreamEngine

extension Operator {
  /// An operator defined by the host, which registers it with `StreamHost`. Its name contains a dot, as in `acme.smooth`.
  ///
  /// The fields are kept as JSON. They are read when the stream is compiled for a host that knows the operator.
  public struct Custom: NodeDefinition, SourceDefinition {
    public var name: String
    public var fields: Value

    public init(name: String, fields: Value) {
      self.name = name
      self.fields = fields
    }

    /// Whether hosts may use this name.
    static func isName(_ name: String) -> Bool {
      name.contains(".") && !name.hasPrefix(".") && !name.hasSuffix(".")
    }
  }
}

extension Operator.Custom {
  public init(from decoder: any Decoder) throws {
    name = ""
    fields = try Value(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try fields.encode(to: encoder)
  }

  public static let spec = OperatorSpec("custom", "Runs an operator that the host defines.", examples: [])

  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    throw Diagnostics([StreamHost.notRegistered("operator", name, known: [], at: JSONPointer(), part: .key)])
  }

  package func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream {
    preconditionFailure("a source is compiled after its parameters have values")
  }

  /// The definition that the host has registered for the name.
  func resolved(for host: StreamHost) throws(Diagnostics) -> any OperatorFields {
    guard let entry = host.operators[name] else {
      throw Diagnostics([
        StreamHost.notRegistered("operator", name, known: host.operators.keys.sorted(), at: JSONPointer(), part: .key)
      ])
    }
    return try entry.read(fields)
  }
}

/// A registered operator of a host.
struct CustomOperatorEntry: Sendable {
  let spec: OperatorSpec
  let read: @Sendable (Value) throws(Diagnostics) -> any OperatorFields

  init(_ type: any OperatorFields.Type) { self = Self.make(type) }

  private init(_ spec: OperatorSpec, _ read: @escaping @Sendable (Value) throws(Diagnostics) -> any OperatorFields) {
    self.spec = spec
    self.read = read
  }

  private static func make<Fields: OperatorFields>(_ type: Fields.Type) -> CustomOperatorEntry {
    CustomOperatorEntry(Fields.spec) { value throws(Diagnostics) in try Fields.read(value) }
  }
}
