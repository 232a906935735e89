/// Decodes any `Decodable` type from a `Value`.
///
/// ```swift
/// let reading = try ValueDecoder().decode(Reading.self, from: value)
/// ```
///
/// Errors are diagnostics with pointers relative to the value. A type may throw `Diagnostic` or `Diagnostics` from its
/// own `init(from:)`, with pointers relative to its own value; each container prepends its key or index.
///
/// A double is never decoded as an integer, even if it is whole; an integer is decoded as a double if that is exact.
/// `Duration`, `Timestamp` and `[UInt8]` are also decoded from the strings that `JSONWriter` writes for them.
package struct ValueDecoder: Sendable {
  private let coding: ValueCoding

  package init(_ coding: ValueCoding = .standard) { self.coding = coding }

  /// Decodes `value` as a `T`. Throws only the first error.
  package func decode<T: Decodable>(_ type: T.Type, from value: Value) throws(Diagnostic) -> T {
    try PartDecoder.scalar(type, value) { () throws(Diagnostic) in
      do throws(Diagnostics) {
        return try decodeAll(type, from: value)
      } catch {
        throw error.all.first ?? Diagnostic(.wrongType, "the value does not have the expected form")
      }
    }
  }

  /// Decodes `value` as a `T`. Throws all errors that a nested type has collected.
  package func decodeAll<T: Decodable>(_ type: T.Type, from value: Value) throws(Diagnostics) -> T {
    do {
      return try PartDecoder(value, coding).decodeWhole(type)
    } catch let error as Diagnostics {
      throw error
    } catch let error as Diagnostic {
      throw Diagnostics([error])
    } catch {
      throw Diagnostics(.wrongType, "the value does not have the expected form: \(error)")
    }
  }
}

/// A decoder for a part of the value being decoded.
final class PartDecoder: Decoder {
  let value: Value
  let coding: ValueCoding
  /// The decoder of the enclosing value, and the key or index from it; nil for the whole value.
  private let outer: PartDecoder?
  private let step: (any CodingKey)?
  /// Number of keys and indices on the path to this value.
  private let depth: Int
  /// Number of keys and indices on the path to the value whose `init(from:)` is running; pointers of errors begin
  /// there.
  let origin: Int
  /// Whether the keys are the names of the members, without conversion.
  @exclusivity(unchecked) private var keepsNames: Bool
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates the decoder of a whole value.
  convenience init(_ value: Value, _ coding: ValueCoding) {
    self.init(value, coding, outer: nil, step: nil, depth: 0, origin: 0)
  }

  private init(
    _ value: Value, _ coding: ValueCoding, outer: PartDecoder?, step: (any CodingKey)?, depth: Int, origin: Int
  ) {
    self.value = value
    self.coding = coding
    keepsNames = coding.keys == .unchanged
    self.outer = outer
    self.step = step
    self.depth = depth
    self.origin = origin
  }

  /// The steps from the whole value to this one; computed on access, since only errors need it.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var part: PartDecoder? = self
    while let current = part, let step = current.step {
      path.append(step)
      part = current.outer
    }
    return path.reversed()
  }

  /// The path from the origin to this value.
  var pointer: JSONPointer { pointer(from: origin) }

  /// Returns the path to this value from the value at a depth, by the names of the members.
  private func pointer(from depth: Int) -> JSONPointer {
    var tokens: [String] = []
    var part: PartDecoder? = self
    while let current = part, current.depth > depth, let step = current.step {
      let keepsName = current.outer?.keepsNames != false || step.intValue != nil
      tokens.append(keepsName ? step.stringValue : SnakeCase.snakeCase(step.stringValue))
      part = current.outer
    }
    return JSONPointer(tokens.reversed())
  }

  /// Returns the decoder of a member.
  func part(_ value: Value, _ key: some CodingKey) -> PartDecoder {
    PartDecoder(value, coding, outer: self, step: key, depth: depth + 1, origin: origin)
  }

  /// Decodes this value with the type's own coding and prepends the path to the pointers of errors.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try PartDecoder(value, coding, outer: outer, step: step, depth: depth, origin: depth).decodeWhole(type, for: self)
  }

  /// Decodes a member by the type's own coding.
  func decode<T: Decodable>(_ type: T.Type, _ value: Value, _ key: some CodingKey) throws -> T {
    try Self.scalar(type, value) {
      try PartDecoder(value, coding, outer: self, step: key, depth: depth + 1, origin: depth + 1)
        .decodeWhole(type, for: self)
    }
  }

  /// Decodes this value for a decoder whose pointers begin further out.
  private func decodeWhole<T: Decodable>(_ type: T.Type, for asker: PartDecoder) throws -> T {
    do {
      return try decodeWhole(type)
    } catch let error as Diagnostic {
      throw error.prefixed(by: pointer(from: asker.origin))
    } catch let error as Diagnostics {
      throw error.prefixed(by: pointer(from: asker.origin))
    }
  }

  /// Decodes this value; errors' pointers are relative to it.
  func decodeWhole<T: Decodable>(_ type: T.Type) throws -> T {
    try Self.scalar(type, value) {
      if let known = try known(type), let result = known as? T { return result }
      keepsNames = coding.keepsNames(of: type)
      do {
        return try type.init(from: self)
      } catch let error as DecodingError {
        throw diagnostic(error, type)
      }
    }
  }

  /// Returns a scalar that a value holds without conversion, or else the result of a closure.
  ///
  /// NB: The types are compared, so the bits are those of the type; a cast costs ten times as much, and an optional of the
  /// type, which is not known here, a search for its metadata.
  @inline(__always)
  static func scalar<T, Failure: Error>(
    _ type: T.Type, _ value: Value, else other: () throws(Failure) -> T
  ) throws(Failure) -> T {
    switch value {
    case .string(let text) where T.self == String.self: return unsafeBitCast(text, to: T.self)
    case .int(let number) where T.self == Int.self:
      guard let number = Int(exactly: number) else { return try other() }
      return unsafeBitCast(number, to: T.self)
    case .double(let number) where T.self == Double.self: return unsafeBitCast(number, to: T.self)
    case .bool(let flag) where T.self == Bool.self: return unsafeBitCast(flag, to: T.self)
    case _ where T.self == Value.self: return unsafeBitCast(value, to: T.self)
    default: return try other()
    }
  }

  /// NB: Stored, since the runtime looks the type up at each use.
  private static let bytesType: Any.Type = [UInt8].self

  /// Returns content of a type that a `Value` can hold, without its own coding; nil for other types.
  private func known(_ type: Any.Type) throws -> Any? {
    if type == Self.bytesType {
      switch value {
      case .bytes(let bytes): return bytes
      case .string(let text):
        guard let bytes = Base64.bytes(text) else { throw mismatch("bytes in base64") }
        return bytes
      default: return nil
      }
    }
    if type == Timestamp.self {
      if case .timestamp(let timestamp) = value { return timestamp }
      guard case .string(let text) = value, let timestamp = Timestamp(rfc3339: text) else {
        throw mismatch("a timestamp such as 2024-01-31T12:00:00Z")
      }
      return timestamp
    }
    if type == Duration.self {
      if case .duration(let duration) = value { return duration }
      guard case .string(let text) = value, let duration = Duration(secondsText: text) else {
        throw mismatch("a duration such as 1.5s")
      }
      return duration
    }
    guard let (content, expected) = FoundationTypes.content(type, of: value, coding) else { return nil }
    guard let content else { throw mismatch(expected) }
    return content
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedValueContainer<Key>(map: map, decoder: self, keepsNames: keepsNames))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let items) = value else { throw mismatch("an array") }
    return UnkeyedValueContainer(items: items.elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
