#if Sharing
internal import Crypto

/// Digests in hexadecimal digits that are longer than SHA-256, which is `ContentDigest`.
enum LongDigest {
  static func sha384(_ bytes: [UInt8]) throws(TrustError) -> String { Hexadecimal.text(SHA384.hash(data: bytes)) }
  static func sha512(_ bytes: [UInt8]) throws(TrustError) -> String { Hexadecimal.text(SHA512.hash(data: bytes)) }
}
#endif
