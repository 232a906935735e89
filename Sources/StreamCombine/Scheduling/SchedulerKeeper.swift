@_spi(Driving) internal import StreamKit
internal import StreamRuntime

/// The time of a scheduler: the main queue's, a run loop's, that of a test.
final class SchedulerKeeper<S: Scheduler>: TimeKeeper, @unchecked Sendable {
  // NB: schedulers are told from any thread, as Combine's own operators tell them.
  private let scheduler: S
  private let start: S.SchedulerTimeType
  private let reading = StrideReading<S.SchedulerTimeType.Stride>()

  init(_ scheduler: S, delivery: StreamDelivery) {
    self.scheduler = scheduler
    start = scheduler.now
    super.init(takesWork: delivery == .onScheduler)
  }

  override var now: StreamTime { StreamTime(nanoseconds: reading.nanoseconds(start.distance(to: scheduler.now))) }

  override func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) {
    let date = start.advanced(by: .nanoseconds(Int(clamping: time.nanoseconds)))
    scheduler.schedule(after: date, tolerance: scheduler.minimumTolerance, options: nil, action)
  }

  override func enqueue(_ action: @escaping @Sendable () -> Void) { scheduler.schedule(options: nil, action) }
}
