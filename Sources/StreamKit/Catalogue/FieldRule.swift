internal import StreamCore

extension OperatorSpec {
  /// A rule for several fields of an operator or a source, or for one field beyond its kind. The reader checks it, and
  /// the schema includes it.
  public enum Rule: Sendable {
    /// Exactly one of these fields.
    case one([String])
    /// At most one of these fields.
    case atMostOne([String])
    /// At least one of these fields.
    case atLeastOne([String])
    /// All of these fields, or none.
    case together([String])
    /// The first field requires one of the others.
    case needs(String, [String])
    /// The field has no effect if another one is one of these words.
    case silent(String, where: String, is: [String])
    /// The number is greater than this bound.
    case above(String, Double)
    /// The number is at least this bound.
    case atLeast(String, Double)
    /// The integer is not this one.
    case not(String, Int64)
    /// The number of elements in the array is in this range.
    case count(String, ClosedRange<Int>)

    /// The diagnostic for fields that break the rule; nil if they do not.
    func problem(in fields: ValueMap, of name: String) -> Diagnostic? {
      switch self {
      case .one(let names): Self.missing(names, in: fields, of: name) ?? Self.conflict(names, in: fields, of: name)
      case .atLeastOne(let names): Self.missing(names, in: fields, of: name)
      case .atMostOne(let names): Self.conflict(names, in: fields, of: name)
      case .together(let names): Self.parted(names, in: fields)
      case .needs(let field, let others): Self.alone(field, others, in: fields)
      case .silent(let field, let other, let words): Self.silenced(field, other, words, in: fields)
      case .above(let field, let bound): Self.tooSmall(field, in: fields, "more than \(bound.shortText)") { $0 > bound }
      case .atLeast(let field, let bound):
        Self.tooSmall(field, in: fields, "\(bound.shortText) or more") { $0 >= bound }
      case .not(let field, let number):
        fields[field] == .int(number)
          ? Diagnostic(
            .outOfRange, "'\(field)' is \(number); expected any other integer", at: JSONPointer([field])) : nil
      case .count(let field, let range): Self.miscounted(field, range, in: fields)
      }
    }

    private static func missing(_ names: [String], in fields: ValueMap, of owner: String) -> Diagnostic? {
      guard names.allSatisfy({ fields[$0] == nil }) else { return nil }
      return Diagnostic(.missingField, "'\(owner)' needs \(quoted(names))")
    }

    private static func conflict(_ names: [String], in fields: ValueMap, of owner: String) -> Diagnostic? {
      let given = names.filter { fields[$0] != nil }
      guard given.count > 1 else { return nil }
      return Diagnostic(
        .conflictingFields, "'\(owner)' has \(quoted(names)), not \(names.count > 2 ? "two of them" : "both")",
        at: JSONPointer([given[1]]), part: .key, help: "remove one of them")
    }

    private static func parted(_ names: [String], in fields: ValueMap) -> Diagnostic? {
      let given = names.filter { fields[$0] != nil }
      guard !given.isEmpty, given.count < names.count else { return nil }
      let all = names.map { "'\($0)'" }.joined(separator: " and ")
      return Diagnostic(.missingField, "\(all) go together; one of them is missing")
    }

    private static func alone(_ field: String, _ others: [String], in fields: ValueMap) -> Diagnostic? {
      guard fields[field] != nil, others.allSatisfy({ fields[$0] == nil }) else { return nil }
      return Diagnostic(
        .conflictingFields, "'\(field)' requires \(quoted(others)), which is missing", at: JSONPointer([field]),
        part: .key)
    }

    private static func silenced(
      _ field: String, _ other: String, _ words: [String], in fields: ValueMap
    ) -> Diagnostic? {
      guard fields[field] != nil, let word = fields[other]?.text, words.contains(word) else { return nil }
      return Diagnostic(
        .conflictingFields, "'\(field)' has no effect if '\(other)' is \"\(word)\"", at: JSONPointer([field]),
        part: .key, help: "remove one of them")
    }

    private static func tooSmall(
      _ field: String, in fields: ValueMap, _ expected: String, _ isEnough: (Double) -> Bool
    ) -> Diagnostic? {
      let number: Double
      switch fields[field] {
      case .int(let whole)?: number = Double(whole)
      case .double(let fractional)?: number = fractional
      default: return nil
      }
      guard !isEnough(number) else { return nil }
      return Diagnostic(
        .outOfRange, "'\(field)' is \(number.shortText); expected \(expected)", at: JSONPointer([field]))
    }

    private static func miscounted(_ field: String, _ range: ClosedRange<Int>, in fields: ValueMap) -> Diagnostic? {
      guard case .list(let elements)? = fields[field], !range.contains(elements.count) else { return nil }
      let expected = range.count == 1 ? "one" : "one stream or more"
      let found = elements.isEmpty ? "is empty" : "has \(elements.count) streams"
      return Diagnostic(
        .outOfRange, "'\(field)' \(found); expected \(expected)", at: JSONPointer([field]),
        help: elements.isEmpty ? "list the other streams by name" : nil)
    }

    private static func quoted(_ names: [String]) -> String {
      names.map { "'\($0)'" }.joined(separator: " or ")
    }
  }
}
