#if Sharing
internal import Crypto
internal import CryptoExtras

/// A public key of a repository, and the scheme of its signatures.
struct PublicKey: Sendable {
  /// The key itself, apart from its ID: one key with two IDs counts once toward a threshold.
  struct Identity: Hashable, Sendable {
    let type: String
    let scheme: String
    let material: String
  }

  let identity: Identity
  /// nil for a scheme that is not supported, or a key that is damaged: its signatures are never valid.
  private let verifier: Verifier?

  private enum Verifier: Sendable {
    case ed25519(Curve25519.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case rsaPSS(_RSA.Signing.PublicKey)
    case rsaPSS512(_RSA.Signing.PublicKey)
  }

  /// Reads a key.
  ///
  /// - Throws: `malformed` if members are missing. A key of an unknown type is read.
  init(_ key: MetadataReader) throws(TrustError) {
    let identity = Identity(
      type: try key["keytype"].text, scheme: try key["scheme"].text, material: try key["keyval"]["public"].text)
    self.identity = Identity(
      type: identity.type, scheme: identity.scheme,
      material: identity.type == "ed25519" ? identity.material.lowercased() : Self.trimmed(identity.material))
    verifier = Self.verifier(of: identity)
  }

  /// PEM without white space at its ends, which makes no other key of it.
  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  private static func verifier(of key: Identity) -> Verifier? {
    switch (key.type, key.scheme) {
    case ("ed25519", "ed25519"):
      Hexadecimal.bytes(key.material).flatMap { try? Curve25519.Signing.PublicKey(rawRepresentation: $0) }
        .map(Verifier.ed25519)
    case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
      (try? P256.Signing.PublicKey(pemRepresentation: key.material)).map(Verifier.p256)
    case ("ecdsa", "ecdsa-sha2-nistp384"), ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"):
      (try? P384.Signing.PublicKey(pemRepresentation: key.material)).map(Verifier.p384)
    case ("rsa", "rsassa-pss-sha256"):
      (try? _RSA.Signing.PublicKey(pemRepresentation: key.material)).map(Verifier.rsaPSS)
    case ("rsa", "rsassa-pss-sha512"):
      (try? _RSA.Signing.PublicKey(pemRepresentation: key.material)).map(Verifier.rsaPSS512)
    default: nil
    }
  }

  /// Whether a signature of the key is valid for a message.
  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch verifier {
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
    case nil: false
    }
  }
}
#endif
