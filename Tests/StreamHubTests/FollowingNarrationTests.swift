#if Sharing
import StreamSharing
import Testing

@testable import StreamHub
@testable import StreamSharing

/// The lines that a run prints for the events of a followed stream.
@Suite struct FollowingNarrationTests {
  private let now: Int64 = 1_000_000_000

  private func state(
    _ version: Int = 1, _ phase: SharedStreamState.Phase = .cached, content: String = "sha256:1"
  ) -> SharedStreamState {
    var state = SharedStreamState(content: content, phase: phase)
    state.version = version
    return state
  }

  private func cutOff(_ kind: TrustError.Kind, _ reason: String) -> SharedStreamState {
    var state = state()
    (state.isCutOff, state.problem) = (true, TrustError(kind, "hub", reason))
    return state
  }

  private func begin(_ state: SharedStreamState, isOffline: Bool = false) -> [String] {
    var narration = FollowingNarration("tilt", isOffline: isOffline)
    return narration.begin(state, at: now, refreshed: now - 3 * 86_400)
  }

  @Test(arguments: [
    (SharedStreamState.Phase.cached, ""), (.first, ""), (.probation, ", on probation"),
    (.inconclusive, ", on probation"),
  ])
  func theBeginningNamesTheVersion(_ phase: SharedStreamState.Phase, _ standing: String) {
    #expect(begin(state(7, phase)) == ["tilt: runs version 7\(standing)"])
  }

  @Test func theBeginningTellsOfRunsThatFailed() {
    var (once, twice) = (state(7), state(6))
    once.failures = 1
    (twice.failures, twice.waitingVersion) = (2, 7)
    #expect(begin(once) == ["tilt: runs version 7", "tilt: version 7 has failed in the last run"])
    let again = "tilt: version 7 is on probation again: it has failed in the last 2 runs"
    #expect(begin(twice) == ["tilt: runs version 6", again])
  }

  @Test func aBeginningWithoutTheRepositoryIsAWarningWithTheAgeOfTheVersion() {
    let lines = begin(cutOff(.unreachable, "no reply"))
    let expected = "warning: tilt: the repository cannot be read; version 1 runs, as of 3 days ago: hub: no reply"
    #expect(lines == ["tilt: runs version 1", expected])
    var silent = FollowingNarration("tilt")
    let unanswered = silent.begin(state(), at: now, refreshed: nil, isAnswered: false)
    #expect(unanswered.last == "warning: tilt: the repository cannot be read; version 1 runs: there is no reply yet")
    // The warning is not repeated, but the return of the repository is reported.
    let later = [cutOff(.unreachable, "no reply"), state()].map { silent.lines(for: $0, at: now) }
    #expect(later.last == ["tilt: follows the repository again"])
  }

  @Test func theEndTellsThatNoValueHasReachedANewVersion() {
    let narration = FollowingNarration("tilt")
    let ends = [narration.end(state(2, .probation)), narration.end(state(2, .inconclusive))]
    #expect(
      ends == [
        nil, "tilt: no value has reached version 2; its probation is inconclusive, and continues with the next run",
      ])
  }

  @Test func aLostRepositoryIsToldOnceAndItsReturnToo() {
    var narration = FollowingNarration("tilt")
    _ = narration.begin(state(), at: now, refreshed: now)
    let states = [
      cutOff(.unreachable, "no reply"), cutOff(.unreachable, "no reply"), cutOff(.unreachable, "connection closed"),
      cutOff(.expired, "it has expired"), state(), state(),
    ]
    let lines = states.map { narration.lines(for: $0, at: now) }
    #expect(
      lines == [
        ["tilt: cut off from the repository, version 1 continues: hub: no reply"], [], [],
        ["tilt: cut off from the repository, version 1 continues: hub: it has expired"],
        ["tilt: follows the repository again"], [],
      ])
  }

  @Test func theAbsenceThatAPersonWantsIsNoNews() {
    let lines = begin(cutOff(.unreachable, "no reply"), isOffline: true)
    #expect(lines == ["tilt: runs version 1"])
  }

  @Test func aVersionThatPassesAndOneThatIsRefusedAreTold() {
    var narration = FollowingNarration("tilt")
    _ = narration.begin(state(2, .probation), at: now, refreshed: now)
    let passed = narration.lines(for: state(2, .good), at: now)
    #expect(passed == ["tilt: version 2 has passed its probation"])
    var refused = state(2, .good)
    refused.refusal = SharedStreamState.Refusal(version: 3, content: "sha256:3", reasons: ["it needs 'acme'"])
    let lines = narration.lines(for: refused, at: now)
    #expect(lines == ["tilt: version 3 is refused: it needs 'acme'"])
    let again = narration.lines(for: refused, at: now)
    #expect(again == [])
  }

  @Test func metadataThatExpireAreToldWhenTheyBecomeMoreUrgent() {
    var narration = FollowingNarration("tilt")
    var near = state()
    near.expiring = [RoleExpiration(role: "root", expires: now + 20 * 86_400)]
    let first = narration.begin(near, at: now, refreshed: now)
    #expect(first.last == "tilt: the metadata of 'root' expire in 20 days; 'streamhub renew root' signs them again")
    let second = narration.lines(for: near, at: now + 86_400)
    #expect(second == [])
    let third = narration.lines(for: near, at: now + 15 * 86_400)
    #expect(third == ["tilt: the metadata of 'root' expire in 5 days; 'streamhub renew root' signs them again"])
    let last = narration.lines(for: near, at: now + 22 * 86_400)
    #expect(last == ["tilt: the metadata of 'root' expired 2 days ago; 'streamhub renew root' signs them again"])
  }
}
#endif
