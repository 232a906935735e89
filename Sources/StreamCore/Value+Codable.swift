/// Values through any coder.
///
/// Null, bools, ints, doubles, strings, lists and maps with text keys are coded as themselves. What JSON has no form
/// for is a map with one key: `{"$uint": "5"}`, `{"$bytes": base64}`, `{"$timestamp": RFC 3339}`, `{"$duration": "1.5s"}`,
/// `{"$double": "NaN"}`, and `{"$map": [[key, value], …]}` for a map with other keys, and for one that would look like
/// one of these. Opaque values are refused.
///
/// `ValueEncoder` and `ValueDecoder` pass values through as they are.
///
/// NB: a coder that writes `1.0` as `1`, as Foundation's does, gives back an int. `taggedForJSON` through `JSONWriter`
/// and `JSONReader` loses nothing.
extension Value: Codable {
  public func encode(to encoder: any Encoder) throws {
    try Tagged(tagging(encoder.codingPath)).encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? PartDecoder {
      self = decoder.value
      return
    }
    let plain = try Tagged(from: decoder).value
    do throws(Diagnostic) {
      self = try Value(taggedForJSON: plain)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  private func tagging(_ path: [any CodingKey]) throws -> Value {
    do throws(Diagnostic) {
      return try taggedForJSON
    } catch {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: path, debugDescription: error.message, underlyingError: error))
    }
  }
}

/// A value of null, bools, ints, doubles, strings, lists and text-keyed maps alone, coded as what it is.
private struct Tagged: Codable {
  let value: Value

  init(_ value: Value) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(Tagged(item)) }
    case .map(let map):
      var container = encoder.container(keyedBy: PathKey.self)
      for (key, item) in map.pairs {
        try container.encode(Tagged(item), forKey: PathKey(stringValue: JSONWriter.text(ofKey: key)))
      }
    default:
      var container = encoder.singleValueContainer()
      switch value {
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }

  /// NB: a foreign decoder does not say what it holds, so each type is tried.
  init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer() {
      if container.decodeNil() {
        value = .null
        return
      }
      if let bool = try? container.decode(Bool.self) {
        value = .bool(bool)
        return
      }
      if let int = try? container.decode(Int64.self) {
        value = .int(int)
        return
      }
      if let double = try? container.decode(Double.self) {
        value = .double(double)
        return
      }
      if let string = try? container.decode(String.self) {
        value = .string(string)
        return
      }
    }
    if var container = try? decoder.unkeyedContainer() {
      var items: [Value] = []
      while !container.isAtEnd { items.append(try container.decode(Tagged.self).value) }
      value = .list(items)
      return
    }
    let container = try decoder.container(keyedBy: PathKey.self)
    value = .map(
      ValueMap(
        try container.allKeys.map { (.string($0.stringValue), try container.decode(Tagged.self, forKey: $0).value) }))
  }
}
