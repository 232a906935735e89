/// The past and future clock changes of a time zone, from a TZif file (RFC 8536).
struct TimeZoneTable: Sendable {
  /// Instants at which an offset takes effect, in ascending order.
  private var transitions: [Int64] = []
  /// The offsets after each transition, in seconds.
  private var offsets: [Int64] = []
  /// The offset before the first transition.
  private var first: Int64 = 0
  /// The rule in effect after the last transition; nil if there is none.
  private var rule: TimeZoneRule?

  /// Parses a file; nil if it is not a TZif file.
  init?(_ bytes: [UInt8]) {
    var reader = BigEndianReader(bytes)
    guard let old = Header(&reader) else { return nil }
    if old.version == 0 {
      guard readBlock(&reader, old, timeSize: 4) else { return nil }
      return
    }
    // The second block repeats the data with 64-bit times.
    reader.skip(old.blockSize(timeSize: 4))
    guard let header = Header(&reader), readBlock(&reader, header, timeSize: 8) else { return nil }
    rule = TimeZoneRule(String(decoding: reader.line(), as: UTF8.self))
  }

  private struct Header {
    var version: UInt8
    var isUTCount, isStandardCount, leapCount, timeCount, typeCount, characterCount: Int

    init?(_ reader: inout BigEndianReader) {
      guard reader.take([0x54, 0x5A, 0x69, 0x66]), let version = reader.byte() else { return nil }
      reader.skip(15)
      var counts: [Int] = []
      for _ in 0..<6 {
        guard let count = reader.integer(4), (0...65_536).contains(count) else { return nil }
        counts.append(Int(count))
      }
      self.version = version
      (isUTCount, isStandardCount, leapCount) = (counts[0], counts[1], counts[2])
      (timeCount, typeCount, characterCount) = (counts[3], counts[4], counts[5])
    }

    func blockSize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + isStandardCount
        + isUTCount
    }
  }

  private mutating func readBlock(_ reader: inout BigEndianReader, _ header: Header, timeSize: Int) -> Bool {
    for _ in 0..<header.timeCount {
      guard let time = reader.integer(timeSize) else { return false }
      transitions.append(time)
    }
    var kinds: [Int] = []
    for _ in 0..<header.timeCount {
      guard let kind = reader.byte(), kind < header.typeCount else { return false }
      kinds.append(Int(kind))
    }
    var types: [(offset: Int64, isSummer: Bool)] = []
    for _ in 0..<header.typeCount {
      guard let offset = reader.integer(4), let isSummer = reader.byte() else { return false }
      reader.skip(1)
      types.append((offset, isSummer != 0))
    }
    guard !types.isEmpty else { return false }
    reader.skip(header.characterCount + header.leapCount * (timeSize + 4))
    reader.skip(header.isStandardCount + header.isUTCount)
    offsets = kinds.map { types[$0].offset }
    first = types[0].offset
    return true
  }

  /// Returns the seconds to add to UTC at this instant.
  func offset(at seconds: Int64) -> Int64 {
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? first }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }
}

/// Reads big-endian integers; a read past the end returns nil.
private struct BigEndianReader {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) { position = min(position + count, bytes.count) }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    position += 1
    return bytes[position - 1]
  }

  mutating func take(_ wanted: [UInt8]) -> Bool {
    guard bytes.count - position >= wanted.count, Array(bytes[position..<position + wanted.count]) == wanted
    else { return false }
    position += wanted.count
    return true
  }

  /// Reads a signed integer of 4 or 8 bytes.
  mutating func integer(_ size: Int) -> Int64? {
    guard bytes.count - position >= size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[position..<position + size] { value = value << 8 | UInt64(byte) }
    position += size
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  /// Reads the line between two line feeds.
  mutating func line() -> ArraySlice<UInt8> {
    guard take([0x0A]) else { return [] }
    let start = position
    while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    return bytes[start..<position]
  }
}
