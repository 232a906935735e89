public import CEL
public import StreamCore
public import StreamKit

/// A description of each operator of a stream, with types, memory and cost, and of the compiled plan.
public struct StreamExplanation: Sendable {
  /// Files, inputs, named streams, sources and operators, each before its parts, which are a level deeper.
  public let parts: [Part]
  /// The compiled plan.
  public let plan: PlanExplanation

  /// A part of a stream.
  public struct Part: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case file, input, stream, output, source, `operator`
      /// An inline stream in a field of an operator.
      case field
    }

    public let kind: Kind
    /// Number of levels below the whole file.
    public let depth: Int
    public let name: String
    /// The label for people.
    public let label: String?
    /// Location in the file; for a part of another file, relative to the reference.
    public let pointer: JSONPointer
    /// A description in sentences.
    public let text: String
    /// The type of an operator's input.
    public let input: CELType?
    /// The type of the published values, if known.
    public let output: CELType?
    /// The state kept between values; nil for a part that is neither source nor operator.
    public let memory: Memory?
    public let expressions: [CostedExpression]
  }

  /// A description of an operator's state and its bound.
  public struct Memory: Hashable, Sendable {
    public let what: String
    /// Maximum size, if a field determines it; nil if there is no state or its size is fixed.
    public let bound: Int?
    /// The field that determines the bound.
    public let field: String?
    /// Whether an expression determines how the state grows with the data.
    public let isGrowing: Bool
  }

  /// An expression in a field, and the cost of an evaluation.
  public struct CostedExpression: Sendable {
    public let field: String
    public let text: String
    public let type: CELType
    public let cost: Cost
  }

  /// Explains the stream of a file.
  ///
  /// - Throws: All errors in the stream.
  public init(_ stream: StreamFile, options: CompileOptions = CompileOptions()) throws(Diagnostics) {
    let record = CompileRecord()
    let pipeline = try Compiler.compile(
      stream.model, document: stream.document, identity: stream.identity, options: options, record: record)
    let outline = StreamOutline(stream, options: options, origins: record.files)
    var writer = ExplanationBuilder(record, of: outline)
    writer.add(outline, depth: 0)
    parts = writer.parts
    plan = PlanExplanation(pipeline)
  }
}
