#if Sharing
import StreamCore
import StreamEngine
import StreamKit
import Testing

@testable import StreamSharing

/// A version that fails after it was good.
@Suite struct LaterFailureTests {
  private let followed: FollowedRepository

  init() throws { followed = try FollowedRepository() }

  private func stream(_ other: (any RepositoryTransport)? = nil) throws -> SharedStream {
    try SharedStream(
      "total", from: try followed.open(other), fallback: StreamModel(parsing: Total.plain),
      probation: Probation(seconds: nil, values: 1))
  }

  /// Makes a version good, and lets it fail after that if it fails for sums from 10.
  private func makeGood(_ text: String, version: Int, failing: Bool = false) async throws {
    let shared = try stream()
    try followed.publish(text, version: version)
    var subscriber = Subscriber(shared)
    await shared.check()
    _ = try await subscriber.send(1)
    await shared.state(.good, version: version)
    if failing { await fail(&subscriber) }
    await shared.close()
  }

  private func fail(_ subscriber: inout Subscriber) async {
    await #expect(throws: StreamFailure.self) { _ = try await subscriber.send(40) }
  }

  /// A start at which the version fails.
  private func failAtStart(_ other: (any RepositoryTransport)? = nil) async throws -> SharedStreamState {
    let shared = try stream(other)
    let state = shared.state
    var subscriber = Subscriber(shared)
    await shared.check()
    await fail(&subscriber)
    await shared.close()
    return state
  }

  @Test func aFailureAfterTheProbationIsReported() async throws {
    try await makeGood(Total.picky, version: 4, failing: true)
    while followed.reports.texts.last != "4 failed" { await Task.yield() }
    #expect(followed.reports.all.last?.diagnostics.first?.contains("S402 at /operators/1/map") == true)
    #expect(followed.reports.texts == ["4 inconclusive", "4 running", "4 good", "4 failed"])
  }

  @Test func aVersionThatFailsAtEachStartIsReplacedByTheOneBefore() async throws {
    try await makeGood(Total.negative, version: 1)
    try await makeGood(Total.picky, version: 2, failing: true)
    let second = try await failAtStart()
    #expect(second.phase == .cached)
    #expect([second.version, second.failures] == [2, 1])
    // It is on probation again now, also offline, and the version before it answers.
    let shared = try stream(Unreachable())
    #expect([shared.state.version, shared.state.waitingVersion, shared.state.failures] == [1, 2, 2])
    var subscriber = Subscriber(shared)
    await shared.state(.inconclusive, version: 2)
    await shared.check()
    let values = [try await subscriber.send(40), try await subscriber.send(1)]
    let state = await shared.state(.restored)
    #expect(values == [-40, -41])
    #expect([state?.version, state?.refusal?.version] == [1, 2])
    await shared.close()
    // It is not tried again.
    let last = try stream()
    #expect([last.state.version, last.state.waitingVersion] == [1, nil])
    await last.check()
    #expect(last.state.refusal?.version == 2)
    while followed.reports.texts.count(where: { $0 == "2 failed" }) < 3 { await Task.yield() }
  }

  @Test func anAppThatStaysReturnsToTheVersionBeforeToo() async throws {
    try await makeGood(Total.negative, version: 1)
    try await makeGood(Total.picky, version: 2)
    let shared = try stream()
    await shared.check()
    for _ in 0..<2 {
      var subscriber = Subscriber(shared)
      await shared.check()
      await fail(&subscriber)
    }
    await shared.check()
    var subscriber = Subscriber(shared)
    await shared.state(.inconclusive, version: 2)
    await shared.check()
    let value = try await subscriber.send(40)
    await shared.state(.restored, version: 1)
    #expect(value == -40)
  }

  @Test func aVersionThatFailsOnceAndThenWorksIsGoodAgain() async throws {
    try await makeGood(Total.negative, version: 1)
    try await makeGood(Total.picky, version: 2, failing: true)
    for _ in 0..<3 {
      let shared = try stream()
      #expect(shared.state.failures == 1)
      var subscriber = Subscriber(shared)
      await shared.check()
      let value = try await subscriber.send(1)
      for await state in shared.states where state.failures == 0 { break }
      #expect(value == -1)
      #expect(shared.state.version == 2)
      await fail(&subscriber)
      await shared.close()
    }
    while followed.reports.texts.count < 3 + 4 + 3 * 4 { await Task.yield() }
    let again = ["2 inconclusive", "2 running", "2 good", "2 failed"]
    #expect(followed.reports.texts.suffix(12) == (again + again + again)[...])
  }

  @Test func theFallbackIsAtHandForTheFirstVersion() async throws {
    try await makeGood(Total.picky, version: 1, failing: true)
    _ = try await failAtStart()
    let shared = try stream()
    #expect(shared.state.phase == .fallback)
    var subscriber = Subscriber(shared)
    await shared.state(.inconclusive, version: 1)
    await shared.check()
    let value = try await subscriber.send(40)
    await shared.state(.restored)
    #expect(value == 40)
  }

  /// The input is to blame.
  @Test func aVersionIsNotRefusedForAFailureThatTheOneBeforeHasToo() async throws {
    let other = Total.file(#", {"map": {"expression": "value < 10 ? value : value / 0"}}"#)
    try await makeGood(other, version: 1)
    try await makeGood(Total.picky, version: 2, failing: true)
    _ = try await failAtStart()
    _ = try await failAtStart()
    let shared = try stream()
    var subscriber = Subscriber(shared)
    await shared.check()
    let value = try await subscriber.send(1)
    await shared.state(.good, version: 2)
    #expect(value == -1)
    #expect(shared.state.refusal == nil)
  }

  @Test func theVersionBeforeOneThatIsWithdrawnNeedsNoProbation() async throws {
    try await makeGood(Total.negative, version: 1)
    try await makeGood(Total.tenfold, version: 2)
    let shared = try stream()
    var subscriber = Subscriber(shared)
    let before = try await subscriber.send(1)
    // The publisher goes back: no version is on probation, and no value is needed.
    try followed.publish(Total.negative, version: 1)
    await shared.check()
    #expect(shared.state.phase == .good)
    #expect(shared.state.version == 1)
    let after = try await subscriber.send(1)
    #expect([before, after] == [10, -2])
    while followed.reports.texts.last != "1 good" { await Task.yield() }
  }
}
#endif
