import StreamCore
import StreamEngine
import StreamTesting
import Synchronization
import Testing

@_spi(Driving) @testable import StreamKit

@Suite("Sleeps serve the timers of all streams")
struct ClockTimerTests {
  @Test("Few tasks sleep, even if each action is due before all others", .timeLimit(.minutes(1)))
  func descending() {
    let timer = ClockTimer(ContinuousClock(), isShared: true)
    let start = ContinuousClock.now + .seconds(86_400)
    let tokens = (0..<20_000).map { number in
      timer.schedule(at: start - .seconds(4 * number)) { Issue.record("the action is performed") }
    }
    #expect(timer.sleepCount < 40)
    for token in tokens { token.cancel() }
    #expect(timer.sleepCount < 40)
  }

  @Test("All actions are performed once, those that are canceled are not", .timeLimit(.minutes(1)))
  func actions() async {
    let timer = ClockTimer(ContinuousClock(), isShared: true)
    let performed = Mutex([Int](repeating: 0, count: 2_000))
    let start = ContinuousClock.now
    var tokens: [StreamToken] = []
    for number in 0..<2_000 {
      tokens.append(
        timer.schedule(at: start + .microseconds(number * 37 % 20_000)) { performed.withLock { $0[number] += 1 } })
      // Each second one is canceled, whether its action has been performed or not.
      if number % 2 == 1 { tokens[number].cancel() }
    }
    while performed.withLock({ counts in counts.indices.contains { $0 % 2 == 0 && counts[$0] == 0 } }) {
      await Task.yield()
    }
    #expect(performed.withLock { counts in counts.allSatisfy { $0 <= 1 } })
    withExtendedLifetime(tokens) {}
  }

  @Test("Streams with a clock of the machine share its timer, and those with a test clock sleep for themselves")
  func sharing() async {
    #expect(ClockTimer.shared(ContinuousClock()) === ClockTimer.shared(ContinuousClock()))
    let (first, second) = (ScaledClock(factor: 2), ScaledClock(factor: 3))
    let timers = [first, second, first].map { ClockTimer.shared($0) }
    #expect(timers[0] === timers[2])
    #expect(timers[0] !== timers[1])
    #expect(ClockTimer.shared(ManualClock()) == nil)

    let clock = CountingClock()
    let tokens = (0..<2).map { _ in clock.schedule(after: .seconds(1)) {} }
    await clock.time.sleepers(2)
    for token in tokens { token.cancel() }
    while clock.counts.pending > 0 { await Task.yield() }
  }

  /// A clock of the machine's time, as an app may have it.
  private struct ScaledClock: Clock {
    let factor: Int
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await Task.sleep(until: deadline, tolerance: tolerance, clock: .continuous)
    }
  }

  @Test("A pause ends at its time, and at once if its task is canceled", .timeLimit(.minutes(1)))
  func pause() async throws {
    let clock = CountingClock()
    let (whole, canceled) = (
      Task { try await clock.pause(for: .seconds(5)) }, Task { try await clock.pause(for: .seconds(9)) }
    )
    await clock.time.sleepers(2)
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    clock.time.advance(by: .seconds(5))
    try await whole.value
    while clock.counts.pending > 0 { await Task.yield() }
  }

  @Test("Times beyond those that a clock can show are never reached, and do no harm")
  func farTimes() {
    let keeper = ClockKeeper(ContinuousClock())
    for time in [StreamTime.distantFuture, StreamTime(nanoseconds: .max - 1), StreamTime(nanoseconds: .min)] {
      keeper.wake(at: time) {}.cancel()
    }
    var wake = StreamWake()
    wake.request(at: .distantFuture, of: keeper) { _ in }
    #expect(wake.time == .distantFuture)
    wake.request(at: StreamTime(nanoseconds: .max - 1), of: keeper) { _ in }
    // A year ahead, when it requests the next one.
    #expect(wake.time < StreamTime(seconds: 31_536_100))
    wake.cancel()
    #expect(wake.time == .distantFuture)
  }
}
