/// The right to feed a stream, which one process has at a time.
///
/// The newest event time of a feeder decides which records are late: with two at once, each would make records of the
/// other late. The lease guards against a mistake, not against failures: exactness does not depend on it.
///
/// To be used by one thread at a time.
final class FeedLease {
  private let name: String
  private let key: [UInt8]
  private let connection: RedisConnection
  private let token: [UInt8]
  /// When the lease was last extended, by `MonotonicTime`.
  private var extendedAt = 0
  private var isHeld = false

  /// The time after which another process may feed if this one says nothing.
  static let milliseconds = 5_000

  init(_ division: ShardDivision, _ connection: RedisConnection) {
    (name, key, self.connection) = (division.name, division.feederKey, connection)
    var generator = SystemRandomNumberGenerator()
    token = Array(String(generator.next() as UInt64, radix: 16).utf8)
  }

  deinit { release() }

  /// Acquires the lease. Waits for that of a process that has failed to run out.
  ///
  /// - Throws: `RedisError.feeding` if another process extends it.
  func acquire() throws(RedisError) {
    var rest = Int64.max
    while try !take() {
      let left = try connection.call("PTTL", .bytes(key)).integer ?? 0
      if left == -1 { throw .foreign(key: String(decoding: key, as: UTF8.self), reason: "it does not expire") }
      guard left <= rest else { throw .feeding(name: name) }
      rest = left
      MonotonicTime.sleep(milliseconds: 100)
    }
  }

  private func take() throws(RedisError) -> Bool {
    let start = MonotonicTime.milliseconds
    let reply = try connection.call(
      "SET", .bytes(key), .bytes(token), "NX", "PX", .integer(Int64(Self.milliseconds)))
    guard reply != .null else { return false }
    (extendedAt, isHeld) = (start, true)
    return true
  }

  /// Extends the lease to its full time, if a third of it is over.
  ///
  /// - Throws: `RedisError.feeding` if another process has acquired it meanwhile.
  func renewIfDue() throws(RedisError) {
    guard isHeld, MonotonicTime.milliseconds - extendedAt > Self.milliseconds / 3 else { return }
    let start = MonotonicTime.milliseconds
    let owner = try connection.call("GET", .bytes(key))
    if owner == .null, try take() { return }
    guard owner.bytes == token else {
      isHeld = false
      throw .feeding(name: name)
    }
    _ = try connection.call("PEXPIRE", .bytes(key), .integer(Int64(Self.milliseconds)))
    extendedAt = start
  }

  /// Lets other processes feed. A lease that cannot be released expires.
  func release() {
    guard isHeld, connection.pending == 0 else { return }
    isHeld = false
    guard (try? connection.call("GET", .bytes(key)).bytes) == token else { return }
    _ = try? connection.call("DEL", .bytes(key))
  }
}
