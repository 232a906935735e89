#if canImport(CryptoKit)
internal import CryptoKit
#endif

/// The SHA-256 digest of a sequence of bytes (FIPS 180-4), computed piece by piece.
///
/// The sizes of the pieces make no difference. Apple's platforms compute it with CryptoKit, others with `SHA256`.
///
/// - Memory: O(1).
package struct ContentDigest {
  private var state = SHA256()

  package init() {}

  /// Appends bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

  /// Appends bytes.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Appends the string's UTF-8.
  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The 32 bytes of the digest of all bytes so far; more may follow.
  package var bytes: [UInt8] { Array(state.finalize()) }

  /// `bytes` as 64 lower-case hexadecimal digits.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }
}
