#if Sharing
internal import Crypto
internal import CryptoExtras

/// The private part of a `SigningKey`.
enum PrivateKey: Sendable {
  case ed25519(Curve25519.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)
  case rsaPSS(_RSA.Signing.PrivateKey)

  /// Generates a key. RSA keys have 3072 bits.
  init(_ scheme: SigningKey.Scheme) throws(TrustError) {
    switch scheme {
    case .ed25519: self = .ed25519(Curve25519.Signing.PrivateKey())
    case .p256: self = .p256(P256.Signing.PrivateKey())
    case .rsaPSS:
      guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits3072) else {
        throw TrustError(.storage, "key", "an RSA key cannot be generated")
      }
      self = .rsaPSS(key)
    }
  }

  /// Reads a key in PKCS #8, as `pkcs8` returns it.
  init(pkcs8 bytes: [UInt8]) throws(TrustError) {
    if let seed = PrivateKeyInfo.ed25519Seed(in: bytes),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
    {
      self = .ed25519(key)
    } else if let key = try? P256.Signing.PrivateKey(derRepresentation: bytes) {
      self = .p256(key)
    } else if let key = try? _RSA.Signing.PrivateKey(derRepresentation: bytes) {
      self = .rsaPSS(key)
    } else {
      throw TrustError(.malformed, "key", "the key is not an Ed25519, P-256 or RSA key")
    }
  }

  /// The key in PKCS #8 (RFC 5208, RFC 8410).
  var pkcs8: [UInt8] {
    switch self {
    case .ed25519(let key): PrivateKeyInfo.ed25519(seed: Array(key.rawRepresentation))
    case .p256(let key): Array(key.derRepresentation)
    case .rsaPSS(let key): Array(key.pkcs8DERRepresentation)
    }
  }

  var scheme: SigningKey.Scheme {
    switch self {
    case .ed25519: .ed25519
    case .p256: .p256
    case .rsaPSS: .rsaPSS
    }
  }

  /// The type and the public part, as metadata states them.
  var published: (type: String, key: String) {
    switch self {
    case .ed25519(let key): ("ed25519", Hexadecimal.text(key.publicKey.rawRepresentation))
    case .p256(let key): ("ecdsa", key.publicKey.pemRepresentation)
    case .rsaPSS(let key): ("rsa", key.publicKey.pemRepresentation)
    }
  }

  func signature(of bytes: [UInt8]) throws -> [UInt8] {
    switch self {
    case .ed25519(let key): Array(try key.signature(for: bytes))
    case .p256(let key): Array(try key.signature(for: SHA256.hash(data: bytes)).derRepresentation)
    case .rsaPSS(let key): Array(try key.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
    }
  }
}
#endif
