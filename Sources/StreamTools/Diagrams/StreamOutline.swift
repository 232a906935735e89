public import StreamCore
public import StreamKit

/// What a stream is made of, in the order in which values pass: what pictures and explanations of it walk through.
public struct StreamOutline: Sendable {
  /// The name, if it is one of the named streams; of one in another file, the path from the first one.
  public let name: String?
  /// Where its model stands in the file; of one in another file, where that is named.
  public let pointer: JSONPointer
  /// Of the first file: the streams of other files, each behind those that it refers to.
  public internal(set) var files: [StreamOutline] = []
  /// The inputs that it declares itself.
  public let inputs: [Input]
  /// The named streams that it declares itself.
  public let streams: [StreamOutline]
  /// The source, then the operators.
  public let steps: [Step]

  /// An input that is declared.
  public struct Input: Sendable {
    public let name: String
    /// The declared type, `dyn` where there is none.
    public let type: String
    public let initialValue: Value?
    /// What waits while nobody has asked for it.
    public let buffer: InputBuffer?
  }

  /// A source or an operator.
  public struct Step: Sendable {
    public enum Kind: Hashable, Sendable {
      /// An input of this name.
      case input
      /// The named stream, else the input, of this name.
      case reference
      /// The stream of the file of this name.
      case file
      case source
      case `operator`
      /// What the operator around feeds to its inner stream.
      case fed
    }

    public let kind: Kind
    /// The operator's or the source's name; of an input, a named stream or a file its own.
    public let name: String
    /// What its fields say, on one line: expressions as they are, others with their names.
    public let detail: String
    /// What people call it.
    public let label: String?
    public let pointer: JSONPointer
    /// The streams that it takes beside the one before it.
    public let branches: [Branch]
    /// The fields, for words about them.
    let definition: (any FieldsDefinition)?
    let fields: Value
  }

  /// A stream that a step takes.
  public struct Branch: Sendable {
    public enum Relation: Hashable, Sendable {
      /// Subscribed to once, beside the upstream.
      case joined
      /// Started anew for values.
      case started
      /// Fed by the step itself.
      case fed
      /// One part of a list of items.
      case part
    }

    public enum Content: Sendable {
      /// A named stream, else an input.
      case name(String)
      case outline(StreamOutline)
    }

    public let relation: Relation
    /// The field that it stands in, as in `with/0`.
    public let field: String
    public let content: Content
  }
}
