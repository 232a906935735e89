import StreamCore
import StreamTools
import Testing

@testable import CEL

/// Rewrites the vectors' expressions: their parameters have other names in ours.
enum FunctionText {
  /// The expression with every name of the table replaced by its entry. Names after a dot are members
  /// and stay; the replacements are put in at once, so that names may change places.
  static func replacing(_ names: [String: String], in text: String) throws(Unsayable) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var position = 0
    var isMember = false
    for token in try tokens(of: bytes) {
      if token.kind == .identifier, !isMember, let other = names[word(token, bytes)] {
        result += bytes[position..<token.range.lowerBound]
        result += Array(other.utf8)
        position = token.range.upperBound
      }
      isMember = token.kind == .dot
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }

  /// The names in an expression that are not members.
  static func names(in text: String) throws(Unsayable) -> Set<String> {
    let bytes = Array(text.utf8)
    var names: Set<String> = []
    var isMember = false
    for token in try tokens(of: bytes) {
      if token.kind == .identifier, !isMember { names.insert(word(token, bytes)) }
      isMember = token.kind == .dot
    }
    return names
  }

  /// The integers in an expression, each once.
  static func integers(in text: String) throws(Unsayable) -> [Int64] {
    let bytes = Array(text.utf8)
    var found: [Int64] = []
    for token in try tokens(of: bytes) where token.kind == .integer {
      if let number = Int64(word(token, bytes)), !found.contains(number) { found.append(number) }
    }
    return found
  }

  /// The value of an expression without variables.
  static func constant(_ text: String) throws(Unsayable) -> Value {
    do {
      return try CELExpression(text).plan(in: ExpressionEnvironment()).evaluate(Activation(slotCount: 0))
    } catch {
      throw Unsayable("the expression '\(text)' gives no value by itself: \(error)")
    }
  }

  /// A value as an expression writes it.
  static func literal(_ value: Value) -> String {
    switch value {
    case .double(let number) where number.isFinite:
      let text = number.description
      return text.contains(where: { $0 == "." || $0 == "e" }) ? text : text + ".0"
    case .double(let number): return "double(\"\(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity")\")"
    case .list(let elements): return "[\(elements.map(literal).joined(separator: ", "))]"
    case .map(let map):
      return "{\(map.pairs.map { "\(literal($0)): \(literal($1))" }.joined(separator: ", "))}"
    // JSON's texts and numbers are CEL's.
    default: return JSONWriter.compact(value)
    }
  }

  private static func tokens(of bytes: [UInt8]) throws(Unsayable) -> [Token] {
    do throws(Diagnostic) {
      return try Lexer.tokens(of: bytes)
    } catch {
      throw Unsayable("the expression cannot be parsed: \(error.message)")
    }
  }

  private static func word(_ token: Token, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }
}
