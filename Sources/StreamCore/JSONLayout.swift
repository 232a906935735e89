/// JSON over several lines.
///
/// The outermost list or object, and a list of lists or objects right inside it, have one line for each member. Any
/// other stays on one line, `{ "delay": { "seconds": 1 } }`, where it fits in 100 columns.
struct JSONLayout {
  private static let width = 100

  private(set) var bytes: [UInt8] = []
  private var open: [Level] = []

  /// A list or map that is being written over several lines.
  private struct Level {
    let shape: Shape?
    let items: [Value]
    var place = 0
  }

  mutating func write(_ value: Value) {
    begin(value, lineStart: 0)
    while let level = open.last {
      if level.place == level.items.count {
        open.removeLast()
        startLine()
        bytes.append(level.shape == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        continue
      }
      if level.place > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine()
      let lineStart = bytes.count - 2 * open.count
      if let shape = level.shape { appendKey(shape.keys[level.place]) }
      open[open.count - 1].place += 1
      begin(level.items[level.place], lineStart: lineStart)
    }
  }

  /// Writes a value that fits on the line, or opens its bracket.
  private mutating func begin(_ value: Value, lineStart: Int) {
    switch value {
    case .list(let items) where items.isEmpty: bytes.append(contentsOf: "[]".utf8)
    case .map(let map) where map.isEmpty: bytes.append(contentsOf: "{}".utf8)
    case .list(let items):
      if mayStayOnLine(items, isList: true), appendInline(value, lineStart) { return }
      bytes.append(UInt8(ascii: "["))
      open.append(Level(shape: nil, items: items))
    case .map(let map):
      if mayStayOnLine(map.slots, isList: false), appendInline(value, lineStart) { return }
      bytes.append(UInt8(ascii: "{"))
      open.append(Level(shape: map.shape, items: map.slots))
    default: JSONWriter.appendScalar(value, to: &bytes)
    }
  }

  private func mayStayOnLine(_ items: [Value], isList: Bool) -> Bool {
    let isFlat = items.allSatisfy { item in
      switch item {
      case .list, .map: false
      default: true
      }
    }
    if open.isEmpty { return isList && isFlat }
    return open.count > 1 || !isList || isFlat
  }

  private mutating func startLine() {
    bytes.append(UInt8(ascii: "\n"))
    for _ in open { bytes.append(contentsOf: "  ".utf8) }
  }

  private mutating func appendKey(_ key: Value) {
    JSONWriter.appendKey(key, to: &bytes)
    bytes.append(contentsOf: ": ".utf8)
  }

  /// Writes a list or map on this line if it fits; each level takes four columns, so this does not go deep.
  private mutating func appendInline(_ value: Value, _ lineStart: Int) -> Bool {
    let start = bytes.count
    // A comma may follow.
    if inline(value, lineStart), columns(from: lineStart) < Self.width { return true }
    bytes.removeSubrange(start...)
    return false
  }

  private mutating func inline(_ value: Value, _ lineStart: Int) -> Bool {
    let shape: Shape?
    let items: [Value]
    switch value {
    case .list(let list): (shape, items) = (nil, list)
    case .map(let map): (shape, items) = (map.shape, map.slots)
    default:
      JSONWriter.appendScalar(value, to: &bytes)
      return true
    }
    if items.isEmpty {
      bytes.append(contentsOf: (shape == nil ? "[]" : "{}").utf8)
      return true
    }
    bytes.append(contentsOf: (shape == nil ? "[ " : "{ ").utf8)
    for (place, item) in items.enumerated() {
      if place > 0 { bytes.append(contentsOf: ", ".utf8) }
      if let shape { appendKey(shape.keys[place]) }
      guard columns(from: lineStart) < Self.width, inline(item, lineStart) else { return false }
    }
    bytes.append(contentsOf: (shape == nil ? " ]" : " }").utf8)
    return true
  }

  private func columns(from lineStart: Int) -> Int {
    // Four bytes a column at most: what is longer is not counted.
    guard bytes.count - lineStart <= 4 * Self.width else { return .max }
    return bytes[lineStart...].count { $0 & 0xC0 != 0x80 }
  }
}
