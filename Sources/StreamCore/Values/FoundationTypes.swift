#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The types of Foundation that are encoded as a value of CEL instead of by their own coding: a date as a timestamp, a
/// URL as a string, a decimal as a number, and data as bytes.
enum FoundationTypes {
  private static let writers: [ObjectIdentifier: @Sendable (Any) throws -> Value?] = [
    ObjectIdentifier(Date.self): { try ($0 as? Date).map { .timestamp(try Timestamp($0)) } },
    ObjectIdentifier(URL.self): { ($0 as? URL).map { .string($0.absoluteString) } },
    ObjectIdentifier(Data.self): { ($0 as? Data).map { .bytes([UInt8]($0)) } },
    ObjectIdentifier(Decimal.self): { ($0 as? Decimal).map(number) },
  ]

  private static let readers: [ObjectIdentifier: @Sendable (Value) -> (content: Any?, expected: String)] = [
    ObjectIdentifier(Date.self): {
      (date($0), "a timestamp, its text such as 2024-01-31T12:00:00Z, or seconds since 1970")
    },
    ObjectIdentifier(URL.self): { ($0.text.flatMap { URL(string: $0) }, "a URL") },
    ObjectIdentifier(Data.self): { (bytes($0).map { Data($0) }, "bytes in base64") },
    ObjectIdentifier(Decimal.self): { (decimal($0), "a finite number") },
  ]

  /// Returns the value of a date, a URL, data or a decimal; nil for other types.
  static func value<Content>(of content: Content) throws -> Value? {
    try writers[ObjectIdentifier(Content.self)]?(content)
  }

  /// Returns the content for a value, or nil and what was expected; nil for types that are not Foundation's.
  static func content<Content>(_ type: Content.Type, of value: Value) -> (content: Content?, expected: String)? {
    guard let (content, expected) = readers[ObjectIdentifier(type)]?(value) else { return nil }
    return (content as? Content, expected)
  }

  private static func date(_ value: Value) -> Date? {
    switch value {
    case .timestamp(let timestamp): Date(timestamp)
    case .string(let text): Timestamp(rfc3339: text).map(Date.init)
    default: value.double.flatMap { $0.isFinite ? Date(timeIntervalSince1970: $0) : nil }
    }
  }

  private static func bytes(_ value: Value) -> [UInt8]? {
    if case .bytes(let bytes) = value { return bytes }
    return value.text.flatMap(Base64.bytes)
  }

  private static func number(_ decimal: Decimal) -> Value {
    let text = decimal.description
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
      throw EncodingError.invalidValue(
        seconds, EncodingError.Context(codingPath: [], debugDescription: "a date is outside the years 1 to 9999"))
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
