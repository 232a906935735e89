/// The storage of one shard in Redis, for its owner.
///
/// An owner holds the *lease* of the shard, a key that expires with a token of the owner. Every change is one
/// transaction (MULTI … EXEC) on the condition that the lease has not changed (WATCH) since it was seen to hold the
/// owner's token. Each transaction is followed by the WATCH and GET of the next one, so a commit takes one round trip.
///
/// Lua scripts could compare the token on the server, too. Transactions are used throughout because they need no
/// permission to run scripts, have no limit on the number of arguments, are checked as a whole against `maxmemory`
/// before the first change, and are written to the append-only file as a whole.
///
/// To be used by one thread at a time. After an error that `endsConnection`, it is unknown whether the last transaction
/// took place: call `reconnect`, `acquire` and `load`, and continue from there.
package final class ShardLog {
  package let division: ShardDivision
  package let shard: Int
  package let keys: ShardKeys
  /// How often the lease has been acquired, by all owners: the fencing token. 0 before `acquire`.
  package private(set) var epoch: Int64 = 0
  package private(set) var connection: RedisConnection

  private enum Lease {
    case none
    /// It is watched, and had this owner's token.
    case held
    case lost
  }

  private let address: RedisAddress
  private let options: RedisConnection.Options
  private var lease = Lease.none
  /// Kept after the lease is lost, so that the lease of an interrupted connection can be acquired again.
  private var token: [UInt8] = []
  private var leaseMilliseconds = 0
  /// When the lease was last extended, by `MonotonicTime`.
  private var extendedAt = 0
  /// Batches that have been read, for trimming. The oldest comes first.
  var batches: [(last: StreamID, count: Int)] = []

  /// Connects, and checks the number of shards.
  ///
  /// - Parameter shard: counts from 0.
  /// - Throws: `RedisError.shardCount`, and the errors of `RedisConnection`.
  package init(
    _ address: RedisAddress, _ division: ShardDivision, shard: Int,
    options: RedisConnection.Options = RedisConnection.Options()
  ) throws(RedisError) {
    precondition(shard >= 0 && shard < division.shards, "there is no such shard")
    (self.address, self.division, self.shard, self.options) = (address, division, shard, options)
    keys = try division.keys(shard)
    let first = try RedisConnection.open(address, having: division.countKey, options: options)
    try division.claim(first)
    connection = first.isCluster ? try RedisConnection.open(address, having: keys.lease, options: options) : first
  }

  /// Connects again. The lease must be acquired again, too.
  package func reconnect() throws(RedisError) {
    connection.close()
    lease = .none
    connection = try RedisConnection.open(address, having: keys.lease, options: options)
  }

  // MARK: - Lease

  /// Acquires the lease if it is free, and increments the epoch.
  ///
  /// The owner's own lease can be acquired again, which makes all transactions fail that are still underway on an
  /// earlier connection.
  ///
  /// - Parameter leaseMilliseconds: after this time without an extension, others may acquire it. At least 100.
  /// - Returns: false if another owner has it.
  package func acquire(leaseMilliseconds: Int) throws(RedisError) -> Bool {
    precondition(leaseMilliseconds >= 100, "a lease is at least 100 ms long")
    lease = .none
    batches = []
    // A watch of an earlier attempt would make the transaction fail.
    connection.add("UNWATCH")
    connection.add("WATCH", .bytes(keys.lease), .bytes(keys.epoch))
    connection.add("GET", .bytes(keys.lease))
    connection.add("GET", .bytes(keys.epoch))
    try connection.flush()
    let replies = try connection.replies()
    let owner = replies[2].bytes
    guard owner == nil || owner == token else {
      _ = try connection.call("UNWATCH")
      return false
    }
    guard let earlier = replies[3] == .null ? 0 : replies[3].integer, earlier < .max else {
      throw .foreign(key: String(decoding: keys.epoch, as: UTF8.self), reason: "expected an integer")
    }
    var generator = SystemRandomNumberGenerator()
    token = Array("\(earlier + 1)-\(String(generator.next() as UInt64, radix: 16))".utf8)
    self.leaseMilliseconds = leaseMilliseconds
    let executed = try execute { (connection) throws(RedisError) in
      connection.add("INCR", .bytes(self.keys.epoch))
      connection.add(
        "SET", .bytes(self.keys.lease), .bytes(self.token), "PX", .integer(Int64(leaseMilliseconds)))
    }
    guard executed != nil, lease == .held else { return false }
    epoch = earlier + 1
    return true
  }

  /// Whether the owner has the lease, as far as it knows. Another one may have acquired it since the last call.
  package var isHeld: Bool { lease == .held }

  /// Extends the lease to its full time.
  ///
  /// - Throws: `RedisError.fenced`.
  package func renew() throws(RedisError) {
    do throws(RedisError) {
      _ = try transact { (_) throws(RedisError) in }
    } catch {
      guard error.code == "OOM" else { throw error }
      try renewOutsideTransaction()
    }
  }

  /// Extends the lease while Redis is out of memory and takes no transactions.
  ///
  /// If another owner acquires the lease between the two steps, its lease is extended, which does no harm.
  private func renewOutsideTransaction() throws(RedisError) {
    guard lease == .held else { throw .fenced }
    let start = MonotonicTime.milliseconds
    connection.add("PEXPIRE", .bytes(keys.lease), .integer(Int64(leaseMilliseconds)))
    connection.add("UNWATCH")
    connection.add("WATCH", .bytes(keys.lease))
    connection.add("GET", .bytes(keys.lease))
    lease = .none
    try connection.flush()
    lease = try connection.replies()[3].bytes == token ? .held : .lost
    guard lease == .held else { throw .fenced }
    extendedAt = start
  }

  /// Extends the lease if a third of its time is over. To be called during long work between a read and a commit.
  ///
  /// - Throws: `RedisError.fenced`.
  package func renewIfDue() throws(RedisError) {
    if MonotonicTime.milliseconds - extendedAt > leaseMilliseconds / 3 || lease != .held { try renew() }
  }

  /// The longest wait for Redis that leaves time for an extension, in milliseconds.
  var waitMilliseconds: Int { max(1, leaseMilliseconds / 3) }

  /// Gives up the lease, unless another owner has it.
  ///
  /// - Throws: `RedisError.server` with code `OOM`, too: the lease expires then.
  package func release() throws(RedisError) {
    guard lease == .held else { return }
    _ = try execute { (connection) throws(RedisError) in connection.add("DEL", .bytes(self.keys.lease)) }
    lease = .none
    _ = try connection.call("UNWATCH")
  }

  // MARK: - Transactions

  /// Executes commands as one transaction if the lease is still this owner's, and extends the lease.
  ///
  /// - Returns: the results of the commands.
  /// - Throws: `RedisError.fenced`; `.server` with code `OOM` and others, if Redis refuses the transaction as a whole.
  func transact(
    _ add: (RedisConnection) throws(RedisError) -> Void
  ) throws(RedisError) -> [RESPValue] {
    guard lease == .held else { throw .fenced }
    let executed = try execute { (connection) throws(RedisError) in
      connection.add("PEXPIRE", .bytes(self.keys.lease), .integer(Int64(self.leaseMilliseconds)))
      try add(connection)
    }
    guard let executed else { throw .fenced }
    return Array(executed.dropFirst())
  }

  /// Executes commands as one transaction if the watched keys have not changed, and watches the lease for the next one.
  ///
  /// - Returns: the results of the commands; nil if a key has changed.
  private func execute(
    _ add: (RedisConnection) throws(RedisError) -> Void
  ) throws(RedisError) -> [RESPValue]? {
    let start = MonotonicTime.milliseconds
    // Until the replies say otherwise.
    lease = .none
    connection.add("MULTI")
    try add(connection)
    connection.add("EXEC")
    connection.add("WATCH", .bytes(keys.lease))
    connection.add("GET", .bytes(keys.lease))
    try connection.flush()
    var queueing: RedisError?
    for _ in 0..<connection.pending - 3 {
      let queued = try connection.reply()
      if queueing == nil { queueing = queued.failure }
    }
    let executed = try connection.reply()
    let watching = try connection.reply()
    let owner = try connection.reply()
    if watching.failure == nil { lease = owner.bytes == token ? .held : .lost }
    // The reply to EXEC says only that there was such an error.
    if let queueing { throw queueing }
    if executed == .null {
      lease = .lost
      return nil
    }
    guard let results = try executed.checked().elements else { throw .malformed("EXEC has no array") }
    for result in results { if let failure = result.failure { throw failure } }
    extendedAt = start
    return results
  }
}
