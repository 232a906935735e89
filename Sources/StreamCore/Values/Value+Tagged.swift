extension Value {
  /// The value encoded losslessly with JSON's types only, unlike by `Value`'s `Codable` conformance.
  ///
  /// - Throws: `wrongType` for an opaque value; `limitExceeded` for a value of more than 10,000,000 parts, where a part
  ///   shared by several lists or maps counts each time.
  public var taggedForJSON: Value {
    get throws(Diagnostic) {
      try DeepStack.run(levelsOf: self) { () throws(Diagnostic) -> Value in
        var parts = Self.savedParts
        return try tagged(&parts)
      }
    }
  }

  private static let savedParts = 10_000_000

  /// - Parameter parts: The number of parts that may follow.
  private func tagged(_ parts: inout Int) throws(Diagnostic) -> Value {
    parts -= 1
    if parts < 0 {
      throw Diagnostic(.limitExceeded, "a value with more than \(Self.savedParts) parts cannot be saved")
    }
    switch self {
    case .null, .bool, .int, .string: return self
    case .double(let number):
      return number.isFinite
        ? self : Self.tagged("$double", number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
    case .uint(let number): return Self.tagged("$uint", .string(String(number)))
    case .bytes(let bytes): return Self.tagged("$bytes", .string(Base64.text(bytes)))
    case .timestamp(let timestamp): return Self.tagged("$timestamp", .string(timestamp.rfc3339))
    case .duration(let duration): return Self.tagged("$duration", .string(duration.secondsText))
    case .list(let items):
      var result: [Value] = []
      result.reserveCapacity(items.count)
      for item in items { result.append(try item.tagged(&parts)) }
      return .list(result)
    case .map(let map): return try Self.tagged(map, &parts)
    case .opaque(let value):
      throw Diagnostic(.wrongType, "a \(value.typeName) cannot be saved")
    }
  }

  private static func tagged(_ tag: String, _ value: Value) -> Value {
    .map(ValueMap(shape: Shape(names: [tag]), slots: [value]))
  }

  private static func tagged(_ map: ValueMap, _ parts: inout Int) throws(Diagnostic) -> Value {
    let hasTextKeys = map.keys.allSatisfy { key in
      if case .string = key { true } else { false }
    }
    var slots: [Value] = []
    for slot in map.slots { slots.append(try slot.tagged(&parts)) }
    if hasTextKeys, tag(of: map) == nil { return .map(ValueMap(shape: map.shape, slots: slots)) }
    var pairs: [Value] = []
    for (key, slot) in zip(map.keys, slots) { pairs.append(.list([try key.tagged(&parts), slot])) }
    return tagged("$map", .list(pairs))
  }

  /// Returns the single key of a map if it begins with `$`; otherwise nil.
  private static func tag(of map: ValueMap) -> String? {
    guard map.count == 1, case .string(let name)? = map.keys.first, name.utf8.first == UInt8(ascii: "$") else {
      return nil
    }
    return name
  }

  /// Decodes a value encoded by `taggedForJSON`.
  ///
  /// - Throws: `wrongType` if an object with a single key beginning with `$` has an unknown form.
  public init(taggedForJSON value: Value) throws(Diagnostic) {
    self = try DeepStack.run(levelsOf: value) { () throws(Diagnostic) -> Value in try Value(tagged: value) }
  }

  private init(tagged value: Value) throws(Diagnostic) {
    switch value {
    case .list(let items):
      var result: [Value] = []
      result.reserveCapacity(items.count)
      for (index, item) in items.enumerated() { result.append(try Self.untagged(item, String(index))) }
      self = .list(result)
    case .map(let map):
      if let tag = Self.tag(of: map), let content = map.slots.first {
        self = try Self.untagged(tag, content)
        return
      }
      var slots: [Value] = []
      for (key, slot) in map.pairs { slots.append(try Self.untagged(slot, JSONWriter.text(ofKey: key))) }
      self = .map(ValueMap(shape: map.shape, slots: slots))
    default: self = value
    }
  }

  private static func untagged(_ value: Value, _ token: String) throws(Diagnostic) -> Value {
    do throws(Diagnostic) {
      return try Value(tagged: value)
    } catch {
      throw error.prefixed(by: JSONPointer([token]))
    }
  }

  private static func untagged(_ tag: String, _ content: Value) throws(Diagnostic) -> Value {
    if tag == "$map", case .list(let items) = content {
      var pairs: [(Value, Value)] = []
      for item in items {
        guard case .list(let pair) = item, pair.count == 2 else { throw unknownTag(tag) }
        pairs.append((try Value(tagged: pair[0]), try Value(tagged: pair[1])))
      }
      return .map(ValueMap(pairs))
    }
    guard case .string(let text) = content else { throw unknownTag(tag) }
    let result: Value? =
      switch tag {
      case "$uint": UInt64(text).map(Value.uint)
      case "$bytes": Base64.bytes(text).map(Value.bytes)
      case "$timestamp": Timestamp(rfc3339: text).map(Value.timestamp)
      case "$duration": Duration(secondsText: text).map(Value.duration)
      case "$double": ["NaN": Double.nan, "Infinity": .infinity, "-Infinity": -.infinity][text].map(Value.double)
      default: nil
      }
    guard let result else { throw unknownTag(tag) }
    return result
  }

  private static func unknownTag(_ tag: String) -> Diagnostic {
    Diagnostic(
      .wrongType, "an object with the single key '\(tag)' is not a known form of a saved value",
      at: JSONPointer([tag]), part: .key)
  }
}

extension Timestamp: Codable {
  /// Encodes RFC 3339 text; `ValueEncoder` keeps the timestamp unchanged.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = Timestamp(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not an RFC 3339 timestamp")
    }
    self = timestamp
  }
}
