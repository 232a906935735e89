/// Parses JSON text and recovers from errors. It does not recurse, so any depth is supported.
struct TolerantParser {
  private let bytes: [UInt8]
  private(set) var nodes: [TolerantSyntaxTree.Node] = []
  private var position = 0
  /// The open arrays and objects, outermost first.
  private var open: [Int] = []
  /// The member of the innermost object that waits for its value.
  private var waiting: Int?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "{"): begin(.object)
      case UInt8(ascii: "["): begin(.list)
      case UInt8(ascii: "}"): end(.object)
      case UInt8(ascii: "]"): end(.list)
      case UInt8(ascii: ","): comma()
      case UInt8(ascii: ":"): colon()
      default: scalar()
      }
    }
    while !open.isEmpty { close(at: bytes.count, isClosed: false) }
  }

  // MARK: Brackets

  private mutating func begin(_ kind: TolerantSyntaxTree.Node.Kind) {
    // Another object begins where a key is expected: the closing brace of the previous one is missing.
    if kind == .object, waiting == nil, let last = open.last, nodes[last].kind == .object,
      let outer = nodes[last].parent, nodes[outer].kind == .list
    {
      close(at: position, isClosed: false)
    }
    if !nodes.isEmpty, open.isEmpty {
      // Text behind the end.
      position += 1
      return
    }
    let node = add(kind, position..<position + 1)
    open.append(node)
    waiting = nil
    position += 1
  }

  private mutating func end(_ kind: TolerantSyntaxTree.Node.Kind) {
    defer { position += 1 }
    guard let depth = open.lastIndex(where: { nodes[$0].kind == kind }) else { return }
    while open.count > depth + 1 { close(at: position, isClosed: false) }
    // A bracket too many does not end the text.
    if depth == 0, !isBlank(from: position + 1) { return }
    close(at: position + 1, isClosed: true)
  }

  private mutating func close(at end: Int, isClosed: Bool) {
    guard let node = open.popLast() else { return }
    nodes[node].range = nodes[node].range.lowerBound..<end
    nodes[node].isClosed = isClosed
    waiting = nil
  }

  private func isBlank(from start: Int) -> Bool {
    var place = start
    while place < bytes.count {
      if !Self.isSpace(bytes[place]) { return false }
      place += 1
    }
    return true
  }

  // MARK: Signs

  private mutating func comma() {
    if let last = open.last, let child = nodes[last].children.last, nodes[child].comma == nil {
      nodes[child].comma = position
    }
    waiting = nil
    position += 1
  }

  private mutating func colon() {
    if let last = open.last, let child = nodes[last].children.last, nodes[child].kind == .missing,
      nodes[child].key?.colon == nil
    {
      nodes[child].key?.colon = position
      nodes[child].range = position + 1..<position + 1
      waiting = child
    }
    position += 1
  }

  // MARK: Scalars

  private mutating func scalar() {
    let start = position
    let isString = bytes[start] == UInt8(ascii: "\"")
    let isClosed = isString ? skipString() : skipWord()
    let range = start..<position
    if open.isEmpty, !nodes.isEmpty { return }
    let isInObject = open.last.map { nodes[$0].kind == .object } ?? false
    // A key may appear where a value is expected, since the value has not been written yet.
    if isInObject, waiting == nil || (isString && isClosed && isBeforeColon) {
      waiting = nil
      let name =
        isString
        ? TolerantText(bytes, range, isClosed: isClosed).text : String(decoding: bytes[range], as: UTF8.self)
      let node = add(.missing, range.upperBound..<range.upperBound)
      nodes[node].key = TolerantSyntaxTree.Key(name: name, range: range, isQuoted: isString)
    } else {
      let node = add(isString ? .string : .word, range)
      nodes[node].isClosed = isClosed
      waiting = nil
    }
  }

  /// Skips a string, which ends at the end of its line at the latest. Returns whether it is closed.
  private mutating func skipString() -> Bool {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case 0x0A, 0x0D: return false
      case UInt8(ascii: "\\") where position + 1 < bytes.count && bytes[position + 1] != 0x0A: position += 2
      default: position += 1
      }
    }
    return false
  }

  private mutating func skipWord() -> Bool {
    while position < bytes.count, !Self.isSpace(bytes[position]), !Self.isSign(bytes[position]) { position += 1 }
    return true
  }

  private var isBeforeColon: Bool {
    var place = position
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place < bytes.count && bytes[place] == UInt8(ascii: ":")
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func isSign(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
      UInt8(ascii: ":"), UInt8(ascii: "\""):
      true
    default: false
    }
  }

  /// Adds a value: to the member that is waiting for one, or to the open container.
  private mutating func add(_ kind: TolerantSyntaxTree.Node.Kind, _ range: Range<Int>) -> Int {
    if let member = waiting {
      nodes[member].kind = kind
      nodes[member].range = range
      return member
    }
    var node = TolerantSyntaxTree.Node(kind: kind, range: range)
    if let parent = open.last {
      node.parent = parent
      node.index = nodes[parent].children.count
      nodes[parent].children.append(nodes.count)
    }
    nodes.append(node)
    return nodes.count - 1
  }
}
