import Cold
import Foundation
import StreamCombine
import StreamKit
import Testing

@Suite("Countdown", .timeLimit(.minutes(1)))
struct CountdownTests {
  @Test("A countdown continues where it was saved, to the half second")
  func continues() async throws {
    let before = VirtualScheduler()
    let countdown = try Countdown(scheduler: before)
    before.advance(by: .seconds(60.5))
    #expect(countdown.text == "2:00")
    let stored = try await countdown.save()

    let after = VirtualScheduler()
    let restored = try Countdown(scheduler: after, stored: stored)
    after.advance(by: .seconds(0.4))
    #expect(restored.text == "")
    after.advance(by: .seconds(0.1))
    #expect(restored.text == "1:59")
    after.advance(by: .seconds(118))
    #expect(restored.text == "0:01")
    after.advance(by: .seconds(1))
    #expect(restored.text == "done")
  }

  @Test("Damaged data are refused")
  func damaged() async throws {
    #expect(throws: (any Error).self) { try Countdown(scheduler: VirtualScheduler(), stored: Data("{}".utf8)) }
  }
}
