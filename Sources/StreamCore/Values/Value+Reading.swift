// Conversions between values and an app's types.

extension Value {
  /// Encodes a type of the app as a value.
  ///
  /// ```swift
  /// let value = try Value(encoding: Reading(sensor: "a", level: 3))
  /// let level = value["level"]?.int
  /// ```
  ///
  /// - Parameters:
  ///   - content: The content. Its members keep the order in which they are encoded.
  ///   - coding: The forms of dates, decimals, data and keys.
  /// - Throws: The error of the type's own coding; `EncodingError` for a date outside the years 1 to 9999.
  public init(encoding content: some Encodable, coding: ValueCoding = .standard) throws {
    self = try ValueEncoder(coding).encode(content)
  }

  /// Decodes the value as a type of the app.
  ///
  /// A double is never decoded as an integer, even if it is whole; an integer is decoded as a double if that is exact.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - coding: The forms of dates, decimals, data and keys.
  /// - Throws: A `Diagnostic` with the place of the first part that does not fit.
  public func decoded<Content: Decodable>(
    as type: Content.Type = Content.self, coding: ValueCoding = .standard
  ) throws -> Content {
    try ValueDecoder(coding).decode(type, from: self)
  }

  /// The member of a name; nil if the value is not a map, or has no such member.
  public subscript(name: String) -> Value? { member(name) }

  /// The element at an index; nil if the value is not a list, or is shorter.
  public subscript(index: Int) -> Value? {
    guard case .list(let list) = self, list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// The integer; nil if the value is not an integer, or does not fit an `Int`.
  public var int: Int? {
    switch self {
    case .int(let number): Int(exactly: number)
    case .uint(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The number as a double; nil if the value is not a number.
  public var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The Boolean; nil if the value is not a Boolean.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The string; nil if the value is not a string.
  public var string: String? { text }

  /// The elements; nil if the value is not a list.
  public var list: ValueList? { if case .list(let list) = self { list } else { nil } }

  /// The members; nil if the value is not a map.
  public var map: ValueMap? { if case .map(let map) = self { map } else { nil } }
}
