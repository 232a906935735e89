// The containers of `ValueDecoder`. The protocols' methods for single types fall back to the generic ones here.

struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let map: ValueMap
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    map.keys.compactMap { key in
      switch key {
      case .string(let name): Key(stringValue: name)
      case .int(let number): Int(exactly: number).flatMap(Key.init(intValue:))
      default: nil
      }
    }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  private func find(_ key: Key) -> Value? {
    map[key.stringValue] ?? key.intValue.flatMap { map[.int(Int64($0))] }
  }

  private func member(_ key: Key) throws -> Value {
    if let value = find(key) { return value }
    throw Diagnostic(.missingField, "the field '\(key.stringValue)' is missing", at: JSONPointer([key.stringValue]))
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try member(key) { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(key).decode(type)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let inner = try decoder(key)
    return try inner.relative { try $0.container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let inner = try decoder(key)
    return try inner.relative { try $0.unkeyedContainer() }
  }

  func superDecoder() throws -> any Decoder {
    PartDecoder(value: map["super"] ?? .null, codingPath: codingPath + [PathKey(stringValue: "super")])
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> PartDecoder {
    PartDecoder(value: try member(key), codingPath: codingPath + [key])
  }
}

struct UnkeyedValueContainer: UnkeyedDecodingContainer {
  let items: [Value]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(items: [Value], codingPath: [any CodingKey]) {
    self.items = items
    self.codingPath = codingPath
  }

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
    let result = try next().relative { try $0.container(keyedBy: type) }
    currentIndex += 1
    return result
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let result = try next().relative { try $0.unkeyedContainer() }
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
      throw Diagnostic(.missingField, "the list ends after \(items.count) elements; one more is needed")
    }
    return PartDecoder(value: items[currentIndex], codingPath: codingPath + [PathKey(intValue: currentIndex)])
  }
}
