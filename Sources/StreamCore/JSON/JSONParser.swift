/// Parses a JSON text (strictly RFC 8259) into a value.
///
/// It does not recurse: open containers are on a work stack of `JSONFrame`s, so no nesting overflows the call stack.
///
/// - Memory: The value, and one frame for each open level.
struct JSONParser<Recorder: JSONRecorder> {
  let base: UnsafePointer<UInt8>
  let end: Int
  let limits: JSONLimits
  var position: Int
  var recorder: Recorder
  /// The list or object that is being filled; `.outermost` outside of all.
  var current = JSONFrame.outermost

  init(_ bytes: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>, limits: JSONLimits, recorder: Recorder) {
    self.base = base
    self.end = bytes.count
    self.limits = limits
    self.recorder = recorder
    let hasMark = end >= 3 && base[0] == 0xEF && base[1] == 0xBB && base[2] == 0xBF
    position = hasMark ? 3 : 0
  }

  /// Reads the whole text.
  mutating func parse(_ workspace: inout JSONWorkspace) throws(JSONError) -> Value {
    guard end <= limits.bytes else { throw tooLarge() }
    skipSpace()
    guard position < end else { throw emptyText() }
    while true {
      var value: Value
      switch base[position] {
      case UInt8(ascii: "\""):
        let start = position
        value = .string(try readString(&workspace))
        recorder.scalar(start..<position)
      case UInt8(ascii: "{"):
        try open(.object, &workspace)
        if try readFirstKey(&workspace) { continue }
        value = close(&workspace)
      case UInt8(ascii: "["):
        try open(.list, &workspace)
        guard position < end else { throw unexpectedEnd(workspace) }
        guard base[position] == UInt8(ascii: "]") else { continue }
        value = close(&workspace)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let start = position
        value = try readNumber(workspace)
        recorder.scalar(start..<position)
      default:
        value = try readWord(workspace)
      }
      if try deliver(&value, &workspace) { return value }
    }
  }

  /// Stores a value in its container, closes containers that end after it, and advances to the next value. Returns true
  /// at the end of the text.
  @inline(__always)
  private mutating func deliver(_ value: inout Value, _ workspace: inout JSONWorkspace) throws(JSONError) -> Bool {
    while true {
      switch current.kind {
      case .outermost:
        skipSpace()
        if position < end { throw trailingText() }
        return true
      case .list:
        workspace.values.append(value)
        skipSpace()
        guard position < end else { throw unexpectedEnd(workspace) }
        if base[position] == UInt8(ascii: ",") {
          let comma = position
          position += 1
          skipSpace()
          guard position < end else { throw unexpectedEnd(workspace) }
          if base[position] == UInt8(ascii: "]") { throw trailingComma(at: comma, before: "]", workspace) }
          return false
        }
        guard base[position] == UInt8(ascii: "]") else { throw missingComma(workspace) }
      case .object:
        if Recorder.collects && current.dropsNext {
          current.dropsNext = false
        } else {
          workspace.values.append(value)
        }
        skipSpace()
        guard position < end else { throw unexpectedEnd(workspace) }
        if base[position] == UInt8(ascii: ",") {
          let comma = position
          position += 1
          skipSpace()
          guard position < end else { throw unexpectedEnd(workspace) }
          if base[position] == UInt8(ascii: "}") { throw trailingComma(at: comma, before: "}", workspace) }
          try readKey(&workspace)
          return false
        }
        guard base[position] == UInt8(ascii: "}") else { throw missingComma(workspace) }
      }
      value = close(&workspace)
    }
  }

  /// Opens the array or object at the current bracket and skips the white space after it.
  @inline(__always)
  private mutating func open(_ kind: JSONFrame.Kind, _ workspace: inout JSONWorkspace) throws(JSONError) {
    if current.kind != .outermost {
      guard workspace.frames.count + 2 <= limits.depth else { throw tooDeep(workspace) }
      workspace.frames.append(current)
    }
    recorder.open(at: position)
    current = JSONFrame(kind, opened: position, start: workspace.values.count)
    position += 1
    skipSpace()
  }

  /// Closes the list or object at the current bracket, continues with the enclosing one and returns the closed value.
  @inline(__always)
  private mutating func close(_ workspace: inout JSONWorkspace) -> Value {
    position += 1
    recorder.close(at: position)
    let value = current.value(&workspace)
    current = workspace.frames.popLast() ?? .outermost
    return value
  }

  @inline(__always)
  mutating func skipSpace() {
    while position < end {
      let byte = base[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }
}

/// Storage kept between texts, so that a line reuses the allocations of the previous one.
struct JSONWorkspace: Sendable {
  var shapes = JSONShapeCache()
  /// The lists and objects around the current one, outermost first.
  var frames: [JSONFrame] = []
  /// The values of all open lists and objects, those of the outermost first.
  var values: [Value] = []
  /// The decoded bytes of a string with escapes.
  var scratch: [UInt8] = []
}
