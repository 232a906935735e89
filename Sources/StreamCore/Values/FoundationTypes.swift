#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The types of Foundation that are encoded as a value of CEL instead of by their own coding, in the forms of a
/// `ValueCoding`.
enum FoundationTypes {
  /// Returns the value of a date, a URL, data or a decimal; nil for other types.
  ///
  /// NB: The types are compared, since most content has another; a cast costs ten times as much.
  static func value<Content>(of content: Content, _ coding: ValueCoding) throws -> Value? {
    if Content.self == Date.self { return try (content as? Date).map { try value(of: $0, coding.dates) } }
    if Content.self == URL.self { return (content as? URL).map { .string($0.absoluteString) } }
    if Content.self == Data.self { return (content as? Data).map { value(of: $0, coding.data) } }
    if Content.self == Decimal.self { return (content as? Decimal).map { value(of: $0, coding.decimals) } }
    return nil
  }

  /// Returns the content for a value, or nil and what was expected; nil for types that are not Foundation's.
  static func content(
    _ type: Any.Type, of value: Value, _ coding: ValueCoding
  ) -> (content: Any?, expected: String)? {
    if type == Date.self {
      let unit = coding.dates == .millisecondsSince1970 ? "milliseconds" : "seconds"
      return (
        date(value, coding.dates),
        "a timestamp, its text such as 2024-01-31T12:00:00Z, or \(unit) since 1970"
      )
    }
    if type == URL.self { return (value.text.flatMap { URL(string: $0) }, "a URL") }
    if type == Data.self { return (bytes(value).map { Data($0) }, "bytes in base64") }
    if type == Decimal.self { return (decimal(value), "a finite number") }
    return nil
  }

  private static func value(of date: Date, _ form: ValueCoding.DateForm) throws -> Value {
    switch form {
    case .timestamp: .timestamp(try Timestamp(date))
    case .iso8601: .string(try Timestamp(date).rfc3339)
    case .secondsSince1970: .double(try seconds(of: date))
    case .millisecondsSince1970: .double(try seconds(of: date) * 1_000)
    }
  }

  private static func seconds(of date: Date) throws -> Double {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { throw EncodingError(seconds, "a date is not a finite number of seconds") }
    return seconds
  }

  private static func value(of data: Data, _ form: ValueCoding.DataForm) -> Value {
    switch form {
    case .bytes: .bytes([UInt8](data))
    case .base64: .string(data.base64EncodedString())
    }
  }

  private static func date(_ value: Value, _ form: ValueCoding.DateForm) -> Date? {
    switch value {
    case .timestamp(let timestamp): Date(timestamp)
    case .string(let text): Timestamp(rfc3339: text).map(Date.init)
    default:
      value.double.flatMap { number in
        number.isFinite
          ? Date(timeIntervalSince1970: form == .millisecondsSince1970 ? number / 1_000 : number) : nil
      }
    }
  }

  private static func bytes(_ value: Value) -> [UInt8]? {
    if case .bytes(let bytes) = value { return bytes }
    return value.text.flatMap(Base64.bytes)
  }

  private static func value(of decimal: Decimal, _ form: ValueCoding.DecimalForm) -> Value {
    let text = decimal.description
    if form == .text { return .string(text) }
    return Int64(text).map(Value.int) ?? Double(text).map(Value.double) ?? .string(text)
  }

  /// NB: By the shortest text of a double, so that 0.1 is 0.1.
  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .int(let number): Decimal(number)
    case .uint(let number): Decimal(number)
    case .double(let number) where number.isFinite: Decimal(string: number.description)
    case .string(let text): Decimal(string: text)
    default: nil
    }
  }
}

extension Timestamp {
  /// The earliest timestamp of CEL, as which a date of the distant past is encoded: that date is two days earlier.
  fileprivate static let earliest = Timestamp(seconds: secondsRange.lowerBound)

  /// - Throws: `EncodingError` for a date outside the years 1 to 9999.
  fileprivate init(_ date: Date) throws {
    let seconds = date.timeIntervalSince1970
    if date == .distantPast {
      self = .earliest
    } else if let whole = Int64(exactly: seconds.rounded(.down)), Self.secondsRange.contains(whole) {
      self.init(seconds: whole, nanoseconds: Int64(((seconds - Double(whole)) * 1e9).rounded()))
    } else {
      // NB: The error has the seconds instead of the date: Foundation traps when it prints a date of NaN seconds.
      throw EncodingError(seconds, "a date is outside the years 1 to 9999")
    }
  }
}

extension Date {
  fileprivate init(_ timestamp: Timestamp) {
    let isEarliest = timestamp == .earliest
    self =
      isEarliest
      ? .distantPast
      : Date(timeIntervalSince1970: Double(timestamp.seconds) + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension EncodingError {
  fileprivate init(_ seconds: Double, _ reason: String) {
    self = .invalidValue(seconds, Context(codingPath: [], debugDescription: reason))
  }
}
