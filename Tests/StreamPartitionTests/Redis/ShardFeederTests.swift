import StreamPartition
import Testing

@Suite(.serialized, .enabled(if: RedisServer.program != nil, "redis-server is not installed"))
struct ShardFeederTests {
  private func division(_ shards: Int) throws -> ShardDivision {
    try ShardDivision(prefix: "test", name: "job", shards: shards)
  }

  private func entries(_ server: RedisServer, _ shards: Int, _ shard: Int) throws -> [ShardEntry] {
    let log = try ShardLog(server.address, try division(shards), shard: shard)
    guard try log.acquire(leaseMilliseconds: 5_000) else { throw Failed("the lease is not free") }
    defer { try? log.release() }
    return try log.read(after: .zero, count: 10_000, blockMilliseconds: 0)
  }

  @Test("Records go to the shard of their key, in order, and every shard learns time and end") func distributes() throws
  {
    let server = try RedisServer()
    defer { server.kill() }
    var options = ShardFeeder.Options()
    options.batch = 10
    let division = try division(4)
    let feeder = try ShardFeeder(server.address, division, options: options)
    for index in 0..<1_000 {
      try feeder.add(key: "k\(index % 7)".utf8, payload: Array("\(index)".utf8), time: Int64(index) * 10)
    }
    try feeder.end()
    #expect(feeder.sent == 1_000)
    #expect(feeder.newest == 9_990)
    for shard in 0..<4 {
      let entries = try entries(server, 4, shard)
      let payloads = entries.compactMap { entry in
        if case .record(let payload) = entry.content { String(decoding: payload, as: UTF8.self) } else { nil }
      }
      let expected = (0..<1_000).filter { division.shard(of: "k\($0 % 7)".utf8) == shard }.map(String.init)
      #expect(payloads == expected)
      #expect(entries.last?.content == .end)
      #expect(entries.last?.newest == 9_990)
      for entry in entries {
        guard case .record(let payload) = entry.content, let index = Int64(String(decoding: payload, as: UTF8.self))
        else {
          continue
        }
        // The newest time before the record.
        #expect(entry.newest == (index == 0 ? nil : (index - 1) * 10))
      }
      // One tick for each of the 100 batches, unless the last record has its time.
      let times = entries.compactMap(\.newest)
      #expect(times == times.sorted())
      #expect(Set(times).isSuperset(of: (1...99).map { Int64($0 * 10 - 1) * 10 }))
    }
  }

  @Test("Another number of shards is refused") func refusesOtherCounts() throws {
    let server = try RedisServer()
    defer { server.kill() }
    _ = try ShardFeeder(server.address, try division(4))
    let expected = RedisError.shardCount(name: "job", stored: 4, requested: 3)
    #expect(throws: expected) { try ShardFeeder(server.address, try self.division(3)) }
    #expect(throws: expected) { try ShardLog(server.address, try self.division(3), shard: 0) }
    #expect(expected.description.contains("4 shards, not 3"))
    _ = try ShardLog(server.address, try division(4), shard: 3)
    var numbered = ShardFeeder.Options()
    numbered.isNumbered = true
    #expect(throws: RedisError.numbering(name: "job", isStoredNumbered: false)) {
      try ShardFeeder(server.address, try self.division(4), options: numbered)
    }
  }

  @Test("Names with braces are refused") func refusesNames() {
    #expect(throws: RedisError.self) { try ShardDivision(prefix: "a", name: "b}c", shards: 1) }
    #expect(throws: RedisError.self) { try ShardDivision(prefix: "", name: "b", shards: 1) }
  }

  @Test("Numbered records are fed once, however often feeding is repeated") func feedsOnce() throws {
    let server = try RedisServer()
    defer { server.kill() }
    var options = ShardFeeder.Options()
    options.batch = 7
    options.isNumbered = true
    for (from, to) in [(1, 50), (20, 120), (1, 300)] {
      let feeder = try ShardFeeder(server.address, try division(2), options: options)
      for number in from...to {
        try feeder.add(
          key: "k\(number % 5)".utf8, payload: Array("\(number)".utf8), time: Int64(number), number: UInt64(number))
      }
      if to == 300 {
        try feeder.end()
        #expect(feeder.skipped == 120)
      } else {
        try feeder.flush()
      }
    }
    let all = try entries(server, 2, 0) + entries(server, 2, 1)
    let records = all.compactMap { entry in
      if case .record(let payload) = entry.content { Int(String(decoding: payload, as: UTF8.self)) } else { nil }
    }
    #expect(records.sorted() == Array(1...300))
    #expect(all.filter { $0.content == .end }.count == 2)
  }

  @Test("A refused batch is repeated as a whole") func repeatsRefusedBatches() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let other = try server.connect()
    let feeder = try ShardFeeder(server.address, try division(2))
    for index in 0..<10 { try feeder.add(key: "k\(index)".utf8, payload: [UInt8(index)], time: 5) }
    _ = try other.call("CONFIG", "SET", "maxmemory", "1")
    for _ in 0..<2 {
      let error = #expect(throws: RedisError.self) { try feeder.flush() }
      #expect(error?.code == "OOM")
    }
    _ = try other.call("CONFIG", "SET", "maxmemory", "0")
    try feeder.flush()
    #expect(feeder.sent == 10)
    let all = try entries(server, 2, 0) + entries(server, 2, 1)
    let records = all.filter { if case .record = $0.content { true } else { false } }
    #expect(records.count == 10)
    #expect(all.filter { $0.content == .tick && $0.newest == 5 }.count <= 2)
  }

  @Test("Feeding waits while an input is full") func waitsForRoom() throws {
    let server = try RedisServer()
    defer { server.kill() }
    var options = ShardFeeder.Options()
    options.batch = 10
    options.maxInput = 20
    options.waitMilliseconds = 100
    let feeder = try ShardFeeder(server.address, try division(1), options: options)
    var fed = 0
    #expect(throws: RedisError.timeout(milliseconds: 100)) {
      while fed < 100 {
        fed += 1
        try feeder.add(key: [1], payload: [1], time: nil)
      }
    }
    #expect(fed == 40)
    let log = try ShardLog(server.address, try division(1), shard: 0)
    #expect(try log.inputLength() == 30)
    _ = try server.connect().call("XTRIM", .bytes(log.keys.input), "MAXLEN", "5")
    try feeder.flush()
    #expect(try log.inputLength() == 15)
  }

  @Test("A cluster has the shards on several nodes", .timeLimit(.minutes(1))) func cluster() throws {
    let nodes = try (0..<2).map { _ in try RedisServer("--cluster-enabled", "yes") }
    defer { for node in nodes { node.kill() } }
    let connections = try nodes.map { try RedisConnection($0.address) }
    _ = try connections[0].call("CLUSTER", "ADDSLOTSRANGE", "0", "8191")
    _ = try connections[1].call("CLUSTER", "ADDSLOTSRANGE", "8192", "16383")
    _ = try connections[0].call("CLUSTER", "SET-CONFIG-EPOCH", "1")
    _ = try connections[1].call("CLUSTER", "SET-CONFIG-EPOCH", "2")
    _ = try connections[0].call("CLUSTER", "MEET", "127.0.0.1", .text(String(nodes[1].port)))
    let isReady = try waitUntil {
      try connections.allSatisfy { try $0.call("CLUSTER", "INFO").text?.contains("cluster_state:ok") == true }
    }
    #expect(isReady)

    var options = ShardFeeder.Options()
    options.maxInput = 1_000
    let feeder = try ShardFeeder(nodes[0].address, try division(8), options: options)
    for index in 0..<800 { try feeder.add(key: "k\(index)".utf8, payload: [1], time: Int64(index)) }
    try feeder.end()
    var records = 0
    for shard in 0..<8 {
      let log = try ShardLog(nodes[1].address, try division(8), shard: shard)
      #expect(try log.acquire(leaseMilliseconds: 5_000))
      var meta = try log.load()
      let entries = try log.read(after: meta.position, count: 10_000, blockMilliseconds: 0)
      #expect(entries.last?.content == .end)
      records += entries.filter { if case .record = $0.content { true } else { false } }.count
      meta.position = entries.last?.id ?? .zero
      var commit = ShardCommit(meta: meta)
      commit.states = [ShardCommit.State(key: [1], snapshot: [2], wake: 3)]
      commit.outputs = [ShardCommit.Output(payload: [4], time: 5)]
      commit.removed = [[9]]
      commit.trim = .consumed(keep: 0)
      try log.commit(commit)
      #expect(try log.load().position == meta.position)
      try log.release()
    }
    #expect(records == 800)
    for connection in connections { #expect(try connection.call("DBSIZE").integer ?? 0 > 0) }
  }
}
