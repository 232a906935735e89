internal import StreamCore

/// What the fields of an operator or a source say together, as data: the reader refuses what breaks a rule, and the
/// schema is made from the same.
public enum FieldRule: Sendable {
  /// One of these fields, and no second.
  case one([String])
  /// One of these fields, or none.
  case atMostOne([String])
  /// One of these fields, or more.
  case atLeastOne([String])
  /// All of these fields, or none.
  case together([String])
  /// The field goes with one of these others.
  case needs(String, [String])
  /// The field says nothing where another one is one of these words.
  case silent(String, where: String, is: [String])
  /// The number is greater than this.
  case above(String, Double)
  /// The number is this or more.
  case atLeast(String, Double)
  /// The integer is any but this.
  case not(String, Int64)
  /// The list has so many elements.
  case count(String, ClosedRange<Int>)

  /// What in these fields breaks the rule, if anything.
  func problem(in fields: ValueMap, of name: String) -> Diagnostic? {
    switch self {
    case .one(let names): Self.missing(names, in: fields, of: name) ?? Self.conflict(names, in: fields, of: name)
    case .atLeastOne(let names): Self.missing(names, in: fields, of: name)
    case .atMostOne(let names): Self.conflict(names, in: fields, of: name)
    case .together(let names): Self.parted(names, in: fields)
    case .needs(let field, let others): Self.alone(field, others, in: fields)
    case .silent(let field, let other, let words): Self.silenced(field, other, words, in: fields)
    case .above(let field, let bound): Self.tooSmall(field, in: fields, "more than \(bound.shortText)") { $0 > bound }
    case .atLeast(let field, let bound): Self.tooSmall(field, in: fields, "\(bound.shortText) or more") { $0 >= bound }
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
      at: JSONPointer([given[1]]), part: .key, help: "take one of them away")
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
      .conflictingFields, "'\(field)' goes with \(quoted(others)), which is missing", at: JSONPointer([field]),
      part: .key)
  }

  private static func silenced(
    _ field: String, _ other: String, _ words: [String], in fields: ValueMap
  ) -> Diagnostic? {
    guard fields[field] != nil, let word = fields[other]?.text, words.contains(word) else { return nil }
    return Diagnostic(
      .conflictingFields, "'\(field)' says nothing where '\(other)' is \"\(word)\"", at: JSONPointer([field]),
      part: .key, help: "leave one of them out")
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
      help: elements.isEmpty ? "name the streams to take" : nil)
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: " or ")
  }
}
