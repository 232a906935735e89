// Conversions between values and an app's types.

extension Value {
  /// Encodes a type of the app as a value, as `ValueEncoder` does.
  ///
  /// ```swift
  /// let value = try Value(encoding: Reading(sensor: "a", level: 3))
  /// let level = value["level"]?.int
  /// ```
  public init(encoding content: some Encodable) throws { self = try ValueEncoder().encode(content) }

  /// Decodes the value as a type of the app, as `ValueDecoder` does.
  public func decoded<Content: Decodable>(as type: Content.Type = Content.self) throws -> Content {
    try ValueDecoder().decode(type, from: self)
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
