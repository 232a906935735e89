/// The coding of values by any coder, as plain JSON.
///
/// Null, bools, ints, doubles, strings, lists and maps with string keys are coded as themselves. A value without a form
/// in JSON is coded as `JSONWriter` writes it: bytes in Base64, a timestamp as RFC 3339, a duration as `1.5s`, NaN or
/// an infinity as a string; it is decoded as a string. `taggedForJSON` keeps such types.
///
/// Foreign decoders do not report the order of members, which are read in the order of their names. The coders of
/// `Value(encoding:)` and `decoded(as:)` pass values through unchanged.
///
/// NB: Foundation's `JSONEncoder` writes the double `1.0` as `1`, and its `JSONDecoder` does not distinguish the two:
/// a double without a fraction is decoded as an int. Coding fails beyond 512 levels of lists and maps, which is the
/// depth that JSON is read to; coders recurse, and would exhaust the stack.
extension Value: Codable {
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? PartEncoder { return encoder.set(self) }
    if encoder.codingPath.count > Self.codingDepth {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "the value has more than \(Self.codingDepth) levels"))
    }
    switch self {
    case .list(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    case .map(let map):
      var container = encoder.container(keyedBy: PathKey.self)
      for (key, item) in map.pairs {
        try container.encode(item, forKey: PathKey(stringValue: JSONWriter.text(ofKey: key)))
      }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .uint(let value): try container.encode(value)
      case .double(let value) where value.isFinite: try container.encode(value)
      // A scalar without a JSON form is encoded as the text that `JSONWriter` puts between quotation marks.
      default: try container.encode(JSONWriter.text(ofKey: self))
      }
    }
  }

  /// Whether a decoder returns the values that were encoded, with the types of their numbers.
  package static func isRead(exactlyBy decoder: any Decoder) -> Bool { decoder is PartDecoder }

  /// Whether an encoder keeps values unchanged, with the types of their numbers.
  package static func isWritten(exactlyBy encoder: any Encoder) -> Bool { encoder is PartEncoder }

  /// Maximum number of levels.
  private static let codingDepth = 512

  /// NB: A foreign decoder does not expose the type of its content, so each type is tried in turn.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? PartDecoder {
      self = decoder.value
      return
    }
    if let container = try? decoder.singleValueContainer(), let scalar = Self.scalar(in: container) {
      self = scalar
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var items: [Value] = []
      while !container.isAtEnd { items.append(try container.decode(Value.self)) }
      self = .list(items)
      return
    }
    let container = try decoder.container(keyedBy: PathKey.self)
    let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    self = .map(
      ValueMap(
        try keys.map { (.string($0.stringValue), try container.decode(Value.self, forKey: $0)) }))
  }

  private static func scalar(in container: any SingleValueDecodingContainer) -> Value? {
    if container.decodeNil() { return .null }
    if let bool = try? container.decode(Bool.self) { return .bool(bool) }
    if let int = try? container.decode(Int64.self) { return .int(int) }
    if let uint = try? container.decode(UInt64.self) { return .uint(uint) }
    if let double = try? container.decode(Double.self) { return .double(double) }
    return (try? container.decode(String.self)).map(Value.string)
  }
}
