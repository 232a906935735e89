import StreamCore
import StreamDriving
import StreamFiles
import StreamPartition
import Synchronization
import Testing

/// Inputs that are fed twice, at once, or after their end: nothing is discarded without a word.
@Suite(.serialized, .enabled(if: RedisServer.program != nil, "redis-server is not installed"))
struct FeedingTests {
  private func feeder(_ server: RedisServer, isNumbered: Bool = false) throws -> ShardFeeder {
    var options = ShardFeeder.Options()
    options.batch = 7
    options.isNumbered = isNumbered
    return try ShardFeeder(server.address, ShardDivision(prefix: "test", name: "job", shards: 3), options: options)
  }

  private func feed(_ lines: [String], _ feeder: ShardFeeder, isNumbered: Bool = false) throws {
    for (index, line) in lines.enumerated() {
      let number = UInt64(index + 1)
      if isNumbered { try feeder.note(line: line.utf8, number: number) }
      try feeder.add(
        key: "k\(index % 5)".utf8, payload: Array(line.utf8), time: Int64(index), number: isNumbered ? number : nil)
    }
  }

  private func lines(_ count: Int, _ prefix: String = "line") -> [String] { (1...count).map { "\(prefix) \($0)" } }

  private static func refusal(_ address: RedisAddress) -> RedisError? {
    do throws(RedisError) {
      _ = try ShardFeeder(address, ShardDivision(prefix: "test", name: "job", shards: 3))
      return nil
    } catch {
      return error
    }
  }

  @Test("A second feeder at the same time is refused, and may feed when the first has closed")
  func feedsAlone() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let first = try feeder(server)
    try feed(lines(10), first)
    try first.flush()
    let address = server.address
    // On a thread of its own: other tests may keep those of the pool.
    let refusal = Mutex<RedisError??>(nil)
    _ = SystemThread {
      let found = Self.refusal(address)
      refusal.withLock { $0 = .some(found) }
    }
    // The first one says that it is alive, until the second one has given up.
    let start = ContinuousClock.now
    while refusal.withLock({ $0 == nil }), ContinuousClock.now - start < .seconds(120) { try first.keepAlive() }
    #expect(refusal.withLock { $0 } == .some(.feeding(name: "job")))
    first.close()
    try feed(lines(3), try feeder(server))
  }

  @Test("Records after the end are refused, and an end is sent once") func refusesAfterEnd() throws {
    let server = try RedisServer()
    defer { server.kill() }
    let first = try feeder(server)
    try feed(lines(20), first)
    try first.end()
    first.close()
    let second = try feeder(server)
    #expect(throws: RedisError.ended(name: "job", line: nil)) { try feed(lines(1), second) }
    try second.end()
    second.close()
    let log = try ShardLog(server.address, ShardDivision(prefix: "test", name: "job", shards: 3), shard: 0)
    #expect(try log.acquire(leaseMilliseconds: 5_000))
    let entries = try log.read(after: .zero, count: 1_000, blockMilliseconds: 0)
    #expect(entries.count { $0.content == .end } == 1)
  }

  @Test("A numbered input is fed again, may grow until its end, and no other one takes its place")
  func refusesOtherInputs() throws {
    let server = try RedisServer()
    defer { server.kill() }
    func feedNumbered(_ lines: [String], ends: Bool = false) throws -> Int {
      let feeder = try feeder(server, isNumbered: true)
      defer { feeder.close() }
      try feed(lines, feeder, isNumbered: true)
      if ends { try feeder.end() } else { try feeder.flush() }
      return feeder.skipped
    }
    #expect(try feedNumbered(lines(50)) == 0)
    #expect(try feedNumbered(lines(80)) == 50)
    #expect(throws: RedisError.otherInput(name: "job", line: 1)) { try feedNumbered(lines(80, "other")) }
    // One line of them is another.
    #expect(throws: RedisError.otherInput(name: "job", line: 33)) {
      try feedNumbered(lines(32) + ["other"] + lines(80).dropFirst(33))
    }
    #expect(throws: RedisError.endsTooEarly(name: "job", line: 40)) { try feedNumbered(lines(40), ends: true) }
    #expect(try feedNumbered(lines(2_000), ends: true) == 80)
    #expect(try feedNumbered(lines(2_000), ends: true) == 2_000)
    #expect(throws: RedisError.ended(name: "job", line: 2_000)) { try feedNumbered(lines(2_001), ends: true) }
  }
}
