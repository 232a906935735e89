#if Sharing
internal import Crypto
internal import CryptoExtras

/// The public part of a key, which checks signatures.
enum SignatureVerifier: Sendable {
  case ed25519(Curve25519.Signing.PublicKey)
  case p256(P256.Signing.PublicKey)
  case p384(P384.Signing.PublicKey)
  case rsaPSS(_RSA.Signing.PublicKey)
  case rsaPSS512(_RSA.Signing.PublicKey)

  /// Reads a key; nil for a scheme that is not supported, or a key that is damaged.
  init?(_ key: PublicKey.Identity) throws(TrustError) {
    let verifier: Self? =
      switch (key.type, key.scheme) {
      case ("ed25519", "ed25519"):
        Hexadecimal.bytes(key.material).flatMap { try? Curve25519.Signing.PublicKey(rawRepresentation: $0) }
          .map(Self.ed25519)
      case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
        (try? P256.Signing.PublicKey(pemRepresentation: key.material)).map(Self.p256)
      case ("ecdsa", "ecdsa-sha2-nistp384"), ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"):
        (try? P384.Signing.PublicKey(pemRepresentation: key.material)).map(Self.p384)
      case ("rsa", "rsassa-pss-sha256"):
        (try? _RSA.Signing.PublicKey(pemRepresentation: key.material)).map(Self.rsaPSS)
      case ("rsa", "rsassa-pss-sha512"):
        (try? _RSA.Signing.PublicKey(pemRepresentation: key.material)).map(Self.rsaPSS512)
      default: nil
      }
    guard let verifier else { return nil }
    self = verifier
  }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch self {
    case .ed25519(let key): key.isValidSignature(signature, for: message)
    case .p256(let key):
      (try? P256.Signing.ECDSASignature(derRepresentation: signature)).map {
        key.isValidSignature($0, for: SHA256.hash(data: message))
      } ?? false
    case .p384(let key):
      (try? P384.Signing.ECDSASignature(derRepresentation: signature)).map {
        key.isValidSignature($0, for: SHA384.hash(data: message))
      } ?? false
    case .rsaPSS(let key):
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message), padding: .PSS)
    case .rsaPSS512(let key):
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA512.hash(data: message), padding: .PSS)
    }
  }
}
#endif
