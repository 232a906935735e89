extension OperatorSpec {
  /// The values that an operator or a source keeps, besides counters and the state of its inner streams.
  public enum Memory: Hashable, Sendable {
    /// No values.
    case nothing
    /// A constant number of values.
    case constant(String)
    /// Values up to the bound of a field: of the first one that is set, or else of the last one.
    case bounded(String, fields: [String])
    /// Values whose size depends on the data and an expression.
    case growing(String)

    static func bounded(_ what: String, by fields: String...) -> Memory { .bounded(what, fields: fields) }

    /// The values in words.
    public var what: String {
      switch self {
      case .nothing: "no values"
      case .constant(let what), .bounded(let what, _), .growing(let what): what
      }
    }

    /// The values and their bound in words; nil for no values.
    public var text: String? {
      switch self {
      case .nothing: nil
      case .constant(let what), .growing(let what): what
      case .bounded(let what, let fields):
        "\(what), bounded by \(fields.map { "`\($0)`" }.joined(separator: ", else by "))"
      }
    }
  }
}
