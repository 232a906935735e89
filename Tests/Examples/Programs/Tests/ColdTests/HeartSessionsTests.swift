import Cold
import StreamCombine
import Testing

@Suite("Heart sessions", .timeLimit(.minutes(1)))
struct HeartSessionsTests {
  @Test("A pause ends a workout, and the next beat starts another one")
  func sessions() throws {
    let scheduler = VirtualScheduler()
    let heart = try HeartSessions(scheduler: scheduler)
    for rate in [100, 110, 130, 155, 160] {
      scheduler.advance(by: .seconds(10))
      heart.beats.send(rate)
    }
    scheduler.advance(by: .seconds(59))
    #expect(heart.sessions == [])
    scheduler.advance(by: .seconds(1))
    #expect(heart.sessions == [["easy": 20, "steady": 10, "hard": 20]])
    heart.beats.send(90)
    scheduler.advance(by: .seconds(10))
    heart.beats.send(90)
    scheduler.advance(by: .seconds(60))
    #expect(heart.sessions.last == ["easy": 10])
  }
}
