import Dispatch
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit
import Synchronization
import Testing

/// A publisher has one timer of its scheduler at most, which ends with the publisher.
@Suite("A publisher has one timer at most")
struct SchedulerWakeTests {
  /// Virtual time that counts the timers.
  private struct CountingScheduler: Scheduler {
    final class Counts: Sendable {
      let requested = Atomic(0)
      let ended = Atomic(0)
      var pending: Int { requested.load(ordering: .relaxed) - ended.load(ordering: .relaxed) }
    }

    let time = VirtualScheduler()
    let counts = Counts()

    var now: VirtualInstant { time.now }
    var minimumTolerance: VirtualInstant.Stride { time.minimumTolerance }

    func schedule(options: Never?, _ action: @escaping () -> Void) { time.schedule(options: nil, action) }

    func schedule(
      after date: VirtualInstant, tolerance: VirtualInstant.Stride, options: Never?, _ action: @escaping () -> Void
    ) {
      Issue.record("an action that cannot be canceled is scheduled for \(date.nanoseconds)")
    }

    func schedule(
      after date: VirtualInstant, interval: VirtualInstant.Stride, tolerance: VirtualInstant.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      counts.requested.add(1, ordering: .relaxed)
      let timer = time.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
      return AnyCancellable { [counts] in
        counts.ended.add(1, ordering: .relaxed)
        timer.cancel()
      }
    }
  }

  private static func model(_ operators: String) throws -> StreamModel {
    try StreamModel(
      parsing: """
        {"inputs": {"in": {"type": "int"}}, "source": {"input": {"name": "in"}}, "operators": [\(operators)]}
        """)
  }

  private static let shortAndLong = #"{"debounce": {"seconds": 1}}, {"timeout": {"seconds": 3600}}"#

  private enum Ending: CaseIterable {
    case cancellation, completion, release
  }

  @Test("Beside a timer of an hour, and none is left at the end", arguments: [StreamDelivery.immediate, .onScheduler])
  func timers(_ delivery: StreamDelivery) throws {
    for ending in Ending.allCases {
      let (scheduler, input) = (CountingScheduler(), PassthroughInput<Int>())
      let probe = Probe<Int>()
      let live = try LiveStream(Self.model(Self.shortAndLong), inputs: ["in": input])
      live.publisher(of: Int.self, scheduler: scheduler, delivery: delivery).subscribe(probe)
      for number in 0..<100 {
        scheduler.time.advance(by: .seconds(2))
        #expect(scheduler.counts.pending == 1)
        input.send(number)
        scheduler.time.advance(by: .seconds(0))
        #expect(scheduler.counts.pending == 1)
      }
      scheduler.time.advance(by: .seconds(2))
      #expect(probe.values == Array(0..<100))
      // The one for the hour before the first value, then two for each value: for the pause, and for the hour after it.
      #expect(scheduler.counts.requested.load(ordering: .relaxed) <= 201)
      switch ending {
      case .cancellation: probe.cancel()
      case .completion: input.finish()
      case .release: probe.forget()
      }
      scheduler.time.advance(by: .seconds(0))
      if case .release = ending { input.finish() }
      scheduler.time.advance(by: .seconds(0))
      #expect(scheduler.counts.pending == 0, "\(ending)")
      // Nothing is left that moves time.
      let now = scheduler.now
      scheduler.time.run(through: VirtualInstant(nanoseconds: .max)) { true }
      #expect(scheduler.now == now)
    }
  }

  @Test("A subscription that is released without cancellation has none")
  func release() throws {
    let scheduler = CountingScheduler()
    let model = try StreamModel(parsing: #"{"source": {"timer": {"every": 3600}}}"#)
    let probe = Probe<Int>()
    try LiveStream(model).publisher(of: Int.self, scheduler: scheduler, delivery: .immediate).subscribe(probe)
    #expect(scheduler.counts.pending == 1)
    probe.forget()
    #expect(scheduler.counts.pending == 0)
  }

  @Test("A scheduler that never waits, and a queue, run the timers")
  func schedulers() async throws {
    let model = try StreamModel(
      parsing: """
        {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 0.01}}]},
                    {"value": 2, "operators": [{"delay": {"seconds": 0.02}}]}],
         "operators": [{"timeout": {"seconds": 3600}}]}
        """)
    let probe = Probe<Int>()
    model.publisher(of: Int.self, scheduler: ImmediateScheduler.shared, delivery: .immediate).subscribe(probe)
    #expect(probe.text == "s 1 2 |")

    let (values, mail) = AsyncStream.makeStream(of: Int.self)
    let token = model.publisher(of: Int.self, scheduler: DispatchQueue.global().asScheduler, delivery: .immediate)
      .sink(receiveCompletion: { _ in mail.finish() }, receiveValue: { mail.yield($0) })
    var received: [Int] = []
    for await value in values { received.append(value) }
    #expect(received == [1, 2])
    withExtendedLifetime(token) {}
  }
}
