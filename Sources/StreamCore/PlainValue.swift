/// A value that any coder codes as the plain JSON of a file: without the forms by which `Value`'s own coding keeps the
/// types that JSON does not have, so that `{"$uint": "5"}` is an object with one member.
///
/// Values without a form in JSON are written as `JSONWriter` writes them. A foreign decoder does not say in which order members
/// stand: they are read in the order of their names. `ValueEncoder` and `ValueDecoder` pass values through as they are.
///
/// NB: Foundation's `JSONEncoder` writes the double `1.0` as `1`, and its `JSONDecoder` does not tell the two apart: a
/// double without a fraction comes back as an int.
package struct PlainValue: Codable {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? NodeEncoder {
      encoder.node.content = .value(value)
      return
    }
    switch value {
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(PlainValue(item)) }
    case .map(let map):
      var container = encoder.container(keyedBy: PathKey.self)
      for (key, item) in map.pairs {
        try container.encode(PlainValue(item), forKey: PathKey(stringValue: JSONWriter.text(ofKey: key)))
      }
    default:
      var container = encoder.singleValueContainer()
      switch value {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .uint(let value): try container.encode(value)
      case .double(let value) where value.isFinite: try container.encode(value)
      // A scalar that JSON has no form for is the text that `JSONWriter` puts between quotation marks.
      default: try container.encode(JSONWriter.text(ofKey: value))
      }
    }
  }

  /// NB: a foreign decoder does not say what it holds, so each type is tried.
  package init(from decoder: any Decoder) throws {
    if let decoder = decoder as? PartDecoder {
      value = decoder.value
      return
    }
    if let container = try? decoder.singleValueContainer(), let scalar = Self.scalar(in: container) {
      value = scalar
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var items: [Value] = []
      while !container.isAtEnd { items.append(try container.decode(PlainValue.self).value) }
      value = .list(items)
      return
    }
    let container = try decoder.container(keyedBy: PathKey.self)
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    value = .map(
      ValueMap(
        try keys.map { (.string($0.stringValue), try container.decode(PlainValue.self, forKey: $0).value) }))
  }

  private static func scalar(in container: any SingleValueDecodingContainer) -> Value? {
    if container.decodeNil() { return .null }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let int = try? container.decode(Int64.self) { return .int(int) }
    if let double = try? container.decode(Double.self) { return .double(double) }
    return (try? container.decode(String.self)).map(Value.string)
  }
}
