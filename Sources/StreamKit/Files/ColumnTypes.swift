package import CEL
internal import StreamCore

/// The types of the columns of tables for inputs without a declared type.
package enum ColumnTypes: Hashable, Sendable {
  /// Every field is a string.
  case strings
  /// These columns have types; the fields of others are strings.
  case declared(CELType)
  /// A field is a number or a Boolean if it is written as in JSON, null if it is empty, and else a string.
  case inferred

  /// The word for `inferred`.
  private static let word = "infer"

  /// Reads the types: `ms:int,price:double?`, the JSON of an object type, or `infer`.
  ///
  /// - Parameter name: The name of the option in errors.
  package init(_ text: String, named name: String) throws(Diagnostic) {
    if text == Self.word {
      self = .inferred
      return
    }
    let help = "write \(name) 'ms:int,price:double?', or \(name) \(Self.word)"
    do throws(Diagnostic) {
      let type = try CELType(TypeDeclaration(json: try Self.json(of: text, help)))
      guard case .record = type else {
        throw Diagnostic(.invalidType, "the columns have the type \(type); expected the names of columns", help: help)
      }
      self = .declared(type)
    } catch {
      throw Diagnostic(error.code, "\(name): \(error.message)", help: error.help ?? help)
    }
  }

  private static func json(of text: String, _ help: String) throws(Diagnostic) -> Value {
    if text.utf8.first == UInt8(ascii: "{") {
      do throws(Diagnostics) {
        return try JSONDocument(reading: text, file: "").value
      } catch {
        throw Diagnostic(.syntax, error.all.first?.message ?? "the text is no JSON", help: help)
      }
    }
    var columns: [(Value, Value)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let colon = part.lastIndex(of: ":"), colon != part.startIndex else {
        throw Diagnostic(.outOfRange, "'\(part)' has no type; expected NAME:TYPE", help: help)
      }
      let (column, type) = (part[..<colon].trimmed, part[part.index(after: colon)...].trimmed)
      guard !columns.contains(where: { $0.0.text == column }) else {
        throw Diagnostic(.duplicateName, "the column '\(column)' has two types", help: "remove one of them")
      }
      columns.append((.string(column), .string(type)))
    }
    return .map(ValueMap(columns))
  }

  /// The type of rows.
  var rowType: CELType { if case .declared(let type) = self { type } else { .dyn } }
}

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
