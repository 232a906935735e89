/// What an operator or a source keeps between values, beside numbers of its own and what its inner streams keep.
public enum OperatorMemory: Hashable, Sendable {
  /// No values.
  case nothing
  /// A known number of values.
  case constant(String)
  /// Values up to what a field says; of several fields the first that is set, else the last.
  case bounded(String, fields: [String])
  /// What grows with the data as an expression makes it.
  case growing(String)

  static func bounded(_ what: String, by fields: String...) -> OperatorMemory { .bounded(what, fields: fields) }

  /// What is kept, in words.
  public var what: String {
    switch self {
    case .nothing: "no values"
    case .constant(let what), .bounded(let what, _), .growing(let what): what
    }
  }
}
