/// JSON over several lines.
///
/// The outermost list or object, and a list of lists or objects directly inside it, have one line for each member. Any
/// other stays on one line, `{ "delay": { "seconds": 1 } }`, if it fits in 100 columns.
package struct JSONLayout<Content: JSONLaidOut> {
  private let width = 100

  package private(set) var bytes: [UInt8] = []
  private let style: JSONStyle
  /// The indentation of the line on which the value begins, repeated on every other line.
  private let margin: [UInt8]
  /// Number of lists and objects around the value.
  private let depth: Int
  private var open: [Level] = []

  /// A list or object that is being written over several lines.
  private struct Level {
    let keys: [Content.Key]?
    let items: [Content]
    var place = 0
  }

  /// - Parameters:
  ///   - margin: The indentation of the line on which the value begins.
  ///   - depth: The number of lists and objects around the value.
  package init(style: JSONStyle = JSONStyle(), margin: [UInt8] = [], depth: Int = 0) {
    self.style = style
    self.margin = margin
    self.depth = depth
  }

  /// Writes the value.
  ///
  /// - Parameters:
  ///   - column: The number of columns of the line that are already used.
  ///   - isOpen: Whether a list or object has its members on separate lines even if it would fit on one.
  package mutating func write(_ value: Content, column: Int = 0, isOpen: Bool = false) {
    begin(value, lineStart: bytes.count - column, isOpen: isOpen)
    while let level = open.last {
      if level.place == level.items.count {
        open.removeLast()
        startLine()
        bytes.append(level.keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        continue
      }
      if level.place > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine()
      let lineStart = bytes.count - margin.count - style.indent.count * open.count
      if let keys = level.keys { appendKey(keys[level.place]) }
      open[open.count - 1].place += 1
      begin(level.items[level.place], lineStart: lineStart)
    }
  }

  /// Writes a value that fits on the line, or its opening bracket.
  private mutating func begin(_ value: Content, lineStart: Int, isOpen: Bool = false) {
    switch value.layoutParts {
    case .scalar: value.appendScalar(to: &bytes)
    case .list(let items) where items.isEmpty: bytes += "[]".utf8
    case .object(_, let items) where items.isEmpty: bytes += "{}".utf8
    case .list(let items):
      if !isOpen, mayStayOnLine(items, isList: true), appendInline(value, lineStart) { return }
      bytes.append(UInt8(ascii: "["))
      open.append(Level(keys: nil, items: items))
    case .object(let keys, let items):
      if !isOpen, mayStayOnLine(items, isList: false), appendInline(value, lineStart) { return }
      bytes.append(UInt8(ascii: "{"))
      open.append(Level(keys: keys, items: items))
    }
  }

  private func mayStayOnLine(_ items: [Content], isList: Bool) -> Bool {
    guard style.hasLines else { return true }
    let isFlat = items.allSatisfy(\.layoutParts.isScalar)
    let level = open.count + depth
    if level == 0 { return isList && isFlat }
    return level > 1 || !isList || isFlat
  }

  private mutating func startLine() {
    bytes += style.lineBreak
    bytes += margin
    for _ in open { bytes += style.indent }
  }

  private mutating func appendKey(_ key: Content.Key) {
    Content.append(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    if style.isSpaced { bytes.append(UInt8(ascii: " ")) }
  }

  /// Writes a list or object on this line if it fits. In a style with lines the recursion is shallow, since each level
  /// takes a few columns; in a style without lines it is as deep as the value.
  private mutating func appendInline(_ value: Content, _ lineStart: Int) -> Bool {
    let start = bytes.count
    // A comma may follow.
    if inline(value, lineStart), fits(lineStart) { return true }
    bytes.removeSubrange(start...)
    return false
  }

  private mutating func inline(_ value: Content, _ lineStart: Int) -> Bool {
    let keys: [Content.Key]?
    let items: [Content]
    switch value.layoutParts {
    case .scalar:
      value.appendScalar(to: &bytes)
      return true
    case .list(let list): (keys, items) = (nil, list)
    case .object(let names, let values): (keys, items) = (names, values)
    }
    let isPadded = !items.isEmpty && style.isSpaced && (keys == nil ? style.padsBrackets : style.padsBraces)
    bytes.append(keys == nil ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    if isPadded { bytes.append(UInt8(ascii: " ")) }
    for (place, item) in items.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      if place > 0, style.isSpaced { bytes.append(UInt8(ascii: " ")) }
      if let keys { appendKey(keys[place]) }
      guard fits(lineStart), DeepStack.run(needing: DeepStack.releaseBytes, { inline(item, lineStart) }) else {
        return false
      }
    }
    if isPadded { bytes.append(UInt8(ascii: " ")) }
    bytes.append(keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    return true
  }

  /// Returns whether the line and one more column are within the width.
  private func fits(_ lineStart: Int) -> Bool {
    guard style.hasLines else { return true }
    // A column has at most four bytes: a line with more bytes is not counted.
    guard bytes.count - lineStart <= 4 * width else { return false }
    let before = max(0, -lineStart)
    return before + bytes[max(0, lineStart)...].count { $0 & 0xC0 != 0x80 } < width
  }
}
