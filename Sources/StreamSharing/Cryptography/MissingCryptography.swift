#if !Sharing
// Replaces swift-crypto in a build without the trait `Sharing`, which trusts nothing and signs nothing.

extension TrustError {
  fileprivate static var missing: TrustError {
    TrustError(.unsigned, "key", "signatures need a program that is built with the package trait 'Sharing'")
  }
}

enum SignatureVerifier: Sendable {
  init?(_ key: PublicKey.Identity) throws(TrustError) { throw .missing }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool { switch self {} }
}

enum PrivateKey: Sendable {
  init(_ scheme: SigningKey.Scheme) throws(TrustError) { throw .missing }
  init(pkcs8 bytes: [UInt8]) throws(TrustError) { throw .missing }

  var pkcs8: [UInt8] { switch self {} }
  var scheme: SigningKey.Scheme { switch self {} }
  var published: (type: String, key: String) { switch self {} }

  func signature(of bytes: [UInt8]) throws -> [UInt8] { switch self {} }
}

enum PrivateKeyInfo {
  static func pem(_ key: [UInt8], passphrase: String?) throws(TrustError) -> String { throw .missing }

  static func read(
    pem text: String, named name: String, passphrase: () throws(TrustError) -> String
  ) throws(TrustError) -> [UInt8] { throw .missing }
}

enum LongDigest {
  static func sha384(_ bytes: [UInt8]) throws(TrustError) -> String { throw .missing }
  static func sha512(_ bytes: [UInt8]) throws(TrustError) -> String { throw .missing }
}
#endif
