import Crypto
import Foundation
public import StreamSharing

/// An Ed25519 key from a seed: as `StreamSharing` reads it from a file, and to sign any JSON.
public struct Signer: Sendable {
  public let key: SigningKey
  private let secret: Curve25519.Signing.PrivateKey

  /// Creates a key. The same seed gives the same key.
  public init(seed: String) throws {
    let bytes = Array(SHA256.hash(data: Array(seed.utf8)))
    secret = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    // PKCS #8 of an Ed25519 key (RFC 8410) has one form, apart from the seed.
    let head: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
    let text = Data(head + bytes).base64EncodedString()
    let path = NSTemporaryDirectory() + "signer-\(UUID().uuidString).pem"
    try "-----BEGIN PRIVATE KEY-----\n\(text)\n-----END PRIVATE KEY-----\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    key = try KeyFile.read(path) { "" }
  }

  /// The signature as metadata have it.
  public func signature(of signed: JSONTree) -> JSONTree {
    guard let bytes = try? secret.signature(for: signed.canonicalBytes) else {
      preconditionFailure("Ed25519 signs any bytes")
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .object([.init("keyid", .string(key.id)), .init("sig", .string(digits))])
  }

  /// Metadata that the keys have signed.
  public static func document(_ signed: JSONTree, by signers: [Signer]) -> JSONTree {
    .object([.init("signatures", .array(signers.map { $0.signature(of: signed) })), .init("signed", signed)])
  }
}
