// The containers of `ValueEncoder`. Scalars also take the generic path, through their own coding, to the last of them.

struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { node.set(key.stringValue, EncodedNode(.value(.null))) }

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

  func encodeNil() { node.append(EncodedNode(.value(.null))) }

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
