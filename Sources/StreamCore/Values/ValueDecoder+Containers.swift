// The containers of `ValueDecoder`. A scalar that a value holds needs no decoder of its own.

struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let map: ValueMap
  /// The decoder of the whole map.
  let decoder: PartDecoder
  /// Whether the keys are the names of the members, without conversion.
  let keepsNames: Bool
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    map.keys.compactMap { key in
      switch key {
      case .string(let name): Key(stringValue: keepsNames ? name : SnakeCase.camelCase(name))
      case .int(let number): Int(exactly: number).flatMap(Key.init(intValue:))
      default: nil
      }
    }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  private func find(_ key: Key) -> Value? {
    map[name(of: key)] ?? key.intValue.flatMap { map[.int(Int64($0))] }
  }

  private func name(of key: Key) -> String {
    keepsNames ? key.stringValue : SnakeCase.snakeCase(key.stringValue)
  }

  private func member(_ key: Key) throws -> Value {
    if let value = find(key) { return value }
    let name = name(of: key)
    throw Diagnostic(.missingField, "the field '\(name)' is missing", at: decoder.pointer.appending(name))
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try member(key) { true } else { false }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if case .string(let text)? = find(key) { text } else { try decoder.decode(type, try member(key), key) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if case .double(let number)? = find(key) { number } else { try decoder.decode(type, try member(key), key) }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if case .int(let number)? = find(key), let number = Int(exactly: number) { return number }
    return try decoder.decode(type, try member(key), key)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if case .bool(let flag)? = find(key) { flag } else { try decoder.decode(type, try member(key), key) }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.decode(type, try member(key), key)
  }

  /// NB: A field of type `Value` may be null, which differs from an absent field.
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = find(key) else { return nil }
    if type == Value.self { return value as? T }
    if case .null = value { return nil }
    return try decoder.decode(type, value, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    decoder.part(map["super"] ?? .null, PathKey(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }

  private func part(_ key: Key) throws -> PartDecoder {
    decoder.part(try member(key), key)
  }
}

struct UnkeyedValueContainer: UnkeyedDecodingContainer {
  let items: [Value]
  /// The decoder of the whole list.
  let decoder: PartDecoder
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard case .null = try next().value else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let result = try next().decode(type)
    currentIndex += 1
    return result
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let result = try next().container(keyedBy: type)
    currentIndex += 1
    return result
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let result = try next().unkeyedContainer()
    currentIndex += 1
    return result
  }

  mutating func superDecoder() throws -> any Decoder {
    let result = try next()
    currentIndex += 1
    return result
  }

  private func next() throws -> PartDecoder {
    guard currentIndex < items.count else {
      throw Diagnostic(
        .missingField, "the array ends after \(items.count) elements; expected one more", at: decoder.pointer)
    }
    return decoder.part(items[currentIndex], PathKey(intValue: currentIndex))
  }
}
