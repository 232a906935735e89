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
  private let verifier: SignatureVerifier?

  /// Reads a key.
  ///
  /// - Throws: `malformed` if members are missing. A key of an unknown type is read.
  init(_ key: MetadataReader) throws(TrustError) {
    let identity = Identity(
      type: try key["keytype"].text, scheme: try key["scheme"].text, material: try key["keyval"]["public"].text)
    self.identity = Identity(
      type: identity.type, scheme: identity.scheme,
      material: identity.type == "ed25519" ? identity.material.lowercased() : Self.trimmed(identity.material))
    verifier = try SignatureVerifier(identity)
  }

  /// PEM without white space at its ends, which makes no other key of it.
  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// Whether a signature of the key is valid for a message.
  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    verifier?.isValid(signature, for: message) ?? false
  }
}
