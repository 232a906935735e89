// The containers of `ValueEncoder`. The most frequent scalars are encoded directly, others by their own coding.

struct KeyedPartContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  /// The encoder of the map.
  let encoder: PartEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.set(key, .null) }
  func encode(_ value: Bool, forKey key: Key) { encoder.set(key, .bool(value)) }
  func encode(_ value: String, forKey key: Key) { encoder.set(key, .string(value)) }
  func encode(_ value: Double, forKey key: Key) { encoder.set(key, .double(value)) }
  func encode(_ value: Int, forKey key: Key) { encoder.set(key, .int(Int64(value))) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    encoder.set(key, try PartEncoder.encode(value, encoder.coding, in: encoder, at: key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.part(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder.part(PathKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.part(key) }
}

struct UnkeyedPartContainer: UnkeyedEncodingContainer {
  /// The encoder of the list.
  let encoder: PartEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() { encoder.append(.null) }

  func encode(_ value: some Encodable) throws {
    encoder.append(try PartEncoder.encode(value, encoder.coding, in: encoder, at: PathKey(intValue: count)))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.nextPart().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextPart().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder.nextPart() }
}

extension PartEncoder: SingleValueEncodingContainer {
  func encodeNil() { set(.null) }
  func encode(_ value: Bool) { set(.bool(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Double) { set(.double(value)) }
  func encode(_ value: Float) { set(.double(Double(value))) }
  func encode(_ value: Int) { set(.int(Int64(value))) }
  func encode(_ value: Int8) { set(.int(Int64(value))) }
  func encode(_ value: Int16) { set(.int(Int64(value))) }
  func encode(_ value: Int32) { set(.int(Int64(value))) }
  func encode(_ value: Int64) { set(.int(Int64(value))) }
  func encode(_ value: UInt) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { set(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { set(.uint(UInt64(value))) }

  func encode(_ value: some Encodable) throws {
    set(try PartEncoder.encode(value, coding, in: self, at: nil))
  }
}
