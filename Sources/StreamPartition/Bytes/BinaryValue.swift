internal import StreamCore
internal import StreamEngine

/// Values as bytes, in snapshots. Types are kept: `1` and `1.0` are different.
enum BinaryValue {
  /// The bytes are not those of a value.
  struct Malformed: Error {}

  private enum Tag: UInt8 {
    case null, no, yes, int, uint, double, string, bytes, list, map, timestamp, duration
    /// A cell of a program before a value is stored.
    case vacant
  }

  /// Levels of lists and maps that are read.
  private static let depthLimit = 512

  /// Appends a value.
  ///
  /// - Throws: A diagnostic for a value that cannot be saved, such as an optional.
  static func append(_ value: Value, to bytes: inout [UInt8]) throws(Diagnostic) {
    switch value {
    case .null: add(.null, to: &bytes)
    case .bool(let flag): add(flag ? .yes : .no, to: &bytes)
    case .int(let number):
      add(.int, to: &bytes)
      bytes.append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
    case .uint(let number):
      add(.uint, to: &bytes)
      bytes.append(varint: number)
    case .double(let number):
      add(.double, to: &bytes)
      bytes.append(number: number.bitPattern)
    case .string(let text):
      add(.string, to: &bytes)
      append(text.utf8, to: &bytes)
    case .bytes(let content):
      add(.bytes, to: &bytes)
      append(content, to: &bytes)
    case .list(let items):
      add(.list, to: &bytes)
      bytes.append(varint: UInt64(items.count))
      for item in items { try append(item, to: &bytes) }
    case .map(let map):
      add(.map, to: &bytes)
      bytes.append(varint: UInt64(map.count))
      for (key, slot) in map.pairs {
        try append(key, to: &bytes)
        try append(slot, to: &bytes)
      }
    case .timestamp(let time):
      add(.timestamp, to: &bytes)
      bytes.append(number: time.seconds)
      bytes.append(number: Int32(time.nanoseconds))
    case .duration(let duration):
      let (seconds, attoseconds) = duration.components
      add(.duration, to: &bytes)
      bytes.append(number: seconds)
      bytes.append(number: attoseconds)
    case .opaque(let content):
      guard value.isVacant else { throw Diagnostic(.wrongType, "a \(content.typeName) cannot be saved") }
      add(.vacant, to: &bytes)
    }
  }

  private static func add(_ tag: Tag, to bytes: inout [UInt8]) { bytes.append(tag.rawValue) }

  private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(varint: UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  static func read(_ reader: inout ByteReader, depth: Int = 0) throws -> Value {
    guard let tag = Tag(rawValue: try reader.byte()), depth < depthLimit else { throw Malformed() }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int:
      let number = try reader.varint()
      return .int(Int64(bitPattern: number >> 1) ^ -Int64(number & 1))
    case .uint: return .uint(try reader.varint())
    case .double: return .double(Double(bitPattern: try reader.number()))
    case .string:
      guard let text = String(validating: try content(&reader), as: UTF8.self) else { throw Malformed() }
      return .string(text)
    case .bytes: return .bytes(Array(try content(&reader)))
    case .list:
      var items: [Value] = []
      let count = try count(&reader)
      items.reserveCapacity(count)
      for _ in 0..<count { items.append(try read(&reader, depth: depth + 1)) }
      return .list(items)
    case .map:
      var pairs: [(Value, Value)] = []
      let count = try count(&reader)
      pairs.reserveCapacity(count)
      for _ in 0..<count {
        pairs.append((try read(&reader, depth: depth + 1), try read(&reader, depth: depth + 1)))
      }
      return .map(ValueMap(pairs))
    case .timestamp:
      let (seconds, nanoseconds) = (try reader.number(Int64.self), try reader.number(Int32.self))
      guard Timestamp.secondsRange.contains(seconds), 0..<1_000_000_000 ~= nanoseconds else { throw Malformed() }
      return .timestamp(Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)))
    case .duration:
      let (seconds, attoseconds) = (try reader.number(Int64.self), try reader.number(Int64.self))
      guard abs(seconds) < 1 << 40, abs(attoseconds) < 1_000_000_000_000_000_000 else { throw Malformed() }
      return .duration(Duration(secondsComponent: seconds, attosecondsComponent: attoseconds))
    case .vacant: return .vacant
    }
  }

  private static func content(_ reader: inout ByteReader) throws -> UnsafeRawBufferPointer {
    try reader.bytes(try count(&reader))
  }

  /// Reads a number of parts. Each part takes at least one byte.
  private static func count(_ reader: inout ByteReader) throws -> Int {
    let count = try reader.varint()
    guard count <= UInt64(reader.count) else { throw Malformed() }
    return Int(count)
  }
}
