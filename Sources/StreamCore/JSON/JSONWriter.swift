/// Writes values as JSON.
///
/// ```swift
/// let line = JSONWriter.compact(value)
/// ```
///
/// Keys keep their order, and doubles are written with the fewest digits that read back as the same double, so the
/// output is stable. Values without a JSON form are written as protobuf writes them: NaN, the infinities, bytes
/// (base64), timestamps (RFC 3339) and durations (`1.5s`) as strings, unsigned integers as numbers, keys of other types
/// as strings. An optional is written as its value, or as null. `Value.taggedForJSON` is lossless.
///
/// Writing does not recurse: no value, however deep, overflows the stack.
public struct JSONWriter: Sendable {
  private init() {}

  /// Returns the value without white space.
  public static func compact(_ value: Value) -> String {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the value without white space, as text that every JSON parser accepts.
  ///
  /// - Throws: `invalidConversion` if two keys of a map have the same name in JSON, such as `1` and `'1'`.
  public static func text(of value: Value) throws(Diagnostic) -> String {
    var bytes: [UInt8] = []
    if let name = append(value, to: &bytes) { throw repeated(name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the error for a map with two keys of the same name.
  package static func repeated(_ name: String) -> Diagnostic {
    Diagnostic(
      .invalidConversion, "two keys of a map have the same name in JSON: \(compact(.string(name)))",
      help: "give the map keys of one type, or different names")
  }

  /// Returns the value on several lines, indented by two spaces; short inner arrays and objects stay on one line.
  public static func pretty(_ value: Value) -> String {
    var layout = JSONLayout<Value>()
    layout.write(value)
    return String(decoding: layout.bytes, as: UTF8.self)
  }

  /// Returns the value without white space, truncated to a number of bytes.
  ///
  /// NB: A value that contains another one twice doubles its text without using more memory, so its text may exceed any
  /// memory.
  package static func beginning(of value: Value, bytes limit: Int) -> String {
    var bytes: [UInt8] = []
    guard !append(value, to: &bytes, upTo: limit).isWhole else { return String(decoding: bytes, as: UTF8.self) }
    // The limit may have split a scalar.
    return String(decoding: bytes.prefix(limit), as: UTF8.self) + "…"
  }

  /// Returns the length of the value without white space, in bytes; `limit` or a little more if it is longer than that.
  package static func length(of value: Value, upTo limit: Int) -> Int {
    var bytes: [UInt8] = []
    _ = append(value, to: &bytes, upTo: limit)
    return bytes.count
  }

  /// Appends the value without white space.
  ///
  /// - Returns: A name that two keys of a map share in JSON, which JSON parsers reject; nil if there is none.
  @discardableResult
  public static func append(_ value: Value, to bytes: inout [UInt8]) -> String? {
    append(value, to: &bytes, upTo: .max).repeatedName
  }

  /// The result of appending a value up to a limit.
  package struct Extent {
    /// Whether the whole value was written: the limit was not exceeded.
    package var isWhole: Bool
    /// A name that two keys of a map share in JSON; nil if there is none.
    package var repeatedName: String?
    /// Whether a number was written as a string: NaN or an infinity, which is not a JSON number.
    package var hasNonFinite = false

    fileprivate mutating func note(_ scalar: Value) {
      if case .double(let number) = scalar, !number.isFinite { hasNonFinite = true }
    }
  }

  /// Appends the value without white space, until there are more than `limit` bytes in all.
  package static func append(_ value: Value, to bytes: inout [UInt8], upTo limit: Int) -> Extent {
    var extent = Extent(isWhole: true)
    guard var level = Level(opening: value, &bytes) else {
      appendScalar(value, to: &bytes)
      extent.note(value)
      extent.isWhole = bytes.count <= limit
      return extent
    }
    var outer: [Level] = []
    extent.repeatedName = level.map?.shape.repeatedName
    while bytes.count <= limit {
      if let inner = level.advance(&bytes, limit, &extent) {
        outer.append(level)
        level = inner
        if extent.repeatedName == nil { extent.repeatedName = level.map?.shape.repeatedName }
      } else {
        guard let last = outer.popLast() else { break }
        level = last
      }
    }
    extent.isWhole = bytes.count <= limit
    return extent
  }

  /// A list or map that is being written.
  private struct Level {
    let map: ValueMap?
    let list: [Value]
    let count: Int
    var place = 0

    private init(_ map: ValueMap?, _ list: [Value], _ count: Int) {
      (self.map, self.list, self.count) = (map, list, count)
    }

    /// Writes the opening bracket of a list or map; nil for other values.
    init?(opening value: Value, _ bytes: inout [UInt8]) {
      switch value {
      case .list(let items):
        self = Level(nil, items.elements, items.count)
        bytes.append(UInt8(ascii: "["))
      case .map(let map):
        self = Level(map, [], map.count)
        bytes.append(UInt8(ascii: "{"))
      case .opaque(let wrapper as any WrappingValue):
        guard let value = wrapper.wrapped, let level = Level(opening: value, &bytes) else { return nil }
        self = level
      default: return nil
      }
    }

    /// Writes up to the next list or map, which it opens and returns, or up to the closing bracket, or until the limit
    /// is exceeded.
    mutating func advance(_ bytes: inout [UInt8], _ limit: Int, _ extent: inout Extent) -> Level? {
      while place < count {
        if bytes.count > limit { return nil }
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        if let map {
          JSONWriter.appendKey(map.shape.keys[place], to: &bytes)
          bytes.append(UInt8(ascii: ":"))
        }
        let item = map?.slots[place] ?? list[place]
        place += 1
        if let inner = Level(opening: item, &bytes) { return inner }
        JSONWriter.appendScalar(item, to: &bytes)
        extent.note(item)
      }
      bytes.append(map == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
      return nil
    }
  }
}
