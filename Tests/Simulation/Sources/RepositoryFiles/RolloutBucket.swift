import Crypto

/// The bucket of a client in a rollout, computed here a second time: the first 8 bytes of SHA-256(salt, ":", ID), modulo
/// 10,000.
public func rolloutBucket(of client: String, salt: String) -> UInt16 {
  UInt16(SHA256.hash(data: Array("\(salt):\(client)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } % 10_000)
}
