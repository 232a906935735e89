/// A tree of the key sequences of the objects read so far, with one node for each sequence.
///
/// Reading an object walks from the root along its keys. The node taken last is tried first, by comparing its bytes
/// without searching for the key's end. Objects that end at the same node share one `Shape`. Keys are checked for
/// duplicates only when a node is created.
///
/// - Memory: Bounded by `nodeLimit` nodes and `byteLimit` bytes of keys; after `refusalLimit` refused keys, the next
///   text starts with an empty cache.
struct JSONShapeCache: Sendable {
  /// The part of a node without owned memory, so that walking needs no reference counting.
  private struct Node {
    var parent: Int
    var keyStart: Int
    var keyCount: Int
    var length: Int
    /// Whether the key appears in a JSON text without escapes.
    var isPlain: Bool
    var children = 0
    var latestChild = -1
    var firstChild = -1
    var nextSibling = -1
  }

  /// The result of a step along a key.
  enum Step: Equatable {
    case node(Int)
    /// The object already has the key, at this index.
    case duplicate(Int)
    /// The cache does not store the shape; the object keeps its own keys.
    case refused
  }

  static let root = 0
  private static let nodeLimit = 4096
  private static let byteLimit = 256 * 1024
  private static let childLimit = 32
  private static let lengthLimit = 256
  private static let refusalLimit = 4096

  private var nodes: [Node] = []
  private var names: [Value] = []
  private var shapes: [Shape?] = []
  private var keyBytes: [UInt8] = []
  private var refusals = 0

  init() {
    // Room for the few keys that most texts have.
    nodes.reserveCapacity(12)
    names.reserveCapacity(12)
    shapes.reserveCapacity(12)
    keyBytes.reserveCapacity(96)
    nodes.append(Node(parent: -1, keyStart: 0, keyCount: 0, length: 0, isPlain: false))
    names.append(.null)
    shapes.append(.empty)
  }

  /// Starts over if the keys of many objects did not fit. Called between texts, when nothing refers to a node.
  mutating func refresh() {
    if refusals >= Self.refusalLimit { self = JSONShapeCache() }
  }

  /// Returns the child whose key is at `bytes`, followed by a quotation mark, or -1; and the key's length.
  @inline(__always)
  mutating func plainChild(of node: Int, at bytes: UnsafePointer<UInt8>, available: Int) -> (node: Int, count: Int) {
    let latest = nodes[node].latestChild
    if latest >= 0, matches(latest, bytes, available) { return (latest, nodes[latest].keyCount) }
    return otherPlainChild(of: node, at: bytes, available: available)
  }

  @inline(never)
  private mutating func otherPlainChild(
    of node: Int, at bytes: UnsafePointer<UInt8>, available: Int
  ) -> (node: Int, count: Int) {
    var child = nodes[node].firstChild
    while child >= 0 {
      if matches(child, bytes, available) {
        nodes[node].latestChild = child
        return (child, nodes[child].keyCount)
      }
      child = nodes[child].nextSibling
    }
    return (-1, 0)
  }

  @inline(__always)
  private func matches(_ node: Int, _ bytes: UnsafePointer<UInt8>, _ available: Int) -> Bool {
    let count = nodes[node].keyCount
    guard nodes[node].isPlain, count < available, bytes[count] == 0x22 else { return false }
    return equal(node, bytes, count)
  }

  @inline(__always)
  private func equal(_ node: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let start = nodes[node].keyStart
    return keyBytes.withUnsafeBufferPointer { keys in
      var index = 0
      while index < count {
        if keys[start + index] != bytes[index] { return false }
        index += 1
      }
      return true
    }
  }

  /// Returns the child for a key, and creates it if there is room.
  mutating func child(of node: Int, key: UnsafeBufferPointer<UInt8>, isPlain: Bool) -> Step {
    guard let base = key.baseAddress ?? UnsafePointer(bitPattern: 1) else { return .refused }
    var child = nodes[node].firstChild
    while child >= 0 {
      if nodes[child].keyCount == key.count, equal(child, base, key.count) {
        nodes[node].latestChild = child
        return .node(child)
      }
      child = nodes[child].nextSibling
    }
    var ancestor = node
    while ancestor != Self.root {
      if nodes[ancestor].keyCount == key.count, equal(ancestor, base, key.count) {
        return .duplicate(nodes[ancestor].length - 1)
      }
      ancestor = nodes[ancestor].parent
    }
    guard nodes.count < Self.nodeLimit, nodes[node].children < Self.childLimit,
      nodes[node].length < Self.lengthLimit, keyBytes.count + key.count <= Self.byteLimit
    else {
      refusals += 1
      return .refused
    }
    return .node(add(key, to: node, isPlain: isPlain))
  }

  private mutating func add(_ key: UnsafeBufferPointer<UInt8>, to node: Int, isPlain: Bool) -> Int {
    let new = nodes.count
    var made = Node(
      parent: node, keyStart: keyBytes.count, keyCount: key.count, length: nodes[node].length + 1, isPlain: isPlain)
    made.nextSibling = nodes[node].firstChild
    nodes.append(made)
    names.append(.string(String(decoding: key, as: UTF8.self)))
    shapes.append(nil)
    keyBytes.append(contentsOf: key)
    nodes[node].firstChild = new
    nodes[node].latestChild = new
    nodes[node].children += 1
    return new
  }

  /// Returns the shape of an object that ends at a node.
  @inline(__always)
  mutating func shape(of node: Int) -> Shape {
    if let shape = shapes[node] { return shape }
    let shape = Shape(keys(of: node))
    shapes[node] = shape
    return shape
  }

  /// Returns the keys from the root to a node, in order.
  func keys(of node: Int) -> [Value] {
    var keys: [Value] = []
    keys.reserveCapacity(nodes[node].length)
    var node = node
    while node != Self.root {
      keys.append(names[node])
      node = nodes[node].parent
    }
    keys.reverse()
    return keys
  }

  /// Returns the last key on the path to a node.
  func key(of node: Int) -> String? {
    if case .string(let name) = names[node] { name } else { nil }
  }
}
