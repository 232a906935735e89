#if Sharing && os(Linux)
import StreamCore
import StreamKit
import Synchronization
import TestSupport
import Testing

@testable import StreamSharing

/// As `TimerMemoryTests`, for streams that follow a repository, whose probations have timers of their own.
@Suite("Timers of shared streams keep no memory", .serialized)
struct SharedTimerMemoryTests {
  private static let shortAndLong = #"{"debounce": {"seconds": 0.0001}}, {"timeout": {"seconds": 3600}}"#

  @Test("A shared stream publishes beside a timer of an hour")
  func values() async throws {
    try await OwnProcess.run(of: "SharedTimerMemoryTests") {
      let memory = try SharedTimerMemory(SharedTimerMemoryTests.shortAndLong)
      let (input, size) = (PassthroughInput<Int>(), 200)
      let iterators = (0..<size).map { _ in memory.subscribe(to: input) }
      let growth = try await ResidentMemory.growth(over: 100_000 / size) { number in
        input.send(number)
        try await memory.wait { memory.published >= size * (number + 1) }
      }
      let bytes = growth / Double(size)
      print("shared stream: \(Int(bytes)) bytes a published value")
      #expect(bytes <= 60)
      withExtendedLifetime(iterators) {}
    }
  }

  @Test("Subscriptions to a shared stream end beside a timer of an hour")
  func ends() async throws {
    try await OwnProcess.run(of: "SharedTimerMemoryTests") {
      let memory = try SharedTimerMemory(SharedTimerMemoryTests.shortAndLong)
      let bytes = try await memory.growthOfSessions(100_000)
      print("shared stream: \(Int(bytes)) bytes a subscription")
      #expect(bytes <= 100)
    }
  }

  @Test("Subscriptions come and go while a version is on probation for a day")
  func probation() async throws {
    try await OwnProcess.run(of: "SharedTimerMemoryTests") {
      let memory = try SharedTimerMemory(SharedTimerMemoryTests.shortAndLong, Probation(seconds: 86_400, values: nil))
      try memory.followed.publish(SharedTimerMemory.file(#"{"timeout": {"seconds": 7200}}"#), version: 4)
      await memory.shared.check()
      #expect(memory.shared.state.waitingVersion == 4)
      let bytes = try await memory.growthOfSessions(50_000)
      print("shared stream: \(Int(bytes)) bytes a subscription on probation")
      #expect(bytes <= 100)
    }
  }
}

/// A shared stream by the machine's clock.
private final class SharedTimerMemory: Sendable {
  let followed: FollowedRepository
  let shared: SharedStream
  private let counts = Counts()

  private final class Counts: Sendable {
    let published = Atomic(0)
    let ended = Atomic(0)
  }

  var published: Int { counts.published.load(ordering: .relaxed) }
  private var ended: Int { counts.ended.load(ordering: .relaxed) }

  init(_ operators: String, _ probation: Probation = Probation()) throws {
    followed = try FollowedRepository()
    let root = try #require(try followed.fixture.metadata()["1.root.json"])
    let repository = try SharedRepository(
      metadata: followed.metadata, targets: followed.targets, trust: root, cache: followed.cache, id: "c1",
      schedule: followed.schedule, now: { [followed] in followed.now })
    var services = HostServices()
    services.hook("value", of: { [counts] _ in counts.published.add(1, ordering: .relaxed) })
    services.hook("end", of: { [counts] _ in counts.ended.add(1, ordering: .relaxed) })
    shared = try SharedStream(
      "total", from: repository, fallback: StreamModel(parsing: Self.file(operators)), probation: probation,
      services: services)
  }

  static func file(_ operators: String) -> String {
    """
    {"inputs": {"in": {"type": "int"}}, "source": {"input": {"name": "in"}},
     "operators": [\(operators), {"handleEvents": {"receiveOutput": "value", "receiveCancel": "end"}}]}
    """
  }

  func subscribe(to input: PassthroughInput<Int>) -> SharedValues<Int>.Iterator {
    shared.values(of: Int.self, inputs: ["in": input], bufferingPolicy: .newest(1)).makeAsyncIterator()
  }

  func wait(until isReached: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isReached() {
      try await Task.sleep(for: .microseconds(50))
      if ContinuousClock.now > deadline { throw StreamFailure(code: "X1", message: "a number is not reached") }
    }
  }

  /// Returns the bytes that are kept for each subscription that has ended.
  func growthOfSessions(_ count: Int) async throws -> Double {
    let before = ended
    return try await ResidentMemory.growth(over: count) { number in
      let input = PassthroughInput<Int>()
      let iterator = subscribe(to: input)
      input.send(1)
      withExtendedLifetime(iterator) {}
      if number % 64 == 63 { try await wait { ended - before >= number - 63 } }
      // The task of the stream would fall behind.
      if number % 1_000 == 999 { await shared.check() }
    }
  }
}
#endif
