internal import CLibrary

/// Memory with readable padding after its end, so that a text can be scanned eight bytes at a time up to its last byte.
@_spi(Engine) public struct PaddedBytes {
  /// Number of readable bytes after the text.
  public static let padding = 64

  // NB: `base[0..<count + padding]` is readable, as guaranteed by the caller of the initializer.
  let base: UnsafePointer<UInt8>
  public let count: Int

  /// Refers to the bytes of a text followed by at least `padding` readable bytes.
  public init(unsafe base: UnsafePointer<UInt8>, count: Int) {
    self.base = base
    self.count = count
  }

  /// The bytes without the padding.
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Returns the bytes after a prefix.
  ///
  /// - Parameter prefix: The number of bytes to drop, at most the number of bytes.
  public func dropFirst(_ prefix: Int) -> PaddedBytes {
    let prefix = min(max(prefix, 0), count)
    return PaddedBytes(unsafe: base + prefix, count: count - prefix)
  }

  /// Returns these bytes and some of those after them, which must be followed by readable bytes, too.
  package func extended(by number: Int) -> PaddedBytes { PaddedBytes(unsafe: base, count: count + number) }

  /// Returns the bytes after a part of them.
  package func dropThrough(_ part: PaddedBytes) -> PaddedBytes { dropFirst(part.base + part.count - base) }

  /// Whether a byte is among them.
  package func contains(_ byte: UInt8) -> Bool { count > 0 && memchr(base, Int32(byte), count) != nil }

  /// Whether these are white space alone.
  package var isBlank: Bool {
    if let first = bytes.first, first > 0x20 { return false }
    return bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// The bytes without a carriage return at their end.
  package var withoutCarriageReturn: PaddedBytes {
    PaddedBytes(unsafe: base, count: count > 0 && base[count - 1] == 0x0D ? count - 1 : count)
  }

  /// The bytes without the line break at their end.
  package var withoutBreak: PaddedBytes {
    PaddedBytes(unsafe: base, count: count - (count > 1 && base[count - 2] == 0x0D ? 2 : 1))
  }

  /// Whether the byte after these is a control character, such as a line break, which no plain string contains.
  @inline(__always)
  var hasControlCharacterBehind: Bool { base[count] < 0x20 }

  /// Returns whether an address is the end of these bytes, or that of a carriage return at their end.
  @inline(__always)
  func ends(at place: UnsafePointer<UInt8>?) -> Bool {
    guard let place else { return false }
    return place - base == count || (place - base == count - 1 && place[0] == 0x0D)
  }

  /// Returns the eight bytes from an offset on, the first one lowest; all of them must be in the text or its padding.
  @inline(__always)
  func word(at place: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
  }

  /// Calls a closure with a padded copy of some bytes.
  public static func with<Result>(_ bytes: [UInt8], _ body: (PaddedBytes) throws -> Result) rethrows -> Result {
    try (bytes + Array(repeating: 0, count: padding)).withUnsafeBufferPointer { buffer in
      // NB: The buffer is never empty, so it has an address.
      guard let base = buffer.baseAddress else { preconditionFailure("padded bytes have an address") }
      return try body(PaddedBytes(unsafe: base, count: bytes.count))
    }
  }
}
