internal import StreamCore
internal import StreamEngine
@_spi(Driving) internal import StreamKit

/// The time of a scheduler: the main queue's, a run loop's, that of a test.
final class SchedulerKeeper<S: Scheduler>: SchedulerAdapter, @unchecked Sendable {
  // NB: Schedulers are called from any thread, as Combine's own operators do.
  private let scheduler: S
  private let start: S.SchedulerTimeType
  private let reading = StrideReading<S.SchedulerTimeType.Stride>()

  init(_ scheduler: S, delivery: StreamDelivery) {
    self.scheduler = scheduler
    start = scheduler.now
    super.init(takesWork: delivery == .onScheduler)
  }

  override var now: StreamTime {
    let now = scheduler.now
    if let start = start.uptime, let now = now.uptime {
      return StreamTime(nanoseconds: now > start ? Int64(clamping: now - start) : 0)
    }
    return StreamTime(nanoseconds: reading.nanoseconds(start.distance(to: now)))
  }

  override var origin: Timestamp {
    (scheduler.now as? VirtualInstant).map { Timestamp(seconds: 0, nanoseconds: $0.nanoseconds) } ?? super.origin
  }

  override func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    let action = OneTimeAction(action)
    // NB: a scheduler can cancel only what repeats. This action runs once, and then stops its timer.
    nonisolated(unsafe) let timer = scheduler.schedule(
      after: start.advanced(by: time), interval: .seconds(3_600), tolerance: scheduler.minimumTolerance, options: nil,
      action.run)
    action.setStop { timer.cancel() }
    return StreamToken { action.cancel() }
  }

  override func enqueue(_ action: @escaping @Sendable () -> Void) { scheduler.schedule(options: nil, action) }
}

/// The time of the main queue: the same for all publishers, since each reads how far it has come since its own start.
enum StandardKeepers {
  private static let scheduled: SchedulerAdapter = SchedulerKeeper(QueueScheduler.standard, delivery: .onScheduler)
  private static let immediate: SchedulerAdapter = SchedulerKeeper(QueueScheduler.standard, delivery: .immediate)

  static func keeper(for delivery: StreamDelivery) -> SchedulerAdapter {
    switch delivery {
    case .onScheduler: scheduled
    case .immediate: immediate
    }
  }
}
