/// UTF-8, one scalar at a time.
enum UTF8Sequence {
  /// Returns the length in bytes of the well-formed scalar at `offset`, or 0: overlong forms, surrogates and truncated
  /// sequences are not well-formed. `offset` is below `end`.
  @inline(__always)
  static func length(in bytes: UnsafePointer<UInt8>, at offset: Int, end: Int) -> Int {
    let first = bytes[offset]
    if first < 0x80 { return 1 }
    if first < 0xC2 { return 0 }
    guard offset + 1 < end else { return 0 }
    let second = bytes[offset + 1]
    guard second & 0xC0 == 0x80 else { return 0 }
    if first < 0xE0 { return 2 }
    if first < 0xF0 {
      if first == 0xE0 && second < 0xA0 { return 0 }
      if first == 0xED && second >= 0xA0 { return 0 }
      guard offset + 2 < end, bytes[offset + 2] & 0xC0 == 0x80 else { return 0 }
      return 3
    }
    if first > 0xF4 || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90) { return 0 }
    guard offset + 3 < end, bytes[offset + 2] & 0xC0 == 0x80, bytes[offset + 3] & 0xC0 == 0x80 else { return 0 }
    return 4
  }

  /// Returns the scalars of a range and their offsets; a byte that is not part of a scalar becomes U+FFFD.
  static func scalars(of bytes: [UInt8], in range: Range<Int>) -> [(offset: Int, scalar: Unicode.Scalar)] {
    let range = range.clamped(to: 0..<bytes.count)
    var result: [(offset: Int, scalar: Unicode.Scalar)] = []
    result.reserveCapacity(range.count)
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var offset = range.lowerBound
      while offset < range.upperBound {
        let length = length(in: base, at: offset, end: range.upperBound)
        result.append((offset, scalar(in: base, at: offset, length: length)))
        offset += max(length, 1)
      }
    }
    return result
  }

  /// Returns the number of scalars in a range; a byte that is not part of a scalar counts as one.
  static func count(of bytes: [UInt8], in range: Range<Int>) -> Int {
    let range = range.clamped(to: 0..<bytes.count)
    return bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      var count = 0
      var offset = range.lowerBound
      while offset < range.upperBound {
        offset += max(length(in: base, at: offset, end: range.upperBound), 1)
        count += 1
      }
      return count
    }
  }

  private static func scalar(in bytes: UnsafePointer<UInt8>, at offset: Int, length: Int) -> Unicode.Scalar {
    guard length > 0 else { return "\u{FFFD}" }
    var code = UInt32(bytes[offset])
    if length > 1 {
      code &= 0xFF >> UInt32(length + 1)
      for index in 1..<length { code = code << 6 | UInt32(bytes[offset + index] & 0x3F) }
    }
    return Unicode.Scalar(code) ?? "\u{FFFD}"
  }

  /// Appends the UTF-8 of a scalar.
  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
