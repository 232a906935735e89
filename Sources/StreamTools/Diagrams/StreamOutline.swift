public import StreamCore
public import StreamKit

/// The parts of a stream in the order in which values pass them, for pictures and explanations.
public struct StreamOutline: Sendable {
  /// The name of a named stream; for a stream in another file, the path from the main file.
  public let name: String?
  /// Location of the model in the file; for a model in another file, the location of the reference.
  public let pointer: JSONPointer
  /// For the main file, the streams of other files, each after those it refers to.
  public internal(set) var files: [StreamOutline] = []
  /// The inputs declared in this model.
  public internal(set) var inputs: [Input]
  /// The streams or inputs around that feed inputs of another file, by the name of the input.
  private(set) var bindings: [String: String] = [:]
  /// The named streams declared in this model.
  public let streams: [StreamOutline]
  /// The source, followed by the operators; none in a file with outputs.
  public let steps: [Step]
  /// The named outputs.
  public let outputs: [Output]

  /// Feeds inputs by streams or inputs around.
  mutating func bind(_ bindings: [String: String]) {
    self.bindings = bindings
    inputs.removeAll { bindings[$0.name] != nil }
  }

  /// A named output of a file.
  public struct Output: Sendable {
    public let name: String
    /// The purpose of the output.
    public let description: String?
    public let pointer: JSONPointer
    /// The stream of the output, which may be a reference alone.
    public let stream: StreamOutline
  }

  /// A declared input.
  public struct Input: Sendable {
    public let name: String
    /// The declared type, or `dyn`.
    public let type: String
    public let initialValue: Value?
    /// The buffer for values without demand.
    public let buffer: InputDeclaration.Buffer?
    /// When the values happened, if the input has a clock.
    public let time: InputDeclaration.EventTime?
  }

  /// A source or an operator.
  public struct Step: Sendable {
    public enum Kind: Hashable, Sendable {
      /// An input with this name.
      case input
      /// A reference to a named stream, or to an input.
      case reference
      /// A reference to the stream of a file.
      case file
      case source
      case `operator`
      /// The source of an inner stream, fed by the enclosing operator.
      case fed
    }

    public let kind: Kind
    /// The name of the operator or source; for an input, a named stream or a file, its own name.
    public let name: String
    /// A one-line summary of its fields: expressions unchanged, other fields with their names.
    public let detail: String
    /// The label for people.
    public let label: String?
    public let pointer: JSONPointer
    /// The streams that it uses beside its upstream.
    public let branches: [Branch]
    /// The fields, for words about them.
    let definition: (any FieldsDefinition)?
    /// With the values of parameters that are known.
    let fields: Value
    /// The parameters whose values fields have, by field.
    var references: [String: String] = [:]
    /// A description in a sentence; nil if the documentation of the operator has one.
    var summary: String?

    /// Whether the step is an `apply` whose operators are known.
    var isApplied: Bool { branches.contains { $0.relation == .applied } }
  }

  /// A stream that a step uses.
  public struct Branch: Sendable {
    public enum Relation: Hashable, Sendable {
      /// Subscribed to once, together with the upstream.
      case joined
      /// Started for values.
      case started
      /// Fed by the step.
      case fed
      /// An item in an array of items.
      case part
      /// The operators that `apply` stands for, which follow the upstream.
      case applied
    }

    public enum Content: Sendable {
      /// The name of a stream, or of an input.
      case name(String)
      case outline(StreamOutline)
    }

    public let relation: Relation
    /// The field that refers to it, such as `with/0`.
    public let field: String
    public let content: Content
  }
}
