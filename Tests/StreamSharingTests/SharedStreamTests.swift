#if Sharing
import StreamCore
import StreamKit
import StreamTesting
import Synchronization
import Testing

@testable import StreamSharing

/// A stream that follows a repository: starts, updates and refusals.
@Suite struct SharedStreamTests {
  private func stream(
    _ repository: SharedRepository, _ fallback: String = Total.plain, probation: Probation = Probation()
  ) throws -> SharedStream {
    try SharedStream("total", from: repository, fallback: StreamModel(parsing: fallback), probation: probation)
  }

  // MARK: Starting

  @Test func theFallbackRunsWhileTheRepositoryCannotBeReached() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(Unreachable()))
    var subscriber = Subscriber(shared)
    let first = try await subscriber.send(1)
    await shared.check()
    let second = try await subscriber.send(2)
    #expect([first, second] == [1, 3])
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.version == nil)
    #expect(shared.state.problem?.kind == .unreachable)
  }

  @Test func withoutAFallbackNothingIsPublishedUntilAVersionArrives() async throws {
    let followed = try FollowedRepository()
    let shared = try SharedStream("total", from: try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.plain, version: 1)
    await shared.check()
    let value = try await subscriber.send(5)
    #expect(value == 5)
    await shared.state(.probation)
  }

  /// Runs a version until it is good, in a process of its own.
  private func makeGood(_ text: String, version: Int, in followed: FollowedRepository) async throws {
    let shared = try stream(try followed.open(), probation: Probation(values: 1))
    try followed.publish(text, version: version)
    var subscriber = Subscriber(shared)
    await shared.check()
    _ = try await subscriber.send(1)
    await shared.state(.good, version: version)
  }

  @Test func theLastGoodVersionRunsAtOnceAndOffline() async throws {
    let followed = try FollowedRepository()
    try await makeGood(Total.negative, version: 7, in: followed)
    let shared = try stream(try followed.open(Unreachable()))
    #expect(shared.state.phase == .cached)
    #expect(shared.state.version == 7)
    var subscriber = Subscriber(shared)
    let value = try await subscriber.send(4)
    #expect(value == -4)
  }

  @Test func aVersionOnProbationIsNotTheLastGoodOneAndContinuesItsProbationOffline() async throws {
    let followed = try FollowedRepository()
    do {
      let shared = try stream(try followed.open())
      try followed.publish(Total.negative, version: 7)
      var subscriber = Subscriber(shared)
      await shared.check()
      let value = try await subscriber.send(1)
      #expect(value == -1)
      await shared.close()
    }
    let shared = try stream(try followed.open(Unreachable()))
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.waitingVersion == 7)
    var subscriber = Subscriber(shared)
    await shared.state(.probation, version: 7)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -1)
  }

  @Test(arguments: ["cut", "changed", "not JSON", "of another version"])
  func aDamagedCacheIsNotUsed(_ damage: String) async throws {
    let followed = try FollowedRepository()
    try await makeGood(Total.negative, version: 7, in: followed)
    let store = try #require(followed.cache.streams as? MemoryFiles)
    let bytes = try #require(store["total"])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("-value"))
    switch damage {
    case "cut": store["total"] = bytes.dropLast(9)
    case "changed": store["total"] = Array(text.replacing("-value", with: "value * 3").utf8)
    case "not JSON": store["total"] = [0xFF, 0]
    default: store["total"] = Array(text.replacing(#""version":7"#, with: #""version":"7""#).utf8)
    }
    let shared = try stream(try followed.open(Unreachable()))
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.cacheProblem != nil)
    var subscriber = Subscriber(shared)
    let value = try await subscriber.send(4)
    #expect(value == 4)
  }

  @Test func aCachedFileIsNotUsedAfterItsExpiration() async throws {
    let followed = try FollowedRepository()
    try await makeGood(Total.negative, version: 7, in: followed)
    followed.offset.withLock { $0 = Lifetimes().targets + 61 }
    let shared = try stream(try followed.open(Unreachable()))
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.cacheProblem?.kind == .expired)
  }

  @Test func aDamagedRootIsReplacedByTheOneOfTheApp() async throws {
    let followed = try FollowedRepository()
    try followed.cache.metadata.store([1, 2], as: "root")
    try followed.publish(Total.negative, version: 1)
    let shared = try stream(try followed.open())
    await shared.check()
    #expect(shared.state.problem == nil)
    #expect(shared.state.waitingVersion == 1)
  }

  @Test func aFallbackOrANameThatIsWrongIsRefused() throws {
    let repository = try FollowedRepository().open()
    #expect(throws: Diagnostics.self) { try stream(repository, Total.wrong) }
    #expect(throws: Diagnostics.self) { try SharedStream("../total", from: repository) }
  }

  // MARK: Updating

  @Test func anUpdateReplacesTheRunningVersionAndKeepsItsState() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    let first = try await subscriber.send(1)
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    let second = try await subscriber.send(2)
    try followed.publish(Total.tenfold, version: 2)
    await shared.check()
    let third = try await subscriber.send(3)
    #expect([first, second, third] == [1, -3, 60])
    #expect(shared.state.version == 2)
    #expect(shared.state.content == (try contentID(Total.tenfold)))
  }

  @Test func subscriptionsHaveStatesOfTheirOwnAndTakeTheSameVersion() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var one = Subscriber(shared)
    _ = try await one.send(1)
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    var two = Subscriber(shared)
    while shared.state.phase != .inconclusive { await Task.yield() }
    await shared.check()
    let values = [try await one.send(1), try await two.send(5)]
    #expect(values == [-2, -5])
  }

  @Test func anUpdateWaitsForTheFirstSubscription() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    try followed.publish(Total.negative, version: 3)
    await shared.check()
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.waitingVersion == 3)
    #expect(followed.reports.all.isEmpty)
    var subscriber = Subscriber(shared)
    await shared.state(.inconclusive)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -1)
  }

  @Test func twoStreamsShareARefresh() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 1)
    let repository = try followed.open()
    let (one, two) = (try stream(repository), try stream(repository))
    await repository.check()
    let before = followed.metadata.reads.filter { $0 == "timestamp.json" }.count
    await repository.check()
    #expect(followed.metadata.reads.filter { $0 == "timestamp.json" }.count == before + 1)
    #expect(one.state.waitingVersion == 1)
    #expect(two.state.waitingVersion == 1)
  }

  @Test func theScheduleRefreshesAndAFailureIsRetriedLater() async throws {
    let followed = try FollowedRepository()
    followed.schedule = RefreshSchedule(seconds: 100, jitter: 0, firstRetry: 10, longestRetry: 15)
    let shared = try stream(try followed.open())
    await shared.check()
    try followed.publish(Total.negative, version: 1)
    await followed.clock.sleepers(1)
    followed.clock.advance(by: .seconds(99))
    #expect(shared.state.waitingVersion == nil)
    followed.clock.advance(by: .seconds(1))
    for await state in shared.states where state.waitingVersion == 1 { break }
    followed.metadata["timestamp.json"] = nil
    await shared.check()
    #expect(shared.state.problem?.kind == .unreachable)
    try followed.update()
    await followed.clock.sleepers(1)
    followed.clock.advance(by: .seconds(10))
    for await state in shared.states where state.problem == nil { break }
  }

  /// A CDN may have sent the old files after a notice.
  @Test func aCheckDoesNotPostponeTheSchedule() async throws {
    let followed = try FollowedRepository()
    followed.schedule = RefreshSchedule(seconds: 100, jitter: 0)
    let shared = try stream(try followed.open())
    await shared.check()
    await followed.clock.sleepers(1)
    followed.clock.advance(by: .seconds(90))
    await shared.check()
    try followed.publish(Total.negative, version: 1)
    #expect(shared.state.waitingVersion == nil)
    followed.clock.advance(by: .seconds(10))
    for await state in shared.states where state.waitingVersion == 1 { break }
  }

  @Test func aNoticeCausesARefresh() async throws {
    let followed = try FollowedRepository()
    let repository = try followed.open()
    let shared = try stream(repository)
    await shared.check()
    try followed.publish(Total.negative, version: 1)
    let (notices, hub) = AsyncStream.makeStream(of: Int.self)
    repository.listen(to: notices)
    hub.yield(1)
    // The refresh follows the notice after a millisecond; the other sleeper is the schedule.
    await followed.clock.sleepers(2)
    followed.clock.advance(by: .milliseconds(1))
    for await state in shared.states where state.waitingVersion == 1 { break }
  }

  @Test(arguments: [0, 100])
  func aCandidateIsTakenByTheClientsOfItsRollout(_ percent: Int) async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 1, candidate: Total.tenfold, version: 2, percent: percent)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == (percent == 0 ? -1 : 10))
    #expect(shared.state.version == (percent == 0 ? 1 : 2))
  }

  @Test func aRolloutThatIsHaltedIsLeft() async throws {
    let followed = try FollowedRepository()
    try await makeGood(Total.negative, version: 1, in: followed)
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 1, candidate: Total.tenfold, version: 2)
    await shared.check()
    let first = try await subscriber.send(1)
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    let second = try await subscriber.send(1)
    #expect([first, second] == [10, -2])
    #expect(shared.state.phase == .cached)
    #expect(shared.state.version == 1)
  }

  @Test func theFallbackMayBeTheVersionOfTheRepository() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.plain, version: 5)
    let shared = try stream(try followed.open())
    await shared.check()
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.version == 5)
  }

  // MARK: Refusing

  @Test(arguments: ["wrong", "custom", "not JSON", "another file"])
  func aVersionThatCannotBeCompiledIsRefused(_ kind: String) async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    switch kind {
    case "wrong": try followed.publish(Total.wrong, version: 2)
    case "custom": try followed.publish(Total.custom, version: 2)
    case "not JSON": try followed.publish("{", version: 2, content: "sha256:0")
    default: try followed.publish(#"{"source": {"stream": {"file": "other.json"}}}"#, version: 2)
    }
    await shared.check()
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == 1)
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.refusal?.version == 2)
    await followed.reports.count(1)
    #expect(followed.reports.texts == ["2 failed"])
    #expect(followed.reports.all[0].diagnostics.first?.hasPrefix("S") == true)
    #expect(followed.reports.all[0].client == "c1")
    // A corrected version is taken.
    try followed.publish(Total.negative, version: 3)
    await shared.check()
    let corrected = try await subscriber.send(1)
    #expect(corrected == -2)
    #expect(shared.state.refusal == nil)
  }

  @Test func aVersionThatRequiresWhatTheAppLacksIsRefused() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    try followed.publish(Total.negative, version: 2, requires: ["acme.smooth"])
    await shared.check()
    await shared.check()
    #expect(shared.state.refusal?.reasons == ["this client lacks acme.smooth"])
    await followed.reports.count(1)
    #expect(followed.reports.texts == ["2 failed"])
  }

  @Test func aFileWithAnotherContentThanSignedIsRefused() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    try followed.publish(Total.negative, version: 2, content: "sha256:0")
    await shared.check()
    #expect(shared.state.refusal?.version == 2)
    #expect(shared.state.waitingVersion == nil)
  }

  // MARK: Lying servers

  @Test func aLyingServerDoesNotStopTheStream() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    let old = followed.metadata.files
    let first = try await subscriber.send(1)
    // Wrong bytes of a new version.
    try followed.publish(Total.tenfold, version: 2)
    let good = followed.targets.files
    for (name, bytes) in good where String(decoding: bytes, as: UTF8.self) == Total.tenfold {
      followed.targets[name] = Array(Total.plain.utf8)
    }
    await shared.check()
    let second = try await subscriber.send(1)
    #expect(shared.state.problem?.kind == .mismatch || shared.state.problem?.kind == .tooLarge)
    #expect(shared.state.refusal == nil)
    // An older timestamp.
    followed.metadata["timestamp.json"] = old["timestamp.json"]
    await shared.check()
    #expect(shared.state.problem?.kind == .rollback)
    let third = try await subscriber.send(1)
    #expect([first, second, third] == [-1, -2, -3])
    // The truth.
    for (name, bytes) in good { followed.targets[name] = bytes }
    try followed.update()
    await shared.check()
    let fourth = try await subscriber.send(1)
    #expect(fourth == 40)
    #expect(shared.state.problem == nil)
  }

  @Test func afterTheExpirationOfTheMetadataTheStreamRunsOnWithoutNewVersions() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    _ = try await subscriber.send(1)
    try followed.publish(Total.tenfold, version: 2)
    followed.offset.withLock { $0 += Lifetimes().timestamp + 1 }
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -2)
    #expect(shared.state.problem?.kind == .expired)
    #expect(shared.state.version == 1)
  }

  // MARK: Ending

  @Test func cancelingEndsTheSequences() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    _ = try await subscriber.send(1)
    var states = shared.states.makeAsyncIterator()
    _ = await states.next()
    shared.cancel()
    let value = try await subscriber.next()
    #expect(value == nil)
    let state = await states.next()
    #expect(state == nil)
    await shared.check()
    var late = Subscriber(shared)
    let none = try await late.next()
    #expect(none == nil)
  }

  @Test func everythingIsReleased() async throws {
    let followed = try FollowedRepository()
    weak var repository: SharedRepository?
    weak var stream: SharedStream?
    weak var input: PassthroughInput<Int>?
    do {
      let opened = try followed.open()
      let shared = try self.stream(opened)
      var subscriber = Subscriber(shared)
      try followed.publish(Total.negative, version: 1)
      await shared.check()
      _ = try await subscriber.send(1)
      (repository, stream, input) = (opened, shared, subscriber.input)
      #expect(stream != nil && input != nil)
    }
    #expect(stream == nil)
    while repository != nil || input != nil { await Task.yield() }
  }

  @Test func theStreamLivesAsLongAsAnIterator() async throws {
    let followed = try FollowedRepository()
    var subscriber = Subscriber(try stream(try followed.open()))
    let values = [try await subscriber.send(1), try await subscriber.send(1)]
    #expect(values == [1, 2])
  }
}
#endif
