#if Sharing
import StreamCore
import StreamKit
import StreamTesting
import Synchronization
import Testing

@testable import StreamSharing

/// A version is good only after values.
@Suite struct InconclusiveProbationTests {
  private func stream(_ repository: SharedRepository, probation: Probation = Probation()) throws -> SharedStream {
    try SharedStream("total", from: repository, fallback: StreamModel(parsing: Total.plain), probation: probation)
  }

  @Test func aVersionWithoutAValueIsNeverGood() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 4)
    await shared.check()
    for _ in 0..<24 {
      followed.clock.advance(by: .seconds(3_600))
      await shared.check()
    }
    #expect(shared.state.phase == .inconclusive)
    await followed.reports.count(1)
    #expect(followed.reports.texts == ["4 inconclusive"])
    // Its time begins with the first value: the schedule, the end, and the record of its progress wait then.
    _ = try await subscriber.send(1)
    await shared.state(.probation, version: 4)
    await followed.clock.sleepers(3)
    followed.clock.advance(by: .seconds(59))
    await shared.check()
    #expect(shared.state.phase == .probation)
    followed.clock.advance(by: .seconds(1))
    await shared.state(.good, version: 4)
    await followed.reports.count(3)
    #expect(followed.reports.texts == ["4 inconclusive", "4 running", "4 good"])
  }

  @Test(arguments: [60, 0])
  func aVersionThatFailsAtItsFirstValueAfterHoursIsReplaced(_ seconds: Double) async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), probation: Probation(seconds: seconds))
    var subscriber = Subscriber(shared)
    _ = try await subscriber.send(1)
    try followed.publish(Total.broken, version: 4)
    await shared.check()
    followed.clock.advance(by: .seconds(100_000))
    await shared.check()
    let value = try await subscriber.send(2)
    let state = await shared.state(.restored)
    #expect(value == 3)
    #expect(state?.refusal?.version == 4)
  }

  /// Values that an input receives count, although few of them lead to one that is published.
  @Test func aVersionThatPublishesNothingIsGoodAfterItsTime() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    let subscriber = Subscriber(shared)
    try followed.publish(Total.file(#", {"filter": {"expression": "value < 0"}}"#), version: 4)
    await shared.check()
    subscriber.input.send(1)
    await shared.state(.probation, version: 4)
    await followed.clock.sleepers(3)
    followed.clock.advance(by: .seconds(60))
    await shared.state(.good, version: 4)
  }

  @Test func processesWithoutAValueAddNothing() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    for _ in 0..<3 {
      let shared = try stream(try followed.open())
      let subscriber = Subscriber(shared)
      await shared.check()
      await shared.state(.inconclusive, version: 4)
      followed.clock.advance(by: .seconds(1_000))
      await shared.close()
      withExtendedLifetime(subscriber) {}
    }
    let bytes = try #require((followed.cache.streams as? MemoryFiles)?["total"])
    let trial = try #require(try StreamRecord(bytes, of: "total").trial)
    #expect(trial.milliseconds == 0 && trial.values == 0)
  }

  // MARK: Runs without a fallback

  /// A run whose trials a test ends.
  private final class Run: SharedRun {
    private let state = Mutex<(swaps: [Int], isOnTrial: [Bool], trial: SwapTrial?)>(([], [], nil))

    var swaps: [Int] { state.withLock(\.swaps) }
    var isOnTrial: [Bool] { state.withLock(\.isOnTrial) }
    var trial: SwapTrial? { state.withLock(\.trial) }

    func swap(to text: [UInt8], parameters: [String: Value], version: Int, on trial: SwapTrial?) async {
      state.withLock { state in
        state.swaps.append(version)
        state.isOnTrial.append(trial != nil)
        state.trial = trial
      }
    }

    func begin(_ trial: SwapTrial) { state.withLock { $0.trial = trial } }

    /// Works on an input, and publishes a number of values.
    func work(values: Int = 1) {
      trial?.beginWork()
      trial?.endWork(values: values)
    }
  }

  private func follow(_ followed: FollowedRepository, offline: Bool = false) async throws -> SharedStream {
    try await SharedStream(
      running: StreamName("total"), from: try followed.open(offline ? Unreachable() : nil),
      probation: Probation(seconds: 60, values: 3), waiting: .zero, options: CompileOptions())
  }

  @Test func theFirstVersionOfARunIsGoodOnlyAfterValues() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    let shared = try await follow(followed)
    let run = Run()
    await shared.attach(run)
    #expect(shared.state.phase == .first)
    followed.clock.advance(by: .seconds(100_000))
    await followed.reports.count(1)
    run.work(values: 3)
    await shared.state(.good, version: 4)
    await followed.reports.count(3)
    #expect(followed.reports.texts == ["4 inconclusive", "4 running", "4 good"])
    #expect(run.swaps == [])
  }

  @Test func aCandidateIsRememberedForRunsWithoutTheRepository() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    var runs: [[Int]] = []
    for (version, offline) in [(4, false), (5, false), (5, true), (5, true), (5, true)] {
      if version == 5, !offline { try followed.publish(Total.tenfold, version: 5) }
      let shared = try await follow(followed, offline: offline)
      await shared.check()
      let run = Run()
      await shared.attach(run)
      runs.append([shared.state.version ?? 0] + run.swaps)
      run.work(values: version == 4 ? 3 : 1)
      if version == 4 { await shared.state(.good) }
      await shared.close()
    }
    // Version 5 is good after three values in three runs; the last run begins with it.
    #expect(runs == [[4], [5, 5], [5, 5], [5, 5], [5]])
  }

  @Test func aCandidateThatIsHaltedIsForgotten() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    var versions: [Int?] = []
    for step in 0..<4 {
      if step == 1 { try followed.publish(Total.negative, version: 4, candidate: Total.tenfold, version: 5) }
      if step == 2 { try followed.publish(Total.negative, version: 4) }
      let shared = try await follow(followed, offline: step == 3)
      await shared.check()
      let run = Run()
      await shared.attach(run)
      if step == 0 {
        run.work(values: 3)
        await shared.state(.good)
      }
      versions.append(shared.state.version)
      await shared.close()
    }
    #expect(versions == [4, 5, 4, 4])
  }

  @Test func aRunThatWaitsForTheRepositoryKnowsWhetherItWasReadAndWhen() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    let online = try followed.open()
    let first = try await SharedStream(
      running: StreamName("total"), from: online, probation: Probation(), waiting: .zero, options: CompileOptions())
    #expect(first.hasRefreshed)
    #expect(first.firstVersion == 4)
    #expect(online.lastRefresh == followed.now)
    await first.close()
    followed.offset.withLock { $0 += 1_000 }
    let offline = try followed.open(Unreachable())
    let second = try await SharedStream(
      running: StreamName("total"), from: offline, probation: Probation(), waiting: .zero, options: CompileOptions())
    await second.check()
    #expect(!second.hasRefreshed)
    #expect(offline.lastRefresh == followed.now - 1_000)
  }

  // MARK: Many clients

  /// The published values, the reports and the halt of a rollout to clients that have no value for hours.
  @Test func aBadVersionOfASlowStreamIsHaltedAndNoClientLosesAValue() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.plain, version: 1, candidate: Total.broken, version: 2)
    var clients: [(stream: SharedStream, subscriber: Subscriber)] = []
    for number in 0..<40 {
      followed.cache = SharingCache(metadata: MemoryFiles(), streams: MemoryFiles())
      let shared = try stream(try followed.open(as: "client \(number)"))
      clients.append((shared, Subscriber(shared)))
      await shared.check()
      await shared.state(.inconclusive, version: 2)
    }
    followed.clock.advance(by: .seconds(50_000))
    var (states, halt): ([String: StreamReport.State], Int?) = ([:], nil)
    func count() {
      for report in followed.reports.all where report.version == 2 { states[report.client] = report.state }
    }
    count()
    #expect(states.values.filter { $0 == .inconclusive }.count == 40)
    for number in clients.indices {
      let value = try await clients[number].subscriber.send(number)
      await clients[number].stream.state(.restored)
      #expect(value == number)
      while states.values.count(where: { $0 == .failed }) <= number {
        count()
        await Task.yield()
      }
      #expect(!states.values.contains(.good))
      if HaltRule().halts(number + 1, of: states.count) { halt = halt ?? number + 1 }
    }
    #expect(halt == 5)
  }
}
#endif
