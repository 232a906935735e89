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

  @Test func theBeginningNamesTheVersion() {
    var narration = FollowingNarration("tilt")
    let lines = narration.begin(state(7), at: now)
    #expect(lines == ["tilt: runs version 7"])
  }

  @Test func aLostRepositoryIsToldOnceAndItsReturnToo() {
    var narration = FollowingNarration("tilt")
    _ = narration.begin(state(), at: now)
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
    var narration = FollowingNarration("tilt", isOffline: true)
    let lines = narration.begin(cutOff(.unreachable, "no reply"), at: now)
    #expect(lines == ["tilt: runs version 1"])
  }

  @Test func aVersionThatPassesAndOneThatIsRefusedAreTold() {
    var narration = FollowingNarration("tilt")
    _ = narration.begin(state(2, .probation), at: now)
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
    let first = narration.begin(near, at: now)
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
