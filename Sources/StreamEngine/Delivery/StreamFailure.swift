public import CEL
public import StreamCore

/// A failure that ends a running stream.
///
/// ```swift
/// do {
///   for try await value in model.values() { lines.append("\(value)") }
/// } catch let failure as StreamFailure {
///   lines.append("\(failure.code) at \(failure.pointer)")
/// }
/// ```
public struct StreamFailure: Error, Sendable {
  private let fields: Fields

  /// The contents of a failure, behind one reference, since failures travel beside values and are rare.
  private final class Fields: Sendable {
    let code: String
    let message: String
    let pointer: JSONPointer
    let range: Range<Int>?
    let value: Value?
    let payload: Value?
    let cause: StreamFailure?
    let location: Diagnostic.Location?
    let help: String?

    init(
      code: String, message: String, pointer: JSONPointer, range: Range<Int>?, value: Value?, payload: Value?,
      cause: StreamFailure?, location: Diagnostic.Location?, help: String?
    ) {
      self.code = code
      self.message = message
      self.pointer = pointer
      self.range = range
      self.value = value
      self.payload = payload
      self.cause = cause
      self.location = location
      self.help = help
    }
  }

  /// - Parameters:
  ///   - code: A `DiagnosticCode` of the range S3xx or S4xx, or a code of the host.
  ///   - message: The description, in one sentence without a period.
  ///   - pointer: The member of the stream file that failed: an operator, or its expression.
  ///   - range: The range in the expression's source, in UTF-8 bytes.
  ///   - value: The value being processed.
  ///   - payload: The error value from the stream file (`fail`, `record`).
  ///   - cause: The failure that led to this one.
  ///   - location: The location in the data, if the data were read from a file.
  ///   - help: How to fix the problem, if a fix is known.
  public init(
    code: String, message: String, pointer: JSONPointer = JSONPointer(), range: Range<Int>? = nil,
    value: Value? = nil, payload: Value? = nil, cause: StreamFailure? = nil, location: Diagnostic.Location? = nil,
    help: String? = nil
  ) {
    fields = Fields(
      code: code, message: message, pointer: pointer, range: range, value: value, payload: payload, cause: cause,
      location: location, help: help)
  }

  public init(
    _ code: DiagnosticCode, _ message: String, pointer: JSONPointer = JSONPointer(), range: Range<Int>? = nil,
    value: Value? = nil, payload: Value? = nil, cause: StreamFailure? = nil, location: Diagnostic.Location? = nil,
    help: String? = nil
  ) {
    self.init(
      code: code.rawValue, message: message, pointer: pointer, range: range, value: value, payload: payload,
      cause: cause, location: location, help: help)
  }

  /// Creates a failure from an error value in a stream file: any JSON value, described by its `message` if it has one.
  public init(payload: Value, pointer: JSONPointer = JSONPointer(), cause: StreamFailure? = nil) {
    var message = "the stream failed"
    if case .map(let map) = payload, case .string(let text)? = map["message"] {
      message = text
    } else if case .string(let text) = payload {
      message = text
    }
    self.init(.streamFailed, message, pointer: pointer, payload: payload, cause: cause)
  }

  /// Creates a failure from the error of an expression evaluated for a value.
  public init(_ error: EvaluationError, pointer: JSONPointer, value: Value?) {
    self.init(error.code, error.message, pointer: pointer, range: error.range, value: value, payload: error.payload)
  }

  /// Returns the failure of an operator that would exceed a limit.
  ///
  /// - Parameters:
  ///   - noun: The noun for one thing that is counted.
  ///   - detail: The continuation of the message. Default none.
  ///   - owner: The name of the operator.
  package static func beyondLimit(
    _ limit: Int, _ noun: String, _ detail: String = "", of owner: String, pointer: JSONPointer = JSONPointer(),
    value: Value? = nil, help: String? = nil
  ) -> StreamFailure {
    StreamFailure(
      .limitExceeded, "'\(owner)' has reached its limit of \(limit.counted(noun))\(detail)",
      pointer: pointer, value: value, help: help)
  }

  public var code: String { fields.code }
  public var message: String { fields.message }
  public var pointer: JSONPointer { fields.pointer }
  public var range: Range<Int>? { fields.range }
  public var value: Value? { fields.value }
  public var payload: Value? { fields.payload }
  public var cause: StreamFailure? { fields.cause }
  /// The location of the invalid data; `message` begins with it.
  public var location: Diagnostic.Location? { fields.location }
  public var help: String? { fields.help }

  /// Returns the failure with the operator at `pointer` as its location, unless it already has one.
  public func located(at pointer: JSONPointer) -> StreamFailure {
    guard self.pointer.tokens.isEmpty else { return self }
    return StreamFailure(
      code: code, message: message, pointer: pointer, range: range, value: value, payload: payload, cause: cause,
      location: location, help: help)
  }

  /// Returns the failure of a source with the value that the source was started for; unchanged if it was started for
  /// none.
  func located(for value: Value?) -> StreamFailure {
    guard let value else { return self }
    return StreamFailure(
      code: code, message: message, pointer: pointer, range: range, value: value, payload: payload, cause: cause,
      location: location, help: help)
  }

  /// The failure as expressions and recordings see it: the error value from the file, or its code and message.
  public var errorValue: Value {
    payload ?? ["code": .string(code), "message": .string(message)]
  }
}

extension StreamFailure: CustomStringConvertible {
  /// One line for people and logs: the code, the message, and the place in the file.
  public var description: String {
    "\(code): \(message)" + (pointer.tokens.isEmpty ? "" : " (at \(pointer))")
  }
}

extension StreamFailure: Hashable {
  public static func == (lhs: StreamFailure, rhs: StreamFailure) -> Bool {
    lhs.code == rhs.code && lhs.message == rhs.message && lhs.pointer == rhs.pointer && lhs.range == rhs.range
      && lhs.value == rhs.value && lhs.payload == rhs.payload && lhs.cause == rhs.cause
      && lhs.location == rhs.location && lhs.help == rhs.help
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(pointer)
    hasher.combine(payload)
  }
}

extension StreamFailure: Codable {
  private enum CodingKeys: String, CodingKey {
    case code, message, pointer, start, end, value, payload, cause, location, help
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let start = try container.decodeIfPresent(Int.self, forKey: .start)
    let end = try container.decodeIfPresent(Int.self, forKey: .end)
    var range: Range<Int>?
    if let start, let end, start <= end { range = start..<end }
    self.init(
      code: try container.decode(String.self, forKey: .code),
      message: try container.decode(String.self, forKey: .message),
      pointer: JSONPointer(try container.decode([String].self, forKey: .pointer)),
      range: range,
      value: try container.decodeIfPresent(Value.self, forKey: .value),
      payload: try container.decodeIfPresent(Value.self, forKey: .payload),
      cause: try container.decodeIfPresent(StreamFailure.self, forKey: .cause),
      location: try container.decodeIfPresent(Diagnostic.Location.self, forKey: .location),
      help: try container.decodeIfPresent(String.self, forKey: .help))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
    try container.encode(pointer.tokens, forKey: .pointer)
    try container.encodeIfPresent(range?.lowerBound, forKey: .start)
    try container.encodeIfPresent(range?.upperBound, forKey: .end)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encodeIfPresent(payload, forKey: .payload)
    try container.encodeIfPresent(cause, forKey: .cause)
    try container.encodeIfPresent(location, forKey: .location)
    try container.encodeIfPresent(help, forKey: .help)
  }
}

/// The completion of a stream.
///
/// ```swift
/// mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
///   if case .failure(let failure) = completion { effects.note(.hook, name: "failed", message: .string(failure.code)) }
///   effects.finish()
/// }
/// ```
public enum Completion: Hashable, Sendable, Codable {
  case finished
  case failure(StreamFailure)
}
