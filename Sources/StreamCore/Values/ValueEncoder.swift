/// Encodes any `Encodable` type as a `Value`.
///
/// ```swift
/// let value = try ValueEncoder().encode(Reading(sensor: "a", celsius: 20))
/// ```
///
/// Keys keep the order in which they are encoded. A nested `Value`, `[UInt8]`, `Timestamp` or `Duration` is kept
/// unchanged; signed integers become ints, unsigned integers uints, floating-point numbers doubles. A
/// `Date` becomes a timestamp, a `URL` a string, a `Decimal` a number, and `Data` becomes bytes.
public struct ValueEncoder: Sendable {
  public init() {}

  /// Returns the encoded value; a type that encodes nothing becomes an empty map, as with other encoders.
  public func encode(_ value: some Encodable) throws -> Value {
    try EncodedNode.encode(value, path: []).value
  }
}

/// A value that is being encoded: a reference, because containers outlive the calls that make them.
final class EncodedNode {
  enum Content {
    case none
    case value(Value)
    case list([EncodedNode])
    case map(keys: [String], places: [String: Int], nodes: [EncodedNode])
  }

  var content: Content

  init(_ content: Content = .none) { self.content = content }

  private static func isBytes<T>(_ value: T) -> Bool { T.self == [UInt8].self }

  /// Encodes one value; values of types that a `Value` can hold are kept unchanged.
  static func encode(_ value: some Encodable, path: [any CodingKey]) throws -> EncodedNode {
    switch value {
    case let value as Value: return EncodedNode(.value(value))
    // NB: An empty array of any type can be cast to `[UInt8]`, so the static type is checked too.
    case let bytes as [UInt8] where isBytes(value): return EncodedNode(.value(.bytes(bytes)))
    case let value as Timestamp: return EncodedNode(.value(.timestamp(value)))
    case let value as Duration: return EncodedNode(.value(.duration(value)))
    default:
      if let value = try FoundationTypes.value(of: value) { return EncodedNode(.value(value)) }
      let node = EncodedNode()
      try value.encode(to: NodeEncoder(node: node, codingPath: path))
      return node
    }
  }

  /// The finished value.
  var value: Value {
    switch content {
    case .none: .map(ValueMap())
    case .value(let value): value
    case .list(let nodes): .list(nodes.map(\.value))
    case .map(let keys, _, let nodes): .map(ValueMap(shape: Shape(names: keys), slots: nodes.map(\.value)))
    }
  }

  /// Makes this a map if it is not one, and sets a member, which replaces an earlier one with the same key.
  func set(_ key: String, _ node: EncodedNode) {
    becomeMap()
    guard case .map(var keys, var places, var nodes) = content else { return }
    content = .none
    if let place = places[key] {
      nodes[place] = node
    } else {
      places[key] = keys.count
      keys.append(key)
      nodes.append(node)
    }
    content = .map(keys: keys, places: places, nodes: nodes)
  }

  func becomeMap() {
    if case .map = content { return }
    content = .map(keys: [], places: [:], nodes: [])
  }

  func becomeList() {
    if case .list = content { return }
    content = .list([])
  }

  func append(_ node: EncodedNode) {
    becomeList()
    guard case .list(var nodes) = content else { return }
    content = .none
    nodes.append(node)
    content = .list(nodes)
  }

  var count: Int {
    if case .list(let nodes) = content { nodes.count } else { 0 }
  }
}

struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeMap()
    return KeyedEncodingContainer(KeyedNodeContainer<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return UnkeyedNodeContainer(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleNodeContainer(node: node, codingPath: codingPath)
  }
}
