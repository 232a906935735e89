extension TolerantSyntaxTree {
  /// The position of the cursor in the tree.
  enum Spot {
    /// A key of an object, or a position where one may begin.
    case key(of: Int, Slot)
    /// The value of a member or an element; `parent` is the object or array, `key` the member's name.
    case value(of: Int, key: String?, Slot)
    /// A position inside a string value.
    case text(Int)
    /// A position before or after the whole text.
    case outside
  }

  /// A place for a key or a value.
  struct Slot {
    /// The existing member or element at the position.
    var node: Int?
    /// The range to replace: a word, a partial string, or nothing.
    var replaced: Range<Int>
    /// Offset at which a comma must be added before the position.
    var commaBefore: Int?
    /// Whether a comma must be added after the position.
    var needsCommaBehind = false
  }

  /// Returns the spot at a position between two bytes.
  func spot(at offset: Int) -> Spot {
    guard let root = nodes.first, root.kind == .object || root.kind == .list, contains(offset, 0) else {
      return .outside
    }
    var container = 0
    while true {
      guard let child = child(of: container, startingBefore: offset - 1) else {
        return slot(in: container, offset, after: nil)
      }
      let node = nodes[child]
      if let key = node.key, offset <= key.range.upperBound {
        return .key(of: container, Slot(node: child, replaced: written(key.range, isClosed: isClosed(key), offset)))
      }
      if let comma = node.comma, offset > comma { return slot(in: container, offset, after: child) }
      if node.kind == .missing {
        guard let colon = node.key?.colon, offset > colon else { return .outside }
        return .value(
          of: container, key: node.key?.name,
          Slot(node: child, replaced: offset..<offset, needsCommaBehind: isBeforeValue(offset)))
      }
      if node.range.lowerBound >= offset {
        // Directly before the value, which is replaced.
        guard node.range.lowerBound == offset, node.kind == .string || node.kind == .word else { return .outside }
        return .value(of: container, key: node.key?.name, Slot(node: child, replaced: node.range))
      }
      switch node.kind {
      case .string where contains(offset, child): return .text(child)
      case .word where offset <= node.range.upperBound:
        return .value(of: container, key: node.key?.name, Slot(node: child, replaced: node.range))
      case .object where contains(offset, child), .list where contains(offset, child): container = child
      default: return slot(in: container, offset, after: child)
      }
    }
  }

  /// Returns the slot for a member or element after another one.
  private func slot(in container: Int, _ offset: Int, after child: Int?) -> Spot {
    var slot = Slot(node: nil, replaced: offset..<offset, needsCommaBehind: isBeforeValue(offset))
    if let child, nodes[child].comma == nil || nodes[child].comma ?? 0 >= offset {
      slot.commaBefore = nodes[child].whole.upperBound
      if nodes[child].comma != nil { slot.needsCommaBehind = false }
    }
    return nodes[container].kind == .object ? .key(of: container, slot) : .value(of: container, key: nil, slot)
  }

  /// Whether the place is between the brackets or quotation marks of a node.
  private func contains(_ offset: Int, _ node: Int) -> Bool {
    let range = nodes[node].range
    guard range.lowerBound < offset else { return false }
    return nodes[node].isClosed ? offset < range.upperBound : offset <= range.upperBound
  }

  private func isClosed(_ key: Key) -> Bool {
    key.range.count > 1 && key.isQuoted && bytes[key.range.upperBound - 1] == UInt8(ascii: "\"")
  }

  /// Returns the range of a string or word to replace; an unclosed one ends with the word at the cursor.
  func written(_ range: Range<Int>, isClosed: Bool, _ offset: Int) -> Range<Int> {
    if isClosed { return range }
    var end = min(max(offset, range.lowerBound), range.upperBound)
    while end < range.upperBound, Self.isWordByte(bytes[end]) { end += 1 }
    return range.lowerBound..<end
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
  }

  /// Whether the byte may be one of a name in an expression.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a key or a value follows without a comma.
  private func isBeforeValue(_ offset: Int) -> Bool {
    var place = offset
    while place < bytes.count, TolerantParser.isSpace(bytes[place]) { place += 1 }
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"): return false
    default: return true
    }
  }

  // MARK: Nodes by position

  /// Returns the member whose key contains the byte at `offset`, or the innermost value that contains it.
  func node(at offset: Int) -> (node: Int, isKey: Bool)? {
    guard let root = nodes.first, root.range.contains(offset) else { return nil }
    var current = 0
    while true {
      guard let child = child(of: current, startingBefore: offset) else { return (current, false) }
      if let key = nodes[child].key, key.range.contains(offset) { return (child, true) }
      guard nodes[child].range.contains(offset) else { return (current, false) }
      current = child
    }
  }
}
