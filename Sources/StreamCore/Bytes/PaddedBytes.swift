/// Memory with readable padding after its end, so that a text can be scanned eight bytes at a time up to its last byte.
public struct PaddedBytes {
  /// Number of readable bytes after the text.
  public static let padding = 64

  // NB: `base[0..<count + padding]` can be read; whoever makes one of these promises it.
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

  /// The same without the line break that it ends with.
  var withoutBreak: PaddedBytes {
    PaddedBytes(unsafe: base, count: count - (count > 1 && base[count - 2] == 0x0D ? 2 : 1))
  }

  /// Whether the byte after these is a control character, such as a line break, which no plain text contains.
  @inline(__always)
  var hasControlCharacterBehind: Bool { base[count] < 0x20 }

  /// Whether a place is the end of these bytes, or the first byte of their line break.
  @inline(__always)
  func ends(at place: UnsafePointer<UInt8>?) -> Bool {
    guard let place else { return false }
    return place - base == count || (place - base == count - 1 && place[0] == 0x0D)
  }

  /// The eight bytes from this place on, the first one lowest; the place is eight bytes within the padding or before.
  @inline(__always)
  func word(at place: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
  }

  /// Calls a closure with a padded copy of some bytes.
  public static func with<Result>(_ bytes: [UInt8], _ body: (PaddedBytes) throws -> Result) rethrows -> Result {
    try (bytes + Array(repeating: 0, count: padding)).withUnsafeBufferPointer { buffer in
      // NB: never empty, so there is an address.
      guard let base = buffer.baseAddress else { preconditionFailure("padded bytes have an address") }
      return try body(PaddedBytes(unsafe: base, count: bytes.count))
    }
  }
}
