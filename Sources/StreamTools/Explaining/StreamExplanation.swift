public import CEL
public import StreamCore
public import StreamKit

/// What a stream does, operator by operator, in words; with types, memory, cost and the compiled plan.
public struct StreamExplanation: Sendable {
  /// Files that are referred to, inputs, named streams, sources and operators, each before what belongs to it, which is a level deeper.
  public let parts: [Part]
  /// What runs.
  public let plan: PlanExplanation

  /// One of them.
  public struct Part: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case file, input, stream, source, `operator`
      /// A stream that stands in a field of an operator.
      case field
    }

    public let kind: Kind
    /// Levels below the whole file.
    public let depth: Int
    public let name: String
    /// What people call it.
    public let label: String?
    /// Where it stands in the file; of what stands in another, from where that is named.
    public let pointer: JSONPointer
    /// What it does, in sentences.
    public let text: String
    /// The type of what comes in, of an operator.
    public let input: CELType?
    /// The type of what it publishes, where that is told of it.
    public let output: CELType?
    /// What it keeps between values; nil for what is neither source nor operator.
    public let memory: Memory?
    public let expressions: [CostedExpression]
  }

  /// What is kept, and what bounds it.
  public struct Memory: Hashable, Sendable {
    public let what: String
    /// The most that is kept, where a field says it; nil where nothing is kept or it is a known number.
    public let bound: Int?
    /// The field that says so.
    public let field: String?
    /// Whether it grows with the data as an expression makes it.
    public let isGrowing: Bool
  }

  /// An expression of a field, and what an evaluation takes.
  public struct CostedExpression: Sendable {
    public let field: String
    public let text: String
    public let type: CELType
    public let cost: Cost
  }

  /// Explains a file's stream.
  ///
  /// - Throws: all that is wrong with the stream.
  public init(_ stream: StreamFile, options: CompileOptions = CompileOptions()) throws(Diagnostics) {
    let record = CompileRecord()
    let pipeline = try Compiler.compile(
      stream.model, document: stream.document, identity: stream.identity, options: options, record: record)
    var writer = ExplanationBuilder(record)
    writer.add(StreamOutline(stream, options: options, origins: record.files), depth: 0)
    parts = writer.parts
    plan = PlanExplanation(pipeline)
  }
}
