import Cold
import StreamTesting
import Testing

@Suite("Typing indicator", .timeLimit(.minutes(1)))
@MainActor struct TypingIndicatorTests {
  @Test("The line names who types, until three seconds after the last key")
  func line() async throws {
    let clock = ManualClock()
    let indicator = try TypingIndicator(clock: clock)
    indicator.keys.send("Ada")
    await shows("Ada is typing", indicator)
    clock.advance(by: .seconds(2))
    indicator.keys.send("Bob")
    await shows("Ada and Bob are typing", indicator)
    clock.advance(by: .seconds(1))
    await shows("Bob is typing", indicator)
    clock.advance(by: .seconds(2))
    await shows("", indicator)
  }

  private func shows(_ text: String, _ indicator: TypingIndicator) async {
    while indicator.line.value != text { await Task.yield() }
  }
}
