/// Makes anything that is `Decodable` of a `Value`.
///
/// Errors are diagnostics whose pointer is relative to the value. A type may throw `Diagnostic` or `Diagnostics` from
/// its own `init(from:)` with pointers relative to what it was given; each container puts its step before them.
///
/// An int is never made of a double, even a whole one; a double is made of an int that it holds exactly. `Duration`,
/// `Timestamp` and `[UInt8]` are also read from the strings that `JSONWriter` writes for them.
public struct ValueDecoder: Sendable {
  public init() {}

  /// What `value` holds as a `T`. Of several errors the first.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws(Diagnostic) -> T {
    do throws(Diagnostics) {
      return try decodeAll(type, from: value)
    } catch {
      throw error.all.first ?? Diagnostic(.wrongType, "the value is not what is expected here")
    }
  }

  /// What `value` holds as a `T`, or all the errors that a type inside has collected.
  public func decodeAll<T: Decodable>(_ type: T.Type, from value: Value) throws(Diagnostics) -> T {
    do {
      return try PartDecoder(value: value, codingPath: [], origin: 0).decodeWhole(type)
    } catch let error as Diagnostics {
      throw error
    } catch let error as Diagnostic {
      throw Diagnostics([error])
    } catch {
      throw Diagnostics([Diagnostic(.wrongType, "the value is not what is expected here: \(error)")])
    }
  }
}

/// A decoder that stands at some value inside the one that is decoded.
struct PartDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  /// How many steps of the path lead to the value whose `init(from:)` runs: pointers of errors begin there.
  let origin: Int
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The way from the origin to here.
  var pointer: JSONPointer { JSONPointer(codingPath.dropFirst(origin)) }

  /// The decoder of a member.
  func part(_ value: Value, _ key: some CodingKey) -> PartDecoder {
    PartDecoder(value: value, codingPath: codingPath + [key], origin: origin)
  }

  /// Decodes the value here by the type's own coding, whose errors get the way to here before their pointers.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return try PartDecoder(value: value, codingPath: codingPath, origin: codingPath.count).decodeWhole(type)
    } catch let error as Diagnostic {
      throw error.prefixed(by: pointer)
    } catch let error as Diagnostics {
      throw error.prefixed(by: pointer)
    }
  }

  /// Decodes this value; errors' pointers are relative to it.
  func decodeWhole<T: Decodable>(_ type: T.Type) throws -> T {
    if let result = try decodeKnown(type) { return result }
    do {
      return try type.init(from: self)
    } catch let error as DecodingError {
      throw diagnostic(error, type)
    }
  }

  /// Decodes a type that a `Value` can hold, without its own coding; nil for other types.
  private func decodeKnown<T>(_ type: T.Type) throws -> T? {
    if type == Value.self { return value as? T }
    if type == [UInt8].self {
      switch value {
      case .bytes(let bytes): return bytes as? T
      case .string(let text):
        guard let bytes = Base64.bytes(text) else { throw mismatch("bytes in base64") }
        return bytes as? T
      default: return nil
      }
    }
    if type == Timestamp.self {
      if case .timestamp(let timestamp) = value { return timestamp as? T }
      guard case .string(let text) = value, let timestamp = Timestamp(rfc3339: text) else {
        throw mismatch("a timestamp such as 2024-01-31T12:00:00Z")
      }
      return timestamp as? T
    }
    if type == Duration.self {
      if case .duration(let duration) = value { return duration as? T }
      guard case .string(let text) = value, let duration = Duration(secondsText: text) else {
        throw mismatch("a duration such as 1.5s")
      }
      return duration as? T
    }
    return nil
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedValueContainer<Key>(map: map, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let items) = value else { throw mismatch("a list") }
    return UnkeyedValueContainer(items: items, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
