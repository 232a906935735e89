extension JSONWriter {
  /// Returns the canonical form of a value (RFC 8785): no white space, keys ordered by their UTF-16 code units, numbers
  /// written as ECMAScript writes doubles.
  ///
  /// - Throws: `numberOutOfRange`, with a pointer, for every integer beyond ±(2^53 - 1), which a double cannot
  ///   represent exactly, and for every NaN or infinity.
  public static func canonical(_ value: Value) throws(Diagnostics) -> [UInt8] {
    var writer = SortedJSONWriter(numbers: .ecmaScript)
    writer.write(value)
    try writer.problems.throwErrors()
    return writer.bytes
  }

  /// Returns the value without white space, with keys ordered by their UTF-16 code units and numbers in the writer's
  /// own form, which distinguishes ints from doubles.
  package static func sorted(_ value: Value) -> [UInt8] {
    var writer = SortedJSONWriter(numbers: .typed)
    writer.write(value)
    return writer.bytes
  }
}

extension JSONDocument {
  /// The content's identifier: `sha256:` and the SHA-256 of the canonical form (RFC 8785) in hexadecimal digits.
  ///
  /// White space, the order of keys and the spelling of numbers and escapes make no difference.
  ///
  /// - Throws: The errors of `JSONWriter.canonical`, with locations.
  public func contentID() throws(Diagnostics) -> String {
    do throws(Diagnostics) {
      return Self.id(of: try JSONWriter.canonical(value))
    } catch {
      throw locate(error)
    }
  }

  /// Returns `sha256:` and the SHA-256 of bytes in hexadecimal digits.
  package static func id(of bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return "sha256:" + digest.text
  }
}

/// Writes JSON with its keys sorted. It does not recurse.
private struct SortedJSONWriter {
  enum Numbers {
    case ecmaScript, typed
  }

  let numbers: Numbers
  private(set) var bytes: [UInt8] = []
  private(set) var problems = Diagnostics()
  private var open: [Level] = []

  /// A list or map that is being written.
  private struct Level {
    /// The keys, sorted; nil in a list.
    let keys: [String]?
    let items: [Value]
    var place = 0
  }

  init(numbers: Numbers) { self.numbers = numbers }

  mutating func write(_ value: Value) {
    begin(value)
    while let level = open.last {
      guard level.place < level.items.count else {
        bytes.append(level.keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        open.removeLast()
        continue
      }
      if level.place > 0 { bytes.append(UInt8(ascii: ",")) }
      if let keys = level.keys {
        JSONWriter.appendString(keys[level.place], to: &bytes)
        bytes.append(UInt8(ascii: ":"))
      }
      open[open.count - 1].place += 1
      begin(level.items[level.place])
    }
  }

  private mutating func begin(_ value: Value) {
    switch value {
    case .list(let items):
      bytes.append(UInt8(ascii: "["))
      open.append(Level(keys: nil, items: items.elements))
    case .map(let map):
      bytes.append(UInt8(ascii: "{"))
      let members = map.pairs.map { (JSONWriter.text(ofKey: $0), $1) }
        .sorted { $0.0.utf16.lexicographicallyPrecedes($1.0.utf16) }
      open.append(Level(keys: members.map(\.0), items: members.map(\.1)))
    case .int(let number) where numbers == .ecmaScript: append(number.magnitude, value)
    case .uint(let number) where numbers == .ecmaScript: append(number, value)
    case .double(let number) where numbers == .ecmaScript && number.isFinite:
      ECMAScriptNumber.append(number, to: &bytes)
    case .double where numbers == .ecmaScript: refuse(value, "is not a JSON number")
    case .opaque(let wrapper as any WrappingValue): begin(wrapper.wrapped ?? .null)
    default: JSONWriter.appendScalar(value, to: &bytes)
    }
  }

  private mutating func append(_ magnitude: UInt64, _ value: Value) {
    if magnitude >= 1 << 53 {
      refuse(
        value, "is beyond ±9007199254740991; the canonical form represents numbers as doubles, which have gaps there")
    }
    JSONWriter.appendScalar(value, to: &bytes)
  }

  private mutating func refuse(_ value: Value, _ why: String) {
    problems.append(
      Diagnostic(
        .numberOutOfRange, "\(JSONWriter.compact(value)) \(why)", at: pointer, help: "write it as a string"))
  }

  /// The pointer of the value that is being written.
  private var pointer: JSONPointer {
    JSONPointer(open.map { level in level.keys?[level.place - 1] ?? String(level.place - 1) })
  }
}
