#if Sharing
internal import Crypto
internal import CryptoExtras
internal import SwiftASN1

/// Private keys as files: PKCS #8 (RFC 5208), encrypted with PBES2 (RFC 8018), scrypt (RFC 7914) and AES-256-CBC.
///
/// `openssl pkey -in FILE` reads them.
enum PrivateKeyInfo {
  private static let ed25519: ASN1ObjectIdentifier = "1.3.101.112"
  private static let pbes2: ASN1ObjectIdentifier = "1.2.840.113549.1.5.13"
  private static let scrypt: ASN1ObjectIdentifier = "1.3.6.1.4.1.11591.4.11"
  private static let aes256CBC: ASN1ObjectIdentifier = "2.16.840.1.101.3.4.1.42"

  /// The cost of scrypt: 16 MiB of memory, the most that openssl accepts, and about 50 ms.
  private static let rounds = 16_384
  private static let blockSize = 8
  private static let parallelism = 1
  /// Maximum cost that is accepted from a file.
  private static let greatestRounds = 1 << 20
  private static let greatestMemory = 256 << 20

  // MARK: Ed25519

  static func ed25519(seed: [UInt8]) -> [UInt8] {
    serialize { coder in
      try coder.appendConstructedNode(identifier: .sequence) { coder in
        try coder.serialize(0)
        try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(ed25519) }
        let inner = serialize { try $0.serialize(ASN1OctetString(contentBytes: seed[...])) }
        try coder.serialize(ASN1OctetString(contentBytes: inner[...]))
      }
    }
  }

  /// The seed of an Ed25519 key; nil if the bytes are another key.
  static func ed25519Seed(in bytes: [UInt8]) -> [UInt8]? {
    try? DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
      let version = try Int(derEncoded: &nodes)
      let algorithm = try PrivateKeyInfo.sequence(&nodes) { nodes in
        let algorithm = try ASN1ObjectIdentifier(derEncoded: &nodes)
        while nodes.next() != nil {}
        return algorithm
      }
      let key = try ASN1OctetString(derEncoded: &nodes)
      while nodes.next() != nil {}
      guard version <= 1, algorithm == ed25519 else { throw NotEd25519() }
      return Array(try ASN1OctetString(derEncoded: Array(key.bytes)).bytes)
    }
  }

  private struct NotEd25519: Error {}
  private struct NodeMissing: Error {}

  /// Reads the next node, a sequence.
  private static func sequence<Result>(
    _ nodes: inout ASN1NodeCollection.Iterator, _ read: (inout ASN1NodeCollection.Iterator) throws -> Result
  ) throws -> Result {
    guard let node = nodes.next() else { throw NodeMissing() }
    return try DER.sequence(node, identifier: .sequence, read)
  }

  private static func serialize(_ write: (inout DER.Serializer) throws -> Void) -> [UInt8] {
    var coder = DER.Serializer()
    do {
      try write(&coder)
    } catch {
      preconditionFailure("integers, object identifiers and octet strings can be serialized")
    }
    return coder.serializedBytes
  }

  // MARK: Files

  /// Writes a key as PEM, encrypted unless there is no passphrase.
  static func pem(_ key: [UInt8], passphrase: String?) throws(TrustError) -> String {
    guard let passphrase else { return PEMDocument(type: "PRIVATE KEY", derBytes: key).pemString + "\n" }
    return PEMDocument(type: "ENCRYPTED PRIVATE KEY", derBytes: try encrypted(key, passphrase)).pemString + "\n"
  }

  /// Reads a key.
  ///
  /// - Parameter passphrase: Called if the key is encrypted.
  static func read(
    pem text: String, named name: String, passphrase: () throws(TrustError) -> String
  ) throws(TrustError) -> [UInt8] {
    guard let document = try? PEMDocument(pemString: text) else {
      throw TrustError(.malformed, name, "the file is not a private key in PEM")
    }
    switch document.discriminator {
    case "PRIVATE KEY": return document.derBytes
    case "ENCRYPTED PRIVATE KEY": return try decrypted(document.derBytes, name, try passphrase())
    default: throw TrustError(.malformed, name, "found '\(document.discriminator)', expected a private key")
    }
  }

  private static func encrypted(_ key: [UInt8], _ passphrase: String) throws(TrustError) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let vector = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
    guard let secret = cost.key(passphrase, salt),
      let bytes = try? AES._CBC.encrypt(key, using: secret, iv: AES._CBC.IV(ivBytes: vector))
    else { throw TrustError(.storage, "key", "the key cannot be encrypted") }
    return serialize { coder in
      try coder.appendConstructedNode(identifier: .sequence) { coder in
        try coder.appendConstructedNode(identifier: .sequence) { coder in
          try coder.serialize(pbes2)
          try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
              try coder.serialize(scrypt)
              try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(ASN1OctetString(contentBytes: salt[...]))
                try coder.serialize(cost.rounds)
                try coder.serialize(cost.blockSize)
                try coder.serialize(cost.parallelism)
              }
            }
            try coder.appendConstructedNode(identifier: .sequence) { coder in
              try coder.serialize(aes256CBC)
              try coder.serialize(ASN1OctetString(contentBytes: vector[...]))
            }
          }
        }
        try coder.serialize(ASN1OctetString(contentBytes: Array(bytes)[...]))
      }
    }
  }

  private static func decrypted(
    _ bytes: [UInt8], _ name: String, _ passphrase: String
  ) throws(TrustError) -> [UInt8] {
    guard let file = try? Encrypted(derEncoded: bytes) else {
      throw TrustError(.malformed, name, "the key is not encrypted by PBES2 with scrypt and AES-256-CBC")
    }
    guard file.cost.isBearable(rounds: greatestRounds, memory: greatestMemory) else {
      throw TrustError(.tooLarge, name, "scrypt would need more time or memory than is permitted")
    }
    guard let secret = file.cost.key(passphrase, file.salt),
      let key = try? AES._CBC.decrypt(file.content, using: secret, iv: AES._CBC.IV(ivBytes: file.vector))
    else { throw TrustError(.storage, name, "the passphrase is wrong") }
    return Array(key)
  }

  /// The parameters of scrypt.
  private struct Cost {
    let rounds: Int
    let blockSize: Int
    let parallelism: Int

    func isBearable(rounds most: Int, memory: Int) -> Bool {
      (2...most).contains(rounds) && (1...64).contains(blockSize) && (1...16).contains(parallelism)
        && 128 * rounds * blockSize <= memory
    }

    func key(_ passphrase: String, _ salt: [UInt8]) -> SymmetricKey? {
      try? KDF.Scrypt.deriveKey(
        from: Array(passphrase.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: blockSize,
        parallelism: parallelism, maxMemory: 2 * PrivateKeyInfo.greatestMemory)
    }
  }

  /// An encrypted key as read.
  private struct Encrypted {
    let salt: [UInt8]
    let cost: Cost
    let vector: [UInt8]
    let content: [UInt8]

    private struct Unsupported: Error {}

    init(derEncoded bytes: [UInt8]) throws {
      self = try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
        let (salt, cost, vector) = try PrivateKeyInfo.sequence(&nodes) { nodes in
          guard try ASN1ObjectIdentifier(derEncoded: &nodes) == pbes2 else { throw Unsupported() }
          return try PrivateKeyInfo.sequence(&nodes) { nodes in
            let (salt, cost) = try Self.derivation(&nodes)
            let vector = try PrivateKeyInfo.sequence(&nodes) { nodes in
              guard try ASN1ObjectIdentifier(derEncoded: &nodes) == aes256CBC else { throw Unsupported() }
              return Array(try ASN1OctetString(derEncoded: &nodes).bytes)
            }
            return (salt, cost, vector)
          }
        }
        let content = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
        return Encrypted(salt: salt, cost: cost, vector: vector, content: content)
      }
    }

    private init(salt: [UInt8], cost: Cost, vector: [UInt8], content: [UInt8]) {
      (self.salt, self.cost, self.vector, self.content) = (salt, cost, vector, content)
    }

    private static func derivation(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ([UInt8], Cost) {
      try PrivateKeyInfo.sequence(&nodes) { nodes in
        guard try ASN1ObjectIdentifier(derEncoded: &nodes) == scrypt else { throw Unsupported() }
        return try PrivateKeyInfo.sequence(&nodes) { nodes in
          let salt = Array(try ASN1OctetString(derEncoded: &nodes).bytes)
          let cost = Cost(
            rounds: try Int(derEncoded: &nodes), blockSize: try Int(derEncoded: &nodes),
            parallelism: try Int(derEncoded: &nodes))
          if let length = nodes.next() {
            guard try Int(derEncoded: length) == 32 else { throw Unsupported() }
          }
          return (salt, cost)
        }
      }
    }
  }
}
#endif
