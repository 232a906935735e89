#if Sharing
internal import Crypto
internal import CryptoExtras
internal import StreamCore

/// A private key of a repository's role.
public struct SigningKey: Sendable {
  /// The kinds of keys, by TUF's names of their schemes.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    case ed25519
    case p256 = "ecdsa-sha2-nistp256"
    case rsaPSS = "rsassa-pss-sha256"
  }

  private enum Material: Sendable {
    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case rsaPSS(_RSA.Signing.PrivateKey)
  }

  private let material: Material
  /// The ID: the SHA-256 of the canonical form of the public key.
  public let id: String
  /// The public key as metadata states it.
  let published: Value

  private init(_ material: Material) throws(TrustError) {
    self.material = material
    let (type, shared) =
      switch material {
      case .ed25519(let key): ("ed25519", Hexadecimal.text(key.publicKey.rawRepresentation))
      case .p256(let key): ("ecdsa", key.publicKey.pemRepresentation)
      case .rsaPSS(let key): ("rsa", key.publicKey.pemRepresentation)
      }
    published = [
      "keytype": .string(type), "scheme": .string(Self.scheme(of: material).rawValue),
      "keyval": ["public": .string(shared)],
    ]
    id = Hexadecimal.text(SHA256.hash(data: try CanonicalJSON.bytes(published, of: "key")))
  }

  private static func scheme(of material: Material) -> Scheme {
    switch material {
    case .ed25519: .ed25519
    case .p256: .p256
    case .rsaPSS: .rsaPSS
    }
  }

  public var scheme: Scheme { Self.scheme(of: material) }

  /// Generates a key. RSA keys have 3072 bits.
  public static func generate(_ scheme: Scheme = .ed25519) throws(TrustError) -> SigningKey {
    switch scheme {
    case .ed25519: return try SigningKey(.ed25519(Curve25519.Signing.PrivateKey()))
    case .p256: return try SigningKey(.p256(P256.Signing.PrivateKey()))
    case .rsaPSS:
      guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits3072) else {
        throw TrustError(.storage, "key", "an RSA key cannot be generated")
      }
      return try SigningKey(.rsaPSS(key))
    }
  }

  /// Reads a key in PKCS #8, as `pkcs8` returns it.
  init(pkcs8 bytes: [UInt8]) throws(TrustError) {
    if let seed = PrivateKeyInfo.ed25519Seed(in: bytes),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
    {
      try self.init(.ed25519(key))
    } else if let key = try? P256.Signing.PrivateKey(derRepresentation: bytes) {
      try self.init(.p256(key))
    } else if let key = try? _RSA.Signing.PrivateKey(derRepresentation: bytes) {
      try self.init(.rsaPSS(key))
    } else {
      throw TrustError(.malformed, "key", "the key is not an Ed25519, P-256 or RSA key")
    }
  }

  /// The key in PKCS #8 (RFC 5208, RFC 8410).
  var pkcs8: [UInt8] {
    switch material {
    case .ed25519(let key): PrivateKeyInfo.ed25519(seed: Array(key.rawRepresentation))
    case .p256(let key): Array(key.derRepresentation)
    case .rsaPSS(let key): Array(key.pkcs8DERRepresentation)
    }
  }

  /// Signs bytes. Returns the signature in hexadecimal digits.
  func signature(of bytes: [UInt8]) throws(TrustError) -> String {
    do {
      switch material {
      case .ed25519(let key): return Hexadecimal.text(try key.signature(for: bytes))
      case .p256(let key):
        return Hexadecimal.text(try key.signature(for: SHA256.hash(data: bytes)).derRepresentation)
      case .rsaPSS(let key):
        return Hexadecimal.text(try key.signature(for: SHA256.hash(data: bytes), padding: .PSS).rawRepresentation)
      }
    } catch {
      throw TrustError(.storage, "key", "the key cannot sign")
    }
  }
}
#endif
