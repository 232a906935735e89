/// How the keys of a partition are divided among shards. `PREFIX:{NAME}:shards` holds the number of shards.
package struct ShardDivision: Hashable, Sendable {
  package let prefix: String
  package let name: String
  /// At least 1.
  package let shards: Int

  /// - Throws: `RedisError.invalid` if the prefix or the name is empty or contains braces.
  package init(prefix: String, name: String, shards: Int) throws(RedisError) {
    precondition(shards > 0, "there is at least one shard")
    try ShardKeys.check(prefix: prefix, name: name)
    (self.prefix, self.name, self.shards) = (prefix, name, shards)
  }

  /// The shard of a key: its CRC-32 modulo the number of shards.
  package func shard(of key: some Sequence<UInt8>) -> Int {
    Int(Checksum.crc32(Array(key)) % UInt32(truncatingIfNeeded: shards))
  }

  package func keys(_ shard: Int) throws(RedisError) -> ShardKeys {
    try ShardKeys(prefix: prefix, name: name, shard: shard)
  }

  /// The key that holds the number of shards.
  var countKey: [UInt8] { Array("\(prefix):{\(name)}:shards".utf8) }
  /// The key that names the process which feeds.
  var feederKey: [UInt8] { Array("\(prefix):{\(name)}:feeder".utf8) }
  /// The key of `FedLines`.
  var linesKey: [UInt8] { Array("\(prefix):{\(name)}:lines".utf8) }
  /// The key that says whether the IDs of the inputs are the numbers of the records.
  private var numberingKey: [UInt8] { Array("\(prefix):{\(name)}:numbered".utf8) }

  /// Stores the number of shards, or compares it with the stored one.
  ///
  /// - Parameter connection: to the server that has `countKey`.
  /// - Throws: `RedisError.shardCount` if another number is stored.
  package func claim(_ connection: RedisConnection) throws(RedisError) {
    let stored = try claimed(countKey, Int64(shards), connection)
    guard stored == Int64(shards) else {
      throw .shardCount(name: name, stored: stored, requested: Int64(shards))
    }
  }

  /// Stores whether a feeder numbers the records, or compares it with what other feeders have stored.
  func claimNumbering(_ isNumbered: Bool, _ connection: RedisConnection) throws(RedisError) {
    let stored = try claimed(numberingKey, isNumbered ? 1 : 0, connection)
    guard stored == (isNumbered ? 1 : 0) else {
      throw .numbering(name: name, isStoredNumbered: stored != 0)
    }
  }

  /// Stores a number unless the key has one, and returns the number that the key has then.
  private func claimed(
    _ key: [UInt8], _ value: Int64, _ connection: RedisConnection
  ) throws(RedisError) -> Int64 {
    connection.add("SET", .bytes(key), .integer(value), "NX")
    connection.add("GET", .bytes(key))
    try connection.flush()
    guard let stored = try connection.replies()[1].integer else {
      throw .foreign(key: String(decoding: key, as: UTF8.self), reason: "expected an integer")
    }
    return stored
  }
}
