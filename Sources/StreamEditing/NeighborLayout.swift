internal import StreamCore

/// Lays out new values like their neighbors.
struct NeighborLayout {
  private let document: JSONDocument
  private var bytes: [UInt8] { document.source.bytes }

  init(_ document: JSONDocument) { self.document = document }

  /// Returns the text of a value that replaces another.
  ///
  /// - Parameter depth: The number of lists and objects around the value.
  func replacement(for place: JSONPlace, by node: JSONNode, depth: Int) -> [UInt8] {
    let isOpen = hasLineBreak(place.bytes) && depth > 0
    return text(of: node, at: place.bytes.lowerBound, like: place, isOpen: isOpen, depth: depth)
  }

  /// Returns the document's text with a member or element inserted before the one at an index, or at the end.
  func inserting(
    _ node: JSONNode, key: JSONNode.Key?, into container: JSONPlace, _ children: [JSONPlace], at index: Int, depth: Int
  ) -> [UInt8] {
    guard let neighbor = children.indices.contains(index) ? children[index] : children.last else {
      // The first member: the whole container is laid out again.
      let whole: JSONNode = key.map { .object(keys: [$0], values: [node]) } ?? .list([node])
      return document.source.bytes.replacing(
        container.bytes, with: text(of: whole, at: container.bytes.lowerBound, like: container, depth: depth))
    }
    var separator = separator(in: container, children, at: index)
    let start = index < children.count ? neighbor.whole.lowerBound : neighbor.whole.upperBound
    let style = style(near: [neighbor, container])
    if key == nil, index == children.count, !hasLineBreak(neighbor.bytes),
      !fits(node, behind: separator, at: start, style)
    {
      // The element begins the next line, rather than breaking within.
      separator = [UInt8(ascii: ",")] + style.lineBreak + self.margin(at: start) + style.indent
    }
    var member: [UInt8] = []
    // The member begins on its own line, or after other text on the line.
    var column: Int
    let margin: [UInt8]
    if let lineBreak = separator.lastIndex(where: Self.isLineBreak) {
      let line = separator[(lineBreak + 1)...]
      margin = line.filter { $0 != UInt8(ascii: ",") }
      column = line.count
    } else {
      margin = self.margin(at: start)
      column = self.column(at: start) + (index < children.count ? 0 : separator.count)
    }
    if let key {
      member += key
      member += style.isSpaced ? ": ".utf8 : ":".utf8
      column += member.count
    }
    let isAlike = isList(neighbor.value) == node.isList
    let isOpen = isAlike && hasLineBreak(neighbor.bytes)
    // A neighbor on one line says that this one may be, too.
    let mayStay = isAlike && !isOpen && !neighbor.children.isEmpty
    var layout = JSONLayout<JSONNode>(style: style, margin: margin, depth: mayStay ? 2 : depth + 1)
    layout.write(node, column: column, isOpen: isOpen)
    member += layout.bytes
    return document.source.bytes.replacing(
      start..<start, with: index < children.count ? member + separator : separator + member)
  }

  /// Whether a list or object fits on the line of its neighbor.
  private func fits(_ node: JSONNode, behind separator: [UInt8], at offset: Int, _ style: JSONStyle) -> Bool {
    guard node.isList != nil, style.hasLines, !separator.contains(where: Self.isLineBreak) else { return true }
    var layout = JSONLayout<JSONNode>(style: style, depth: 2)
    layout.write(node, column: column(at: offset) + separator.count)
    return !layout.bytes.contains(where: Self.isLineBreak)
  }

  /// Returns the separator between two members: the one next to the position, or one derived from the text before the
  /// first member.
  private func separator(in container: JSONPlace, _ children: [JSONPlace], at index: Int) -> [UInt8] {
    if children.count > 1 {
      let first = min(max(index - 1, 0), children.count - 2)
      return Array(bytes[children[first].whole.upperBound..<children[first + 1].whole.lowerBound])
    }
    let opening = bytes[container.bytes.lowerBound + 1..<children[0].whole.lowerBound]
    if opening.contains(where: Self.isLineBreak) { return [UInt8(ascii: ",")] + opening }
    return style(near: [container]).isSpaced ? Array(", ".utf8) : Array(",".utf8)
  }

  /// Returns the text of a value that follows other text on its line.
  private func text(
    of node: JSONNode, at offset: Int, like place: JSONPlace, isOpen: Bool = false, depth: Int
  ) -> [UInt8] {
    var layout = JSONLayout<JSONNode>(style: style(near: [place]), margin: margin(at: offset), depth: depth)
    layout.write(node, column: column(at: offset), isOpen: isOpen)
    return layout.bytes
  }

  // MARK: Style

  /// Determines the white space from these places, else from the document, else from the style of `streamrun format`.
  private func style(near places: [JSONPlace]) -> JSONStyle {
    var style = JSONStyle()
    let root = document.root
    style.hasLines = hasLineBreak(root.bytes)
    if bytes.contains(0x0D) { style.lineBreak = [0x0D, 0x0A] }
    var search = StyleSearch(bytes)
    for place in places + [root] where !search.isComplete { search.look(into: place) }
    style.padsBraces = search.padsBraces ?? search.padsBrackets ?? style.hasLines
    style.padsBrackets = search.padsBrackets ?? search.padsBraces ?? style.hasLines
    style.isSpaced = search.isSpaced ?? true
    if let first = root.children.first, hasLineBreak(root.bytes.lowerBound..<first.whole.lowerBound) {
      let indent = margin(at: first.whole.lowerBound).dropFirst(margin(at: root.bytes.lowerBound).count)
      if !indent.isEmpty { style.indent = Array(indent) }
    }
    return style
  }

  // MARK: Lines

  /// The white space that the line begins with.
  private func margin(at offset: Int) -> [UInt8] {
    Array(bytes[lineStart(of: offset)...].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  /// Returns the number of columns before a byte on its line.
  private func column(at offset: Int) -> Int {
    bytes[lineStart(of: offset)..<offset].count { $0 & 0xC0 != 0x80 }
  }

  private func lineStart(of offset: Int) -> Int {
    (bytes[..<offset].lastIndex(where: Self.isLineBreak) ?? -1) + 1
  }

  private func hasLineBreak(_ range: Range<Int>) -> Bool { bytes[range].contains(where: Self.isLineBreak) }

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Whether a value is a list, or an object; nil for others.
  private func isList(_ value: Value) -> Bool? {
    switch value {
    case .list: true
    case .map: false
    default: nil
    }
  }
}

/// Searches for examples of white space.
private struct StyleSearch {
  private let bytes: [UInt8]
  private(set) var padsBraces: Bool?
  private(set) var padsBrackets: Bool?
  private(set) var isSpaced: Bool?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isComplete: Bool { padsBraces != nil && padsBrackets != nil && isSpaced != nil }

  mutating func look(into place: JSONPlace) {
    if isSpaced == nil, let key = place.key { isSpaced = isSpace(key.upperBound..<place.bytes.lowerBound) }
    let children = place.children
    guard let first = children.first else { return }
    let opening = place.bytes.lowerBound + 1..<first.whole.lowerBound
    if !bytes[place.bytes].contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      switch place.value {
      case .list: padsBrackets = padsBrackets ?? isSpace(opening)
      default: padsBraces = padsBraces ?? isSpace(opening)
      }
    }
    for child in children where !isComplete { look(into: child) }
  }

  private func isSpace(_ range: Range<Int>) -> Bool { bytes[range].contains(0x20) }
}

extension JSONNode {
  /// Whether it is a list, or an object; nil for others.
  fileprivate var isList: Bool? {
    switch self {
    case .scalar: nil
    case .list: true
    case .object: false
    }
  }
}

extension [UInt8] {
  fileprivate func replacing(_ range: Range<Int>, with new: [UInt8]) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(range, with: new)
    return copy
  }
}
