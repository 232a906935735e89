/// Distributes records to the inputs of shards.
///
/// The batch of a shard is one transaction, so that a record which Redis refuses does not end up behind later ones.
/// Each batch sends every shard the newest event time, so that time also advances in shards without records.
///
/// One process feeds a stream at a time. Records for an input that has ended are refused.
///
/// To be used by one thread at a time.
package final class ShardFeeder {
  package struct Options: Hashable, Sendable {
    /// Records after which they are sent. At least 1.
    package var batch = 1_000
    /// Feeding waits while the input of a shard is longer, in entries; nil does not wait. Requires owners that trim.
    package var maxInput: Int?
    /// The longest wait for room, in milliseconds; nil is without a limit.
    package var waitMilliseconds: Int?
    /// Whether each record is given a number, which becomes the ID of its entry. Records that a shard already has are
    /// skipped then, so that feeding can be repeated from any earlier record after a failure.
    package var isNumbered = false
    package var connection = RedisConnection.Options()

    package init() {}
  }

  /// The unsent commands of one shard.
  private struct Outlet {
    let connection: RedisConnection
    let key: [UInt8]
    var writer = RESPWriter()
    var records = 0
    /// The newest time in the last entry.
    var told: Int64?
    /// Entries of the input when it was last asked for.
    var length = 0
    /// The entry that has ended the input; nil before the end.
    var end: StreamID?

    /// Begins an entry, whose fields are appended then.
    mutating func append(_ fields: Int, _ id: String) {
      writer.begin(3 + fields * 2)
      writer.append("XADD")
      writer.append(key)
      writer.append(id)
    }

    /// Returns an entry for the end of the input, or for the newest time unless the last entry has it; nil if neither
    /// is needed.
    mutating func closing(isEnd: Bool, _ id: String, _ newest: Int64?) -> RESPWriter? {
      guard isEnd || (newest != nil && newest != told) else { return nil }
      told = newest
      var entry = Outlet(connection: connection, key: key)
      entry.append(1, id)
      entry.writer.append(isEnd ? "end" : "n")
      if let newest { entry.writer.append(newest) } else { entry.writer.append("") }
      return entry.writer
    }
  }

  package let division: ShardDivision
  /// The newest event time of all records, in nanoseconds since 1970; nil before the first one.
  package private(set) var newest: Int64?
  /// Records that were sent, and those of them that a shard already had.
  package private(set) var sent = 0
  package private(set) var skipped = 0

  private let options: Options
  private let lease: FeedLease
  private let lines: FedLines?
  /// Whether the input of a shard has ended.
  private let hasEnded: Bool
  private var outlets: [Outlet] = []
  private var waiting = 0
  private var bytes = 0
  /// An error by which a part of a batch was not written.
  private var fault: RedisError?
  /// The number of the last record.
  private var number: UInt64 = 0
  /// Number of times that event time has passed without records since then.
  private var tickCount: UInt64 = 0

  private static let largeBatch = 4 << 20

  /// Connects, and stores or checks the number of shards.
  ///
  /// - Throws: `RedisError.shardCount`, `.numbering`, `.feeding`, and the errors of `RedisConnection`.
  package init(
    _ address: RedisAddress, _ division: ShardDivision, options: Options = Options()
  ) throws(RedisError) {
    precondition(options.batch > 0, "a batch has at least one record")
    (self.division, self.options) = (division, options)
    let first = try RedisConnection.open(address, having: division.countKey, options: options.connection)
    try division.claim(first)
    try division.claimNumbering(options.isNumbered, first)
    lease = FeedLease(division, first)
    try lease.acquire()
    lines = options.isNumbered ? try FedLines(division, first) : nil
    var outlets: [Outlet] = []
    for shard in 0..<division.shards {
      let key = try division.keys(shard).input
      // The shards of a cluster may be on different nodes.
      let connection =
        first.isCluster ? try RedisConnection.open(address, having: key, options: options.connection) : first
      outlets.append(Outlet(connection: connection, key: key))
    }
    for shard in outlets.indices {
      outlets[shard].end = try Self.end(of: try division.keys(shard), outlets[shard].connection)
    }
    hasEnded = outlets.contains { $0.end != nil }
    self.outlets = outlets
  }

  /// Returns the entry that has ended the input of a shard: it is the last one, or an owner has processed it.
  private static func end(of keys: ShardKeys, _ connection: RedisConnection) throws(RedisError) -> StreamID? {
    let meta = try ShardMeta(try connection.call("HGETALL", .bytes(keys.meta)), key: keys.meta)
    if meta.isEnded { return meta.position }
    let last = try connection.call("XREVRANGE", .bytes(keys.input), "+", "-", "COUNT", "1")
    guard let entry = last.elements?.first.flatMap({ ShardEntry($0) }), entry.content == .end else { return nil }
    return entry.id
  }

  /// Lets other processes feed.
  package func close() { lease.release() }

  /// Extends the right to feed, which runs out after some seconds without a call. To be called while records are awaited.
  package func keepAlive() throws(RedisError) { try lease.renewIfDue() }

  /// Notes a line of an input that is numbered, before its record is added.
  ///
  /// - Throws: `RedisError.otherInput`.
  package func note(line: some Sequence<UInt8>, number: UInt64) throws(RedisError) {
    try lines?.note(line, number: number)
  }

  /// Notes the event time of a record that goes to no shard, in nanoseconds since 1970.
  package func note(time: Int64) { newest = max(newest ?? time, time) }

  /// Lets event time pass without records, in all shards.
  ///
  /// - Parameter time: The newest event time, in nanoseconds since 1970.
  package func pass(to time: Int64) throws(RedisError) {
    guard !hasEnded, time > newest ?? .min else { return }
    note(time: time)
    tickCount += 1
    try flush()
  }

  /// Whether all records have been sent.
  package var isFlushed: Bool { waiting == 0 }

  /// Adds a record. Sends the batch if it is complete.
  ///
  /// - Parameters:
  ///   - key: of the partition; selects the shard.
  ///   - time: the event time, in nanoseconds since 1970; nil if it has none.
  ///   - number: counts the records of the input from 1, if `Options.isNumbered`.
  /// - Throws: `RedisError.ended`; `.timeout` if there is no room, and the errors of `flush`, after the record has been
  ///   added.
  package func add(
    key: some Sequence<UInt8>, payload: [UInt8], time: Int64?, number: UInt64? = nil
  ) throws(RedisError) {
    precondition((number != nil) == options.isNumbered, "records are numbered, or none of them is")
    if let number {
      precondition(number > self.number, "the numbers of records grow")
      self.number = number
      tickCount = 0
    }
    if hasEnded { try requireOpen() }
    let shard = division.shard(of: key)
    let before = outlets[shard].writer.bytes.count
    outlets[shard].append(newest == nil ? 1 : 2, id(0))
    outlets[shard].writer.append("v")
    outlets[shard].writer.append(payload)
    if let newest {
      outlets[shard].writer.append("n")
      outlets[shard].writer.append(newest)
      outlets[shard].told = newest
    }
    outlets[shard].records += 1
    if let time { note(time: time) }
    waiting += 1
    bytes += outlets[shard].writer.bytes.count - before
    if waiting >= options.batch || bytes > Self.largeBatch { try flush() }
  }

  /// Refuses a record for an input that has ended. A numbered one may be there already.
  private func requireOpen() throws(RedisError) {
    guard let end = outlets.compactMap(\.end).max() else { return }
    guard options.isNumbered else { throw .ended(name: division.name, line: nil) }
    if number > end.milliseconds { throw .ended(name: division.name, line: end.milliseconds) }
  }

  /// Sends all records that have been added, and the newest time to all shards.
  ///
  /// - Throws: `RedisError.server` with code `OOM`: the batches of one or more shards have been refused; a later call
  ///   repeats them. After other errors, feeding can only be repeated by a new feeder.
  package func flush() throws(RedisError) {
    try send(isEnd: false)
  }

  /// Sends all records, and ends the input of all shards that is still open.
  ///
  /// - Throws: as `flush`; `RedisError.endsTooEarly`.
  package func end() throws(RedisError) {
    try send(isEnd: true)
  }

  /// The ID of a new entry.
  ///
  /// - Parameter suffix: distinguishes the entries that follow a record: 0 is the record, more a tick, and the greatest the
  ///   end.
  private func id(_ suffix: UInt64) -> String { options.isNumbered ? "\(number)-\(suffix)" : "*" }

  private static let endSuffix = UInt64.max

  /// Sends the records of each shard and the entry that closes its batch, if it needs one, as one transaction.
  private func send(isEnd: Bool) throws(RedisError) {
    if let fault { throw fault }
    try lease.renewIfDue()
    try waitForRoom()
    try lines?.store()
    var active: [(shard: Int, commands: Int)] = []
    for shard in outlets.indices {
      let records = outlets[shard].records
      // Not kept with the records: it is created again when they are repeated.
      let isOpen = outlets[shard].end == nil
      let suffix = isEnd ? Self.endSuffix : 1 + tickCount
      let closing = isOpen ? outlets[shard].closing(isEnd: isEnd, id(suffix), newest) : nil
      guard records > 0 || closing != nil else { continue }
      let connection = outlets[shard].connection
      connection.add("MULTI")
      try connection.add(outlets[shard].writer, count: records)
      if let closing { try connection.add(closing, count: 1) }
      connection.add("EXEC")
      if options.maxInput != nil { connection.add("XLEN", .bytes(outlets[shard].key)) }
      active.append((shard, records + (closing == nil ? 0 : 1)))
    }
    // A connection that several shards share is flushed once; the other calls have nothing to send.
    for (shard, _) in active { try outlets[shard].connection.flush() }
    var refusal: RedisError?
    for (shard, commands) in active {
      if let error = try receive(shard, commands, isEnd: isEnd) {
        outlets[shard].told = nil
        refusal = refusal ?? error
      } else {
        sent += outlets[shard].records
        outlets[shard].writer.removeAll()
        outlets[shard].records = 0
      }
    }
    waiting = outlets.reduce(0) { $0 + $1.records }
    bytes = outlets.reduce(0) { $0 + $1.writer.bytes.count }
    if let error = fault ?? refusal { throw error }
  }

  /// Takes the replies to the batch of a shard. Returns the error by which Redis has refused it as a whole; one by
  /// which only a part of it was written becomes `fault`.
  private func receive(_ shard: Int, _ commands: Int, isEnd: Bool) throws(RedisError) -> RedisError? {
    let connection = outlets[shard].connection
    var refusal: RedisError?
    for _ in 0...commands {
      let queued = try connection.reply()
      if refusal == nil { refusal = queued.failure }
    }
    let executed = try connection.reply()
    if options.maxInput != nil { outlets[shard].length = Int(try connection.reply().integer ?? 0) }
    if let refusal = refusal ?? executed.failure { return refusal }
    guard let results = executed.elements, results.count == commands else {
      throw .malformed("EXEC has another count of results")
    }
    for (index, result) in results.enumerated() {
      guard let failure = result.failure else { continue }
      if options.isNumbered, case .server(_, let message) = failure, message.contains("equal or smaller") {
        if index < outlets[shard].records {
          skipped += 1
        } else if isEnd {
          fault = fault ?? .endsTooEarly(name: division.name, line: number)
        }
      } else {
        fault = fault ?? failure
      }
    }
    return nil
  }

  /// Waits until no input that records are waiting for is too long.
  private func waitForRoom() throws(RedisError) {
    guard let limit = options.maxInput else { return }
    let start = MonotonicTime.milliseconds
    var pause = 5
    while true {
      let full = outlets.indices.filter { outlets[$0].records > 0 && outlets[$0].length > limit }
      guard !full.isEmpty else { return }
      for shard in full {
        outlets[shard].length = Int(
          try outlets[shard].connection.call("XLEN", .bytes(outlets[shard].key)).integer ?? 0)
      }
      guard full.contains(where: { outlets[$0].length > limit }) else { return }
      if let longest = options.waitMilliseconds, MonotonicTime.milliseconds - start >= longest {
        throw .timeout(milliseconds: longest)
      }
      try lease.renewIfDue()
      MonotonicTime.sleep(milliseconds: pause)
      pause = min(pause * 2, 200)
    }
  }
}
