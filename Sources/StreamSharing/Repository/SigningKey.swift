internal import StreamCore

/// A private key of a repository's role.
public struct SigningKey: Sendable {
  /// The kinds of keys, by TUF's names of their schemes.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    case ed25519
    case p256 = "ecdsa-sha2-nistp256"
    case rsaPSS = "rsassa-pss-sha256"
  }

  private let key: PrivateKey
  /// The ID: the SHA-256 of the canonical form of the public key.
  public let id: String
  /// The public key as metadata states it.
  let published: Value

  private init(_ key: PrivateKey) throws(TrustError) {
    self.key = key
    let (type, shared) = key.published
    published = [
      "keytype": .string(type), "scheme": .string(key.scheme.rawValue), "keyval": ["public": .string(shared)],
    ]
    id = ContentDigest(of: try CanonicalJSON.bytes(published, of: "key")).text
  }

  public var scheme: Scheme { key.scheme }

  /// Generates a key. RSA keys have 3072 bits.
  public static func generate(_ scheme: Scheme = .ed25519) throws(TrustError) -> SigningKey {
    try SigningKey(PrivateKey(scheme))
  }

  /// Reads a key in PKCS #8, as `pkcs8` returns it.
  init(pkcs8 bytes: [UInt8]) throws(TrustError) { try self.init(PrivateKey(pkcs8: bytes)) }

  /// The key in PKCS #8 (RFC 5208, RFC 8410).
  var pkcs8: [UInt8] { key.pkcs8 }

  /// Signs bytes. Returns the signature in hexadecimal digits.
  func signature(of bytes: [UInt8]) throws(TrustError) -> String {
    do {
      return Hexadecimal.text(try key.signature(of: bytes))
    } catch {
      throw TrustError(.storage, "key", "the key cannot sign")
    }
  }
}
