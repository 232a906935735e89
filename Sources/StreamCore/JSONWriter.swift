/// Writes values as JSON.
///
/// Keys keep their order and doubles have the fewest digits that read back as themselves, so that writing is stable.
/// What JSON has no form for is written as protobuf does: NaN and the infinities, bytes (base64), timestamps (RFC 3339)
/// and durations (`1.5s`) as strings, unsigned ints as numbers, keys that are no strings as their text. `Value`'s own
/// coding is the lossless form.
///
/// It does not recurse: no value, however deep, overflows the stack.
public struct JSONWriter: Sendable {
  private init() {}

  /// The value without white space.
  public static func compact(_ value: Value) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value over several lines, indented by two spaces; short inner lists and objects stay on one line.
  public static func pretty(_ value: Value) -> String {
    var layout = JSONLayout()
    layout.write(value)
    return String(decoding: layout.bytes, as: UTF8.self)
  }

  /// Appends the value without white space.
  public static func append(_ value: Value, to bytes: inout [UInt8]) {
    var open: [Level] = []
    var next: Value? = value
    while true {
      if let value = next {
        switch value {
        case .list(let items):
          bytes.append(UInt8(ascii: "["))
          open.append(Level(shape: nil, items: items))
        case .map(let map):
          bytes.append(UInt8(ascii: "{"))
          open.append(Level(shape: map.shape, items: map.slots))
        default:
          appendScalar(value, to: &bytes)
        }
      }
      guard !open.isEmpty else { return }
      next = advance(&open[open.count - 1], &bytes)
      if next == nil { open.removeLast() }
    }
  }

  /// A list or map that is being written.
  private struct Level {
    let shape: Shape?
    let items: [Value]
    var place = 0
  }

  /// Writes scalars up to the next list or map, which it returns, or up to the closing bracket.
  private static func advance(_ level: inout Level, _ bytes: inout [UInt8]) -> Value? {
    while level.place < level.items.count {
      let place = level.place
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      if let shape = level.shape {
        appendKey(shape.keys[place], to: &bytes)
        bytes.append(UInt8(ascii: ":"))
      }
      level.place += 1
      let item = level.items[place]
      switch item {
      case .list, .map: return item
      default: appendScalar(item, to: &bytes)
      }
    }
    bytes.append(level.shape == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    return nil
  }
}
