import StreamCore

/// The UTF-8 of a string, in which places are counted in Unicode scalars.
struct ScalarText {
  let bytes: [UInt8]
  /// Whether a place is a byte's.
  private let isASCII: Bool

  init(_ text: String) {
    bytes = Array(text.utf8)
    isASCII = bytes.withUnsafeBufferPointer { bytes in
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80
    }
  }

  /// How many scalars there are.
  var count: Int { isASCII ? bytes.count : Self.count(bytes[...]) }

  /// The byte where the scalar of this number begins; the end for the number behind the last one, nil beyond.
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

  /// The number of the scalar that begins at this byte.
  func place(of offset: Int) -> Int { isASCII ? offset : Self.count(bytes[..<offset]) }

  /// The string of these bytes, which begin and end with a scalar.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The end of the scalar that begins at this byte.
  func end(after offset: Int) -> Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }

  /// How many scalars begin in these bytes of UTF-8.
  private static func count(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { scalarCount(of: $0) }
  }

  /// The number of Unicode scalars of a string.
  static func count(_ text: String) -> Int {
    text.utf8.withContiguousStorageIfAvailable { scalarCount(of: $0) } ?? text.unicodeScalars.count
  }

  // NB: a plain sum of bytes, which the compiler turns into vector instructions.
  private static func scalarCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    for byte in bytes { count &+= Int8(bitPattern: byte) > -65 ? 1 : 0 }
    return count
  }
}
