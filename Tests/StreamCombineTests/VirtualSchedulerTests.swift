import StreamEngine
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
