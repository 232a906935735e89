public import StreamCore

/// The reason why an evaluation failed.
public struct EvaluationError: Error, Sendable {
  private let fields: Fields

  /// The contents of an error, behind one reference, so that an error takes one word of each node's stack frame.
  private final class Fields: Sendable {
    let code: DiagnosticCode
    let message: String
    let range: Range<Int>
    let payload: Value?

    init(_ code: DiagnosticCode, _ message: String, _ range: Range<Int>, _ payload: Value?) {
      self.code = code
      self.message = message
      self.range = range
      self.payload = payload
    }
  }

  /// One of the S4xx codes.
  public var code: DiagnosticCode { fields.code }
  /// A description of the failure, in one sentence without a full stop.
  public var message: String { fields.message }
  /// Range in the expression, in UTF-8 bytes.
  public var range: Range<Int> { fields.range }
  /// The error value of a host function; nil for other errors.
  public var payload: Value? { fields.payload }

  public init(_ code: DiagnosticCode, _ message: String, range: Range<Int> = 0..<0, payload: Value? = nil) {
    fields = Fields(code, message, range, payload)
  }

  /// Returns the error located at `place`, unless it already has a range.
  func located(at place: Range<Int>) -> EvaluationError {
    range.isEmpty ? EvaluationError(code, message, range: place, payload: payload) : self
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "\(code.rawValue): \(message)" }
}

extension EvaluationError: Hashable {
  public static func == (lhs: EvaluationError, rhs: EvaluationError) -> Bool {
    lhs.fields === rhs.fields
      || (lhs.code == rhs.code && lhs.message == rhs.message && lhs.range == rhs.range && lhs.payload == rhs.payload)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(range)
    hasher.combine(payload)
  }
}

extension EvaluationError {
  static func overflow(_ what: String) -> EvaluationError {
    EvaluationError(.overflow, what)
  }

  static func noOverload(_ function: String, _ arguments: Value...) -> EvaluationError {
    let types = arguments.map(\.typeName).joined(separator: ", ")
    return EvaluationError(.noSuchOverload, "'\(function)' does not take (\(types))")
  }

  static func noSuchKey(_ key: Value) -> EvaluationError {
    EvaluationError(.noSuchKey, "there is no key \(key.shortText)")
  }

  static func conversion(_ value: Value, to type: String) -> EvaluationError {
    EvaluationError(
      .invalidConversion, "\(value.shortText) cannot be converted to \(type)\(expectedForm(of: value, type))")
  }

  /// The form of the strings that a type is converted from, as the end of a message.
  private static func expectedForm(of value: Value, _ type: String) -> String {
    guard case .string(let text) = value else { return "" }
    switch type {
    case "timestamp":
      if Timestamp.isLeapSecond(text) { return "; leap seconds are not supported: write second 59, or the next minute" }
      return "; expected RFC 3339, such as '2024-01-31T10:00:00Z'"
    case "duration": return "; expected numbers with units d, h, m, s or ms, such as '1h30m' or '1.5s'"
    case "int", "uint": return Double(text) == nil ? "" : "; write \(type)(double(text)) for a number with a fraction"
    default: return ""
    }
  }
}

extension Value {
  /// The value as shown in messages, shortened.
  var shortText: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return String(value)
    case .int(let value): return String(value)
    case .uint(let value): return "\(value)u"
    // The sign of a NaN is not part of its value: a snapshot does not keep it.
    case .double(let value): return value.isNaN ? "NaN" : value.description
    case .string(let value):
      if value.unicodeScalars.prefix(41).count <= 40 { return "'\(value)'" }
      return "'\(String(String.UnicodeScalarView(value.unicodeScalars.prefix(40))))…'"
    case .opaque(let value): return value.description
    default: return "a \(typeName)"
    }
  }
}
