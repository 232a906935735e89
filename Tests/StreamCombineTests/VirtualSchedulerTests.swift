import StreamEngine
import StreamKit
import Synchronization
import Testing

@testable import StreamCombine

@Suite struct VirtualSchedulerTests {
  @Test("Actions run in the order of their times, and at one instant in the order of scheduling")
  func order() {
    let scheduler = VirtualScheduler()
    let seen = Mutex<[[Int]]>([])
    var due = 17
    for number in 0..<10_000 {
      due = due &* 1_103 % 257
      let instant = due
      scheduler.schedule(
        after: VirtualInstant(nanoseconds: Int64(instant)), tolerance: scheduler.minimumTolerance, options: nil
      ) { seen.withLock { $0.append([instant, number]) } }
    }
    scheduler.run(through: VirtualInstant(nanoseconds: 1_000)) { true }
    let found = seen.withLock { $0 }
    #expect(found.count == 10_000)
    #expect(found == found.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("The time ends at the end of a span, also without an action")
  func advance() {
    let scheduler = VirtualScheduler()
    var times: [Int64] = []
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { times.append(scheduler.now.nanoseconds) }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(9))) { times.append(scheduler.now.nanoseconds) }
    scheduler.advance(by: .seconds(3))
    #expect(scheduler.now.nanoseconds == 3_000_000_000)
    scheduler.advance(by: .seconds(3))
    #expect(scheduler.now.nanoseconds == 6_000_000_000)
    #expect(times == [1_000_000_000])
  }

  @Test("Lengths of time beyond 64 bits are the longest ones")
  func extremes() {
    typealias Stride = VirtualInstant.Stride
    #expect(Stride.seconds(.max).nanoseconds == .max)
    #expect(Stride.seconds(.min).nanoseconds == .min)
    #expect(Stride.seconds(Double.infinity).nanoseconds == .max)
    #expect(Stride.seconds(Double.nan).nanoseconds == 0)
    let first = VirtualInstant(nanoseconds: .min)
    let last = VirtualInstant(nanoseconds: .max)
    #expect(first.distance(to: last).nanoseconds == .max)
    #expect(last.distance(to: first).nanoseconds == .min)
    #expect(last.advanced(by: .seconds(1)) == last)
  }

  @Test("An action at regular intervals ends with the last instant, and without an interval it runs once")
  func saturation() {
    let scheduler = VirtualScheduler()
    var times: [Int64] = []
    let half = VirtualInstant.Stride(nanoseconds: .max / 2)
    let tokens = [half, VirtualInstant.Stride(nanoseconds: 0), VirtualInstant.Stride(nanoseconds: -1)].map { interval in
      scheduler.schedule(after: scheduler.now, interval: interval, tolerance: scheduler.minimumTolerance, options: nil)
      {
        times.append(scheduler.now.nanoseconds)
      }
    }
    scheduler.run(through: VirtualInstant(nanoseconds: .max)) { true }
    #expect(times == [0, 0, 0, .max / 2, .max - 1, .max])
    withExtendedLifetime(tokens) {}
  }

  @Test("A canceled or released action does not run, does not move time, and is released")
  func cancellation() {
    let scheduler = VirtualScheduler()
    weak var content: Content?
    var count = 0
    var token = {
      let held = Content()
      content = held
      return scheduler.schedule(
        after: scheduler.now.advanced(by: .seconds(1)), interval: .seconds(1), tolerance: scheduler.minimumTolerance,
        options: nil
      ) {
        _ = held
        count += 1
      } as (any Cancellable)?
    }()
    scheduler.advance(by: .seconds(2.5))
    #expect(count == 2)
    #expect(content != nil)
    token?.cancel()
    #expect(content == nil)
    let now = scheduler.now
    scheduler.run(through: VirtualInstant(nanoseconds: .max)) { true }
    #expect(count == 2)
    #expect(scheduler.now == now)
    // After all actions are removed, a token of one has no effect on others.
    token = scheduler.schedule(
      after: now, interval: .seconds(1), tolerance: scheduler.minimumTolerance, options: nil
    ) { Issue.record("a removed action runs") }
    scheduler.clear()
    scheduler.schedule(after: now.advanced(by: .seconds(1))) { count += 1 }
    token = nil
    scheduler.advance(by: .seconds(1))
    #expect(count == 3)
  }

  private final class Content {}

  @Test("A stream with timers of a year runs to the last instant, and ends there", .timeLimit(.minutes(1)))
  func lastInstant() throws {
    let scheduler = VirtualScheduler()
    let model = try StreamModel(parsing: #"{"source": {"timer": {"every": 31536000}}}"#)
    let probe = Probe<Int>()
    model.publisher(of: Int.self, scheduler: scheduler, delivery: .immediate).subscribe(probe)
    scheduler.run(through: VirtualInstant(nanoseconds: .max)) { true }
    #expect(probe.values == Array(0..<292))
    scheduler.advance(by: .seconds(Int.max))
    #expect(probe.values.count == 292)
  }

  @Test("An instant after many days is exact on a dispatch queue and on other schedulers")
  func manyDays() {
    let days = StreamTime(nanoseconds: 400 * 86_400 * 1_000_000_000 + 1)
    let start = VirtualInstant(nanoseconds: 5)
    #expect(start.advanced(by: days).nanoseconds == days.nanoseconds + 5)
    #expect(start.advanced(by: StreamTime.distantFuture).nanoseconds == .max)
    let now = QueueScheduler.standard.now
    let later = now.advanced(by: days)
    #expect(later.uptime == now.uptime.map { $0 + UInt64(days.nanoseconds) })
    #expect(later.dispatchTime < now.advanced(by: StreamTime.distantFuture).dispatchTime)
  }
}
