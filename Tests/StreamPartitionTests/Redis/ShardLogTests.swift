import CLibrary
import StreamPartition
import Testing

@Suite(.serialized, .enabled(if: RedisServer.program != nil, "redis-server is not installed"))
struct ShardLogTests {
  private func division(_ shards: Int = 1) throws -> ShardDivision {
    try ShardDivision(prefix: "test", name: "job", shards: shards)
  }

  private func owner(_ server: RedisServer, shards: Int = 1, shard: Int = 0) throws -> ShardLog {
    try ShardLog(server.address, try division(shards), shard: shard)
  }

  /// Waits until a standby has the lease.
  private func acquire(_ log: ShardLog, leaseMilliseconds: Int = 5_000) throws {
    for _ in 0..<500 {
      if try log.acquire(leaseMilliseconds: leaseMilliseconds) { return }
      usleep(10_000)
    }
    throw Failed("the lease is not acquired")
  }

  /// A commit whose parts all say its number.
  private func numbered(_ number: Int, keys: Int, outputs: Int, padding: Int = 0) -> ShardCommit {
    var meta = ShardMeta()
    meta.position = StreamID(milliseconds: UInt64(number), sequence: 0)
    meta.records = Int64(number)
    meta.fileHash = [0, 255]
    var commit = ShardCommit(meta: meta)
    let rest = [UInt8](repeating: 32, count: padding)
    commit.states = (0..<keys).map {
      ShardCommit.State(
        key: Array("key\($0)".utf8), snapshot: Array("\(number)".utf8) + rest, wake: Int64(number) * 1_000_000)
    }
    commit.outputs = (0..<outputs).map {
      ShardCommit.Output(payload: Array("\(number):\($0)".utf8), time: Int64(number))
    }
    return commit
  }

  @Test("A commit is stored as a whole, and the next owner loads it") func storesCommits() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    #expect(!log.isHeld)
    #expect(throws: RedisError.fenced) { try log.commit(ShardCommit(meta: ShardMeta())) }
    #expect(try log.acquire(leaseMilliseconds: 5_000))
    #expect(log.epoch == 1)
    #expect(try log.load() == ShardMeta())
    #expect(try log.nextWake() == nil)

    var commit = numbered(7, keys: 1_200, outputs: 3)
    commit.meta.newest = -5
    commit.meta.watermark = .max
    commit.meta.isEnded = true
    (commit.meta.outputs, commit.meta.late, commit.meta.failures) = (3, 1, 2)
    commit.states[5].wake = nil
    commit.states[6].wake = -1
    commit.late = [ShardCommit.Output(payload: [0, 1], time: .min)]
    try log.commit(commit)
    #expect(try log.stateCount() == 1_200)
    #expect(try log.nextWake() == ShardWake(key: Array("key6".utf8), milliseconds: -1))
    #expect(try log.keysDue(before: 6_999_999, limit: 10).count == 1)
    #expect(try log.keysDue(before: 7_000_000, limit: 2_000).count == 1_199)
    #expect(try log.keysDue(before: 7_000_000, offset: 1_190, limit: 100).count == 9)
    try log.release()
    #expect(throws: RedisError.fenced) { try log.renew() }

    let next = try owner(server)
    #expect(try next.acquire(leaseMilliseconds: 5_000))
    #expect(next.epoch == 2)
    let meta = try next.load()
    #expect(meta.epoch == 1)
    #expect(meta.position == commit.meta.position)
    #expect(meta.newest == -5)
    #expect(meta.watermark == .max)
    #expect(meta.fileHash == [0, 255])
    #expect(meta.isEnded)
    #expect([meta.records, meta.outputs, meta.late, meta.failures] == [7, 3, 1, 2])
    let names = (0..<1_201).map { Array("key\($0)".utf8) }
    let states = try next.loadStates(names)
    #expect(states.dropLast().allSatisfy { $0 == Array("7".utf8) })
    #expect(states.last == .some(nil))

    var removing = ShardCommit(meta: meta)
    removing.removed = Array(names.prefix(1_100))
    try next.commit(removing)
    #expect(try next.stateCount() == 100)
    #expect(try next.keysDue(before: .max, limit: 2_000).count == 100)
    let late = try server.connect().call("XRANGE", .bytes(next.keys.late), "-", "+")
    let fields = late.elements?.first?.elements?.last?.elements?.compactMap(\.bytes)
    #expect(fields == [Array("v".utf8), [0, 1], Array("t".utf8), Array("-9223372036854775808".utf8)])
  }

  @Test("A lease is taken over after it has expired, and the old owner is fenced") func takesOver() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let (first, second) = (try owner(server), try owner(server))
    #expect(try first.acquire(leaseMilliseconds: 1_000))
    #expect(try !second.acquire(leaseMilliseconds: 1_000))
    try acquire(second)
    #expect(second.epoch == 2)
    #expect(throws: RedisError.fenced) { try first.commit(self.numbered(1, keys: 10, outputs: 10)) }
    #expect(!first.isHeld)
    #expect(throws: RedisError.fenced) { try first.read(after: .zero, count: 1, blockMilliseconds: 10) }
    #expect(try second.load() == ShardMeta())
    #expect(try second.stateCount() == 0)
    #expect(try second.outputLength() == 0)
    #expect(try second.nextWake() == nil)
    #expect(try !first.acquire(leaseMilliseconds: 1_000))
    try second.commit(numbered(2, keys: 1, outputs: 1))
    try first.release()
    #expect(try !first.acquire(leaseMilliseconds: 1_000))
    try second.commit(numbered(3, keys: 1, outputs: 1))
    #expect(try second.outputLength() == 2)
  }

  @Test("An expired lease fences, too, if it has no new owner") func expiredLease() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    #expect(try log.acquire(leaseMilliseconds: 100))
    usleep(200_000)
    #expect(throws: RedisError.fenced) { try log.commit(self.numbered(1, keys: 1, outputs: 1)) }
    #expect(try log.outputLength() == 0)
    #expect(try log.acquire(leaseMilliseconds: 5_000))
    try log.commit(numbered(1, keys: 1, outputs: 1))
  }

  @Test("The lease that an interrupted connection had is acquired again, and fences that connection")
  func reacquires() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    #expect(try log.acquire(leaseMilliseconds: 60_000))
    // A transaction of the owner that is still on its way when the owner gives its connection up.
    let earlier = try server.connect()
    earlier.add("WATCH", .bytes(log.keys.lease))
    earlier.add("MULTI")
    earlier.add("XADD", .bytes(log.keys.output), "*", "v", "x")
    try earlier.flush()
    _ = try earlier.replies()
    let other = try owner(server)
    #expect(try !other.acquire(leaseMilliseconds: 60_000))
    try log.reconnect()
    #expect(try log.acquire(leaseMilliseconds: 60_000))
    #expect(log.epoch == 2)
    #expect(try earlier.call("EXEC") == .null)
    try log.commit(numbered(1, keys: 1, outputs: 1))
    #expect(try log.outputLength() == 1)
  }

  @Test("A standby acquires the lease although it has tried while another one renewed it") func standbyRetries() throws
  {
    let server = try RedisServer()
    defer { server.kill() }
    let (first, second) = (try owner(server), try owner(server))
    try acquire(first)
    for _ in 0..<3 {
      #expect(try !second.acquire(leaseMilliseconds: 1_000))
      try first.renew()
    }
    try first.release()
    #expect(try second.acquire(leaseMilliseconds: 1_000))
    #expect(second.epoch == 2)
  }

  @Test("A wait for input extends the lease") func blockedRead() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let (log, standby) = (try owner(server), try owner(server))
    #expect(try log.acquire(leaseMilliseconds: 600))
    let empty = try log.read(after: .zero, count: 10, blockMilliseconds: 1_500)
    #expect(empty.isEmpty)
    #expect(try !standby.acquire(leaseMilliseconds: 600))
    try log.commit(numbered(1, keys: 1, outputs: 1))
  }

  @Test("Entries are read in order, with all of their forms") func readsEntries() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    try acquire(log)
    let other = try server.connect()
    let input = RESPArgument.bytes(log.keys.input)
    _ = try other.call("XADD", input, "1-0", "v", .bytes([0, 255]))
    _ = try other.call("XADD", input, "1-1", "n", "-5", "v", "b")
    _ = try other.call("XADD", input, "2-0", "n", "7")
    _ = try other.call("XADD", input, "2-1", "x", "7")
    _ = try other.call("XADD", input, "3-0", "end", "")
    _ = try other.call("XADD", input, "4-0", "end", "9")
    let entries = try log.read(after: .zero, count: 10, blockMilliseconds: 0)
    func id(_ milliseconds: UInt64, _ sequence: UInt64) -> StreamID {
      StreamID(milliseconds: milliseconds, sequence: sequence)
    }
    #expect(
      entries == [
        ShardEntry(id: id(1, 0), content: .record([0, 255]), newest: nil),
        ShardEntry(id: id(1, 1), content: .record([98]), newest: -5),
        ShardEntry(id: id(2, 0), content: .tick, newest: 7),
        ShardEntry(id: id(2, 1), content: .unknown, newest: nil),
        ShardEntry(id: id(3, 0), content: .end, newest: nil),
        ShardEntry(id: id(4, 0), content: .end, newest: 9),
      ])
    #expect(try log.read(after: id(1, 1), count: 1, blockMilliseconds: 0) == [entries[2]])
    #expect(try log.read(after: id(4, 0), count: 1, blockMilliseconds: 0) == [])
  }

  @Test("Consumed input is trimmed, and the rest is kept") func trims() throws {
    let server = try RedisServer("--stream-node-max-entries", "10")
    defer { server.kill() }
    let log = try owner(server)
    try acquire(log)
    let feeder = try ShardFeeder(server.address, try division())
    for index in 0..<1_000 { try feeder.add(key: [1], payload: Array("\(index)".utf8), time: nil) }
    try feeder.flush()
    var meta = ShardMeta()
    for (batch, expected) in [(0, 1_000), (1, 1_000), (2, 1_000), (3, 900)] {
      let entries = try log.read(after: meta.position, count: 100, blockMilliseconds: 0)
      #expect(entries.first?.content == .record(Array("\(batch * 100)".utf8)))
      meta.position = entries[99].id
      var commit = ShardCommit(meta: meta)
      commit.trim = .consumed(keep: 250)
      try log.commit(commit)
      let length = try log.inputLength()
      // Whole blocks of 10 entries are deleted.
      #expect(length >= expected && length <= expected + 10)
    }
    var commit = ShardCommit(meta: meta)
    commit.trim = .consumed(keep: 0)
    try log.commit(commit)
    #expect(try log.inputLength() <= 610)
    #expect(try log.inputLength() >= 600)
    #expect(try log.read(after: meta.position, count: 1_000, blockMilliseconds: 0).count == 600)
  }

  @Test("A commit that exceeds the memory of Redis leaves nothing behind, and can be repeated") func outOfMemory()
    throws
  {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    try acquire(log)
    let other = try server.connect()
    _ = try other.call("CONFIG", "SET", "maxmemory", "1")
    let error = #expect(throws: RedisError.self) { try log.commit(self.numbered(1, keys: 5, outputs: 5)) }
    #expect(error?.code == "OOM")
    #expect(try log.outputLength() == 0)
    #expect(try log.stateCount() == 0)
    #expect(log.isHeld)
    try log.renew()
    #expect(try log.read(after: .zero, count: 1, blockMilliseconds: 0).isEmpty)
    _ = try other.call("CONFIG", "SET", "maxmemory", "0")
    try log.commit(numbered(1, keys: 5, outputs: 5))
    #expect(try log.outputLength() == 5)
  }

  @Test("A key of another program is not used") func foreignKeys() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    try acquire(log)
    let other = try server.connect()
    _ = try other.call("SET", .bytes(log.keys.state), "x")
    #expect(throws: RedisError.foreign(key: "test:{job:0}:state", reason: "it is not a hash")) { try log.load() }
    _ = try other.call("DEL", .bytes(log.keys.state))
    _ = try other.call("HSET", .bytes(log.keys.meta), "position", "x")
    #expect(throws: RedisError.foreign(key: "test:{job:0}:meta", reason: "the field 'position' is damaged")) {
      try log.load()
    }
  }

  @Test("The owner waits while readers are behind") func waitsForReaders() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let log = try owner(server)
    #expect(try log.acquire(leaseMilliseconds: 600))
    try log.commit(numbered(1, keys: 1, outputs: 20))
    #expect(try log.waitForOutputRoom(maxOutputs: 20, milliseconds: 0))
    #expect(try !log.waitForOutputRoom(maxOutputs: 10, milliseconds: 1_300))
    _ = try server.connect().call("XTRIM", .bytes(log.keys.output), "MAXLEN", "5")
    #expect(try log.waitForOutputRoom(maxOutputs: 10, milliseconds: 500))
    try log.renew()
  }

  @Test(
    "Position, states and outputs agree after redis-server is killed amid commits", .timeLimit(.minutes(2)),
    arguments: ["always", "everysec"])
  func survivesKill(_ synchronization: String) throws {
    let options = ["--appendonly", "yes", "--appendfsync", synchronization, "--aof-load-truncated", "no"]
    let server = try RedisServer(options)
    defer { server.kill() }
    var confirmed = 0
    for round in 0..<5 {
      let log = try owner(server)
      try acquire(log, leaseMilliseconds: 1_000)
      let meta = try log.load()
      var number = Int(meta.records)
      // The last commit may have been written without a reply. With `everysec`, Redis replies before it has written if
      // the disk is slow, so that the newest commits may be lost, each as a whole.
      #expect(number <= confirmed + 1)
      if synchronization == "always" { #expect(number >= confirmed) }
      #expect(meta.position == StreamID(milliseconds: UInt64(number), sequence: 0))
      let states = try log.loadStates((0..<50).map { Array("key\($0)".utf8) })
      for state in states where number > 0 {
        #expect(state?.prefix { $0 != 32 } == Array("\(number)".utf8)[...])
      }
      let due = try log.keysDue(before: .max, limit: 100)
      #expect(due.allSatisfy { $0.milliseconds == number })
      let count = try log.outputLength()
      #expect(count == number * 200, "\(count) for \(number), round \(round)")
      confirmed = number
      guard round < 4 else { break }

      let killer = try server.killLater(milliseconds: 150 + round * 37)
      let error = #expect(throws: RedisError.self) {
        while true {
          try log.commit(self.numbered(number + 1, keys: 50, outputs: 200, padding: 1_000))
          number += 1
          confirmed = number
        }
      }
      #expect(error == .closed)
      waitpid(killer, nil, 0)
      server.kill()
      try server.mend()
      try server.start(options)
    }
    #expect(confirmed > 0)
  }

  /// A server that is killed within a write leaves a part of a transaction, which must never take effect.
  @Test("A transaction that is cut in the append-only file has no effect, after two failures either")
  func cutTransaction() throws {
    let options = ["--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "no"]
    let server = try RedisServer(options)
    defer { server.kill() }
    var log = try owner(server)
    #expect(try !log.connection.keepsPartsOfTransactions())
    try acquire(log)
    try log.commit(numbered(1, keys: 5, outputs: 5))
    var whole = stat()
    #expect(stat(server.appendOnlyFile, &whole) == 0)
    try log.commit(numbered(2, keys: 5, outputs: 5))
    server.kill()
    var both = stat()
    #expect(stat(server.appendOnlyFile, &both) == 0)
    // Within the last transaction, and within a command.
    #expect(truncate(server.appendOnlyFile, (whole.st_size + both.st_size) / 2) == 0)
    for number in 2...3 {
      try server.mend()
      try server.start(options)
      log = try owner(server)
      _ = try log.connection.call("DEL", .bytes(log.keys.lease))
      try acquire(log)
      #expect(try log.load().records == Int64(number - 1))
      #expect(try log.outputLength() == (number - 1) * 5)
      try log.commit(numbered(number, keys: 5, outputs: 5))
      server.kill()
    }
  }

  @Test("A server that mends its file itself is reported") func mendingServer() throws {
    let server = try RedisServer("--appendonly", "yes")
    defer { server.kill() }
    #expect(try server.connect().keepsPartsOfTransactions())
    let other = try RedisServer()
    defer { other.kill() }
    #expect(try !other.connect().keepsPartsOfTransactions())
  }
}
