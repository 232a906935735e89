/// Reads big-endian numbers and byte strings from memory, and never beyond its end.
struct ByteReader {
  /// The bytes end before the value does.
  struct Truncated: Error {}

  private let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Number of bytes left.
  var count: Int { bytes.count - position }

  @inline(__always)
  private mutating func take(_ count: Int) throws(Truncated) -> Int {
    guard count >= 0, count <= self.count else { throw Truncated() }
    defer { position += count }
    return position
  }

  @inline(__always)
  mutating func byte() throws(Truncated) -> UInt8 { bytes[try take(1)] }

  @inline(__always)
  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(Truncated) -> Number {
    let place = try take(MemoryLayout<Number>.size)
    return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  /// The next bytes, without a copy.
  @inline(__always)
  mutating func bytes(_ count: Int) throws(Truncated) -> UnsafeRawBufferPointer {
    let place = try take(count)
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
  }

  /// A `u32` with the number of bytes, and these bytes, without a copy.
  @inline(__always)
  mutating func string() throws(Truncated) -> UnsafeRawBufferPointer { try bytes(Int(try number(UInt32.self))) }

  /// An unsigned number of 7 bits in each byte, lowest first (LEB128).
  mutating func varint() throws(Truncated) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let next = try byte()
      result |= UInt64(next & 0x7F) << UInt64(shift)
      if next < 0x80 { return result }
    }
    throw Truncated()
  }
}

extension [UInt8] {
  /// Appends a number, big-endian.
  @inline(__always)
  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the number of bytes as a `u32`, and these bytes.
  @inline(__always)
  mutating func append(string: some Collection<UInt8>) {
    append(number: UInt32(truncatingIfNeeded: string.count))
    append(contentsOf: string)
  }

  @inline(__always)
  mutating func append(string: UnsafeRawBufferPointer) {
    append(number: UInt32(truncatingIfNeeded: string.count))
    append(contentsOf: string)
  }

  /// Overwrites the number at an offset.
  mutating func put(number: some FixedWidthInteger, at offset: Int) {
    Swift.withUnsafeBytes(of: number.bigEndian) { replaceSubrange(offset..<offset + $0.count, with: $0) }
  }

  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
