// What an app reads of a value, and makes one of.

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

  /// The member of a name; nil if the value is no map, or has no such member.
  public subscript(name: String) -> Value? { member(name) }

  /// The element at an index; nil if the value is no list, or is shorter.
  public subscript(index: Int) -> Value? {
    guard case .list(let list) = self, list.indices.contains(index) else { return nil }
    return list[index]
  }

  /// The integer; nil if the value is none, or one that an `Int` cannot hold.
  public var int: Int? {
    switch self {
    case .int(let number): Int(exactly: number)
    case .uint(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The number; nil if the value is none.
  public var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The Boolean; nil if the value is none.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The string; nil if the value is none.
  public var string: String? { text }

  /// The elements; nil if the value is no list.
  public var list: ValueList? { if case .list(let list) = self { list } else { nil } }

  /// The members; nil if the value is no map.
  public var map: ValueMap? { if case .map(let map) = self { map } else { nil } }
}
