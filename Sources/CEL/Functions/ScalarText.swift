/// The UTF-8 bytes of a string whose indexes are counted in Unicode scalars.
struct ScalarText {
  let bytes: [UInt8]
  /// Whether the string is ASCII, so that the index of a scalar is its byte offset.
  private let isASCII: Bool

  init(_ text: String) {
    bytes = Array(text.utf8)
    isASCII = bytes.withUnsafeBufferPointer { bytes in
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80
    }
  }

  /// Number of scalars.
  var count: Int { isASCII ? bytes.count : Self.count(bytes[...]) }

  /// Returns the byte offset of the scalar at an index, or the end if the index is the count; nil if out of range.
  func offset(of place: Int) -> Int? {
    guard place >= 0, place <= bytes.count else { return nil }
    if isASCII { return place }
    var left = place
    for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
      if left == 0 { return offset }
      left -= 1
    }
    return left == 0 ? bytes.count : nil
  }

  /// Returns the index of the scalar that begins at this byte offset.
  func place(of offset: Int) -> Int { isASCII ? offset : Self.count(bytes[..<offset]) }

  /// Returns the string of these bytes, whose bounds are scalar boundaries.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the end of the scalar that begins at this byte offset.
  func end(after offset: Int) -> Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// Returns the UTF-8 bytes of the scalars in reverse order.
  func reversed() -> [UInt8] {
    if isASCII { return bytes.reversed() }
    var result = [UInt8](repeating: 0, count: bytes.count)
    var (start, place) = (0, bytes.count)
    while start < bytes.count {
      let end = end(after: start)
      place -= end - start
      for offset in start..<end { result[place + offset - start] = bytes[offset] }
      start = end
    }
    return result
  }

  /// Returns the number of scalars that begin in these UTF-8 bytes.
  private static func count(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { scalarCount(of: $0) }
  }

  /// Returns the number of Unicode scalars of a string.
  static func count(_ text: String) -> Int {
    text.utf8.withContiguousStorageIfAvailable { scalarCount(of: $0) } ?? text.unicodeScalars.count
  }

  // NB: Eight bytes are read at a time. Every byte counts except continuation bytes, which begin with the bits 10.
  private static func scalarCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var (offset, others) = (0, 0)
    while offset + 8 <= raw.count {
      // The sum of up to 31 words fits into each byte.
      var sum: UInt64 = 0
      let end = min(raw.count & ~7, offset + 31 * 8)
      while offset < end {
        let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        sum &+= (word >> 7) & (~word >> 6) & ones
        offset += 8
      }
      // NB: `>>` has a higher precedence than `&*` and `&+`.
      let pairs = (sum & 0x00FF_00FF_00FF_00FF) &+ ((sum >> 8) & 0x00FF_00FF_00FF_00FF)
      others += Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) >> 48)
    }
    while offset < raw.count {
      others += raw[offset] & 0xC0 == 0x80 ? 1 : 0
      offset += 1
    }
    return raw.count - others
  }
}
