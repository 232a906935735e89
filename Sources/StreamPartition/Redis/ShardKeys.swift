/// The Redis keys of one shard. They share a hash tag, so that a cluster keeps them on one node.
///
/// | key | type | content |
/// | --- | --- | --- |
/// | `PREFIX:{NAME:SHARD}:in` | stream | records, ticks, end |
/// | `PREFIX:{NAME:SHARD}:state` | hash | key of the partition → snapshot |
/// | `PREFIX:{NAME:SHARD}:wakes` | sorted set | key of the partition, by its next wake in milliseconds |
/// | `PREFIX:{NAME:SHARD}:meta` | hash | `ShardMeta` |
/// | `PREFIX:{NAME:SHARD}:out`, `…:late` | streams | outputs, and records that came too late |
/// | `PREFIX:{NAME:SHARD}:lease` | string | token of the owner; expires |
/// | `PREFIX:{NAME:SHARD}:epoch` | integer | how often the lease has been acquired |
package struct ShardKeys: Hashable, Sendable {
  package let input: [UInt8]
  package let state: [UInt8]
  package let wakes: [UInt8]
  package let meta: [UInt8]
  package let output: [UInt8]
  package let late: [UInt8]
  package let lease: [UInt8]
  package let epoch: [UInt8]

  /// - Parameter shard: counts from 0.
  /// - Throws: `RedisError.invalid` if the prefix or the name is empty or contains braces, which delimit the hash tag.
  package init(prefix: String, name: String, shard: Int) throws(RedisError) {
    try Self.check(prefix: prefix, name: name)
    let base = Array("\(prefix):{\(name):\(shard)}:".utf8)
    input = base + "in".utf8
    state = base + "state".utf8
    wakes = base + "wakes".utf8
    meta = base + "meta".utf8
    output = base + "out".utf8
    late = base + "late".utf8
    lease = base + "lease".utf8
    epoch = base + "epoch".utf8
  }

  static func check(prefix: String, name: String) throws(RedisError) {
    for text in [prefix, name] {
      guard !text.isEmpty, !text.utf8.contains(where: { "{}".utf8.contains($0) }) else {
        throw .invalid("'\(text)' cannot be part of a Redis key of a shard; it is empty or has a brace")
      }
    }
  }
}
