internal import StreamCore

/// The syntax tree of JSON text that may be incomplete, with missing brackets, quotation marks and commas.
///
/// Well-formed text gives the same tree as the JSON parser. Any bytes give a tree.
struct TolerantSyntaxTree: Sendable {
  /// A value or a member, or one that is begun.
  struct Node: Sendable {
    enum Kind: Sendable {
      case object, list, string
      /// A number, `true`, `false`, `null` or an invalid word.
      case word
      /// A member without a value.
      case missing
    }

    var kind: Kind
    /// Range of the node; for a missing node, the position where it belongs.
    var range: Range<Int>
    /// Whether its bracket or quotation mark is closed.
    var isClosed = false
    var key: Key?
    var parent: Int?
    /// The place among the children of its parent.
    var index = 0
    var children: [Int] = []
    /// Offset of the comma after the node.
    var comma: Int?

    /// Range from the key, or from the value if there is no key, to the end of the value.
    var whole: Range<Int> {
      let start = key?.range.lowerBound ?? range.lowerBound
      return start..<max(start, range.upperBound)
    }
  }

  struct Key: Sendable {
    var name: String
    /// With its quotation marks.
    var range: Range<Int>
    var isQuoted: Bool
    /// Offset of the colon.
    var colon: Int?
  }

  let bytes: [UInt8]
  /// In the order of the text; the first is the root.
  let nodes: [Node]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var parser = TolerantParser(bytes)
    parser.parse()
    nodes = parser.nodes
  }

  /// The child of an object with this key; of several the last, as it counts.
  func member(_ name: String, of node: Int) -> Int? {
    guard nodes.indices.contains(node), nodes[node].kind == .object else { return nil }
    return nodes[node].children.last { nodes[$0].key?.name == name && nodes[$0].key?.colon != nil }
  }

  /// The node that a pointer names.
  func node(at pointer: JSONPointer) -> Int? {
    guard var node = nodes.isEmpty ? nil : 0 else { return nil }
    for token in pointer.tokens {
      if nodes[node].kind == .list {
        guard let index = JSONPointer.index(token), index < nodes[node].children.count else { return nil }
        node = nodes[node].children[index]
      } else {
        guard let next = member(token, of: node) else { return nil }
        node = next
      }
    }
    return node
  }

  /// The nodes from the root to this one.
  func path(to node: Int) -> [Int] {
    var path = [node]
    while let parent = nodes[path[path.count - 1]].parent { path.append(parent) }
    return path.reversed()
  }

  /// The step of a pointer from its parent to the node.
  func token(of node: Int) -> String {
    nodes[node].key?.name ?? String(nodes[node].index)
  }

  func pointer(to node: Int) -> JSONPointer { JSONPointer(path(to: node).dropFirst().map(token)) }

  /// The text of a string, or the letters of a word; nil for other values.
  func text(of node: Int) -> String? {
    switch nodes[node].kind {
    case .string: TolerantText(bytes, nodes[node].range, isClosed: nodes[node].isClosed).text
    case .word: String(decoding: bytes[nodes[node].range], as: UTF8.self)
    default: nil
    }
  }

  /// The child of a list or an object that begins last before the byte at `offset`, or there.
  func child(of node: Int, startingBefore offset: Int) -> Int? {
    let children = nodes[node].children
    var low = 0
    var high = children.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[children[middle]].whole.lowerBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? children[low - 1] : nil
  }
}
