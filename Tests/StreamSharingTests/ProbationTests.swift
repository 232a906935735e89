#if Sharing
import Foundation
import StreamCore
import StreamKit
import Synchronization
import StreamTesting
import Testing

@testable import StreamSharing

/// New versions have to prove themselves.
@Suite struct ProbationTests {
  private func stream(
    _ repository: SharedRepository, probation: Probation = Probation(), type: String = Total.plain
  ) throws -> SharedStream {
    try SharedStream("total", from: repository, fallback: StreamModel(parsing: type), probation: probation)
  }

  @Test func aVersionThatFailsIsReplacedByTheLastGoodOneWithItsEarlierState() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    _ = try await subscriber.send(1)
    try followed.publish(Total.picky, version: 4)
    await shared.check()
    let onProbation = try await subscriber.send(2)
    // The sum is 43: the new version fails, and the fallback answers.
    let answer = try await subscriber.send(40)
    let state = await shared.state(.restored)
    let later = try await subscriber.send(1)
    #expect([onProbation, answer, later] == [-3, 43, 44])
    #expect(state?.version == nil)
    #expect(state?.refusal?.version == 4)
    #expect(state?.refusal?.reasons.first?.contains("S402 at /operators/1/map") == true)
    await followed.reports.count(3)
    #expect(followed.reports.texts == ["4 inconclusive", "4 running", "4 failed"])
    #expect(followed.reports.all[2].diagnostics == state?.refusal?.reasons)
    #expect(followed.reports.all[2].attributes == ["platform"])
  }

  @Test func aVersionThatFailedIsNotTriedAgainUntilItsNumberRises() async throws {
    let followed = try FollowedRepository()
    do {
      let shared = try stream(try followed.open())
      var subscriber = Subscriber(shared)
      try followed.publish(Total.picky, version: 4)
      await shared.check()
      _ = try await subscriber.send(40)
      await shared.state(.restored)
      await shared.check()
      #expect(shared.state.phase == .restored)
    }
    // The next process.
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    await shared.check()
    let first = try await subscriber.send(1)
    #expect(first == 1)
    #expect(shared.state.phase == .fallback)
    #expect(shared.state.refusal?.version == 4)
    #expect(followed.reports.texts.last == "4 failed")
    // The publisher publishes it again.
    try followed.publish(Total.picky, version: 5)
    await shared.check()
    let second = try await subscriber.send(1)
    #expect(second == -2)
    #expect(shared.state.version == 5)
  }

  @Test func aRefusedCandidateLeavesTheStableFile() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 1, candidate: Total.picky, version: 2)
    await shared.check()
    _ = try await subscriber.send(40)
    await shared.state(.restored)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -41)
    #expect(shared.state.version == 1)
  }

  @Test func aFailureIsNotSeenByAnySubscriber() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var (one, two) = (Subscriber(shared), Subscriber(shared))
    _ = try await one.send(1)
    _ = try await two.send(2)
    try followed.publish(Total.picky, version: 4)
    await shared.check()
    let beforehand = try await two.send(3)
    _ = try await one.send(40)
    await shared.state(.restored)
    await shared.check()
    let values = [try await one.send(1), try await two.send(40)]
    #expect(beforehand == -5)
    #expect(values == [42, 45])
  }

  @Test func valuesOfAnotherTypeAreAFailureOfTheVersion() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.file(#", {"map": {"expression": "'text'"}}"#), version: 4)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == 1)
    let state = await shared.state(.restored)
    #expect(state?.refusal?.reasons.first?.hasPrefix("S414") == true)
  }

  @Test func aVersionIsGoodAfterANumberOfValues() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), probation: Probation(seconds: nil, values: 3))
    var subscriber = Subscriber(shared)
    try followed.publish(Total.picky, version: 4)
    await shared.check()
    for _ in 0..<2 { _ = try await subscriber.send(1) }
    await shared.check()
    #expect(shared.state.phase == .probation)
    _ = try await subscriber.send(1)
    await shared.state(.good)
    // From now on its failure is that of the stream.
    await #expect(throws: (any Error).self) { _ = try await subscriber.send(40) }
  }

  @Test func theLastGoodVersionIsRestoredNotTheFallback() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), probation: Probation(values: 1))
    var subscriber = Subscriber(shared)
    try followed.publish(Total.tenfold, version: 1)
    await shared.check()
    _ = try await subscriber.send(1)
    await shared.state(.good, version: 1)
    try followed.publish(Total.picky, version: 2)
    await shared.check()
    let value = try await subscriber.send(40)
    let state = await shared.state(.restored)
    #expect(value == 410)
    #expect(state?.version == 1)
  }

  // MARK: The end of the process

  /// A process that ends on probation after a value.
  ///
  /// - Parameter crashes: Whether a handler notes that the process has crashed; else it is killed, and notes nothing.
  private func end(_ followed: FollowedRepository, in folder: TemporaryFolder, crashes: Bool) async throws {
    // The process writes to a copy. The copy is kept when the process ends.
    let streams = try #require(followed.cache.streams as? MemoryFiles)
    let ending = MemoryFiles(streams.files)
    followed.cache.streams = ending
    followed.cache.marks = folder.path
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    await shared.check()
    _ = try await subscriber.send(1)
    followed.cache.streams = MemoryFiles(ending.files)
    await shared.close()
    try Data(crashes ? [1] : []).write(to: URL(fileURLWithPath: folder.path + "/total.trial"))
  }

  @Test func aVersionDuringWhoseProbationTheProcessCrashesTwiceIsRefused() async throws {
    let followed = try FollowedRepository()
    let folder = try TemporaryFolder()
    try followed.publish(Total.negative, version: 4)
    try await end(followed, in: folder, crashes: true)
    try await end(followed, in: folder, crashes: true)
    #expect(followed.reports.texts.filter { $0 == "4 running" }.count >= 1)
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == 1)
    #expect(shared.state.refusal?.reasons == ["the process crashed 2 times while the version was on probation"])
    while followed.reports.texts.last != "4 failed" { await Task.yield() }
    // A later version is tried.
    try followed.publish(Total.negative, version: 5)
    await shared.check()
    #expect(shared.state.version == 5)
  }

  /// As a system does that stops apps in the background, or a person who pulls the plug.
  @Test func aProcessThatIsKilledDoesNotCount() async throws {
    let followed = try FollowedRepository()
    let folder = try TemporaryFolder()
    try followed.publish(Total.negative, version: 4)
    for _ in 0..<5 { try await end(followed, in: folder, crashes: false) }
    try await end(followed, in: folder, crashes: true)
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -1)
    #expect(!followed.reports.texts.contains("4 failed"))
  }

  @Test func aProbationThatTheAppEndsDoesNotCount() async throws {
    let followed = try FollowedRepository()
    let folder = try TemporaryFolder()
    followed.cache.marks = folder.path
    try followed.publish(Total.negative, version: 4)
    for _ in 0..<4 {
      let shared = try stream(try followed.open())
      var subscriber = Subscriber(shared)
      await shared.check()
      let value = try await subscriber.send(1)
      #expect(value == -1)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/total.trial"))
      await shared.close()
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/total.trial"))
    }
  }

  @Test func theValuesOfAProbationAddUpOverProcesses() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    for process in 1...3 {
      let shared = try stream(try followed.open(), probation: Probation(seconds: nil, values: 5))
      var subscriber = Subscriber(shared)
      await shared.check()
      for _ in 0..<(process < 3 ? 2 : 1) { _ = try await subscriber.send(1) }
      if process == 3 { await shared.state(.good, version: 4) }
      await shared.state(process < 3 ? .probation : .good)
      await shared.close()
    }
  }

  @Test func theTimeOfAProbationAddsUpOverProcessesThatAreKilled() async throws {
    let followed = try FollowedRepository()
    try followed.publish(Total.negative, version: 4)
    var recorded: [Int64] = []
    for _ in 1...3 {
      // The process writes to a copy. The copy is kept when the process ends.
      let streams = try #require(followed.cache.streams as? MemoryFiles)
      let ending = MemoryFiles(streams.files)
      followed.cache.streams = ending
      let shared = try stream(try followed.open(), probation: Probation(seconds: 1_000_000, values: nil))
      var subscriber = Subscriber(shared)
      await shared.check()
      _ = try await subscriber.send(1)
      let before = ending["total"]
      while ending["total"] == before {
        followed.clock.advance(by: .seconds(1))
        await Task.yield()
      }
      let record = try StreamRecord(try #require(ending["total"]), of: "total")
      recorded.append(try #require(record.trial?.milliseconds))
      followed.cache.streams = MemoryFiles(ending.files)
      await shared.close()
    }
    #expect(recorded[0] >= 1_000)
    #expect(recorded[1] >= recorded[0] + 1_000)
    #expect(recorded[2] >= recorded[1] + 1_000)
  }

  @Test func theTimeOfAProbationGoesOnWithTheNextSubscription() async throws {
    let followed = try FollowedRepository()
    let shared = try stream(try followed.open(), probation: Probation(seconds: 60, values: nil))
    try followed.publish(Total.negative, version: 4)
    do {
      var subscriber = Subscriber(shared)
      await shared.check()
      _ = try await subscriber.send(1)
      await shared.state(.probation)
      await followed.clock.sleepers(3)
      followed.clock.advance(by: .seconds(40))
    }
    let state = await shared.state(.fallback)
    #expect(state?.waitingVersion == 4)
    // Time without a subscription does not count.
    followed.clock.advance(by: .seconds(100))
    var subscriber = Subscriber(shared)
    await shared.state(.probation)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == -1)
    await followed.clock.sleepers(3)
    followed.clock.advance(by: .seconds(20))
    await shared.state(.good, version: 4)
  }

  @Test func aVersionWhoseStartCannotBeRecordedDoesNotStart() async throws {
    final class FullDisk: MetadataStore {
      func load(_ role: String) throws(TrustError) -> [UInt8]? { nil }
      func store(_ bytes: [UInt8], as role: String) throws(TrustError) {
        throw TrustError(.storage, role, "no space left on device")
      }
    }
    let followed = try FollowedRepository()
    followed.cache.streams = FullDisk()
    let shared = try stream(try followed.open())
    var subscriber = Subscriber(shared)
    try followed.publish(Total.negative, version: 4)
    await shared.check()
    let value = try await subscriber.send(1)
    #expect(value == 1)
    #expect(shared.state.cacheProblem?.kind == .storage)
    #expect(shared.state.waitingVersion == 4)
  }

  // MARK: Reports

  @Test func aReceiverThatDoesNotReturnHasNoEffect() async throws {
    final class Hanging: ReportReceiver {
      func receive(_ report: StreamReport) async throws {
        while true { try await Task.sleep(for: .seconds(3_600)) }
      }
    }
    let followed = try FollowedRepository()
    let root = try #require(try followed.fixture.metadata()["1.root.json"])
    let repository = try SharedRepository(
      metadata: followed.metadata, targets: followed.targets, trust: root, cache: followed.cache, reports: Hanging(),
      schedule: followed.schedule, clock: followed.clock, now: { [now = followed.now] in now })
    let shared = try stream(repository, probation: Probation(values: 1))
    var subscriber = Subscriber(shared)
    for version in 1...4 {
      try followed.publish(version % 2 == 0 ? Total.negative : Total.tenfold, version: version)
      await shared.check()
      _ = try await subscriber.send(1)
      await shared.state(.good, version: version)
    }
  }
}
#endif
