// The containers of `ValueEncoder`. The protocols ask for one method for each type of number.

struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func set(_ value: Value, _ key: Key) { node.set(key.stringValue, EncodedNode(.value(value))) }

  func encodeNil(forKey key: Key) { set(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { set(.double(Double(value)), key) }
  func encode(_ value: Float, forKey key: Key) { set(.double(Double(value)), key) }
  func encode(_ value: Int, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { set(.int(Int64(value)), key) }
  func encode(_ value: UInt, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { set(.uint(UInt64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { set(.uint(UInt64(value)), key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    node.set(key.stringValue, try EncodedNode.encode(value, path: codingPath + [key]))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { nested(PathKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> NodeEncoder {
    let inner = EncodedNode()
    node.set(key.stringValue, inner)
    return NodeEncoder(node: inner, codingPath: codingPath + [key])
  }
}

struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  private func add(_ value: Value) { node.append(EncodedNode(.value(value))) }

  func encodeNil() { add(.null) }
  func encode(_ value: Bool) { add(.bool(value)) }
  func encode(_ value: String) { add(.string(value)) }
  func encode(_ value: Double) { add(.double(Double(value))) }
  func encode(_ value: Float) { add(.double(Double(value))) }
  func encode(_ value: Int) { add(.int(Int64(value))) }
  func encode(_ value: Int8) { add(.int(Int64(value))) }
  func encode(_ value: Int16) { add(.int(Int64(value))) }
  func encode(_ value: Int32) { add(.int(Int64(value))) }
  func encode(_ value: Int64) { add(.int(Int64(value))) }
  func encode(_ value: UInt) { add(.uint(UInt64(value))) }
  func encode(_ value: UInt8) { add(.uint(UInt64(value))) }
  func encode(_ value: UInt16) { add(.uint(UInt64(value))) }
  func encode(_ value: UInt32) { add(.uint(UInt64(value))) }
  func encode(_ value: UInt64) { add(.uint(UInt64(value))) }

  func encode(_ value: some Encodable) throws {
    node.append(try EncodedNode.encode(value, path: codingPath + [PathKey(intValue: count)]))
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> NodeEncoder {
    let encoder = NodeEncoder(node: EncodedNode(), codingPath: codingPath + [PathKey(intValue: count)])
    node.append(encoder.node)
    return encoder
  }
}

struct SingleNodeContainer: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  private func set(_ value: Value) { node.content = .value(value) }

  func encodeNil() { set(.null) }
  func encode(_ value: Bool) { set(.bool(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Double) { set(.double(Double(value))) }
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
    node.content = try EncodedNode.encode(value, path: codingPath).content
  }
}
