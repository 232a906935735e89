#if !Sharing
// Replaces swift-crypto and libcurl in a build without the trait `Sharing`, which trusts, signs and sends nothing.

extension TrustError {
  fileprivate static var missing: TrustError {
    TrustError(.unsigned, "key", "signatures need a program that is built with --enable-all-traits")
  }
}

struct SignatureVerifier: Sendable {
  init?(_ key: PublicKey.Identity) throws(TrustError) { throw .missing }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool { false }
}

struct PrivateKey: Sendable {
  let pkcs8: [UInt8]
  let scheme: SigningKey.Scheme
  let published: (type: String, key: String)

  init(_ scheme: SigningKey.Scheme) throws(TrustError) { throw .missing }
  init(pkcs8 bytes: [UInt8]) throws(TrustError) { throw .missing }

  func signature(of bytes: [UInt8]) throws -> [UInt8] { throw TrustError.missing }
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

#if os(Linux)
struct LinuxTransfer {
  init(_ exchange: HTTPExchange) {}

  func run() async -> Result<HTTPExchange.Outcome, HTTPExchange.Absence> { .failure(.unsupported) }
}
#endif
#endif
