@_spi(Driving) internal import StreamKit
internal import StreamRuntime

/// The time of a scheduler: the main queue's, a run loop's, that of a test.
final class SchedulerKeeper<S: Scheduler>: TimeKeeper, @unchecked Sendable {
  // NB: schedulers are told from any thread, as Combine's own operators tell them.
  private let scheduler: S
  private let time: Time?

  private struct Time {
    let start: S.SchedulerTimeType
    let reading = StrideReading<S.SchedulerTimeType.Stride>()
  }

  /// - Parameter readsTime: whether the time is asked for.
  init(_ scheduler: S, delivery: StreamDelivery, readsTime: Bool) {
    self.scheduler = scheduler
    time = readsTime ? Time(start: scheduler.now) : nil
    super.init(takesWork: delivery == .onScheduler)
  }

  override var now: StreamTime {
    guard let time else { return .zero }
    return StreamTime(nanoseconds: time.reading.nanoseconds(time.start.distance(to: scheduler.now)))
  }

  override func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) {
    let date = (self.time?.start ?? scheduler.now).advanced(by: .nanoseconds(Int(clamping: time.nanoseconds)))
    scheduler.schedule(after: date, tolerance: scheduler.minimumTolerance, options: nil, action)
  }

  override func enqueue(_ action: @escaping @Sendable () -> Void) { scheduler.schedule(options: nil, action) }
}
