internal import Dispatch
internal import StreamEngine

/// The instants of schedulers, for times of any length. An `Int` of 32 bits has room for two seconds in nanoseconds, and
/// the length of a dispatch queue's stride is an `Int`.
extension Strideable where Stride: SchedulerTimeIntervalConvertible {
  /// The time since the start of the machine, in nanoseconds, if this is an instant of a dispatch queue.
  var uptime: UInt64? { (self as? QueueScheduler.SchedulerTimeType)?.dispatchTime.uptimeNanoseconds }

  /// Returns the instant that is later by a time.
  func advanced(by time: StreamTime) -> Self {
    let parts = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (seconds, nanoseconds) = (Int(clamping: parts.quotient), Int(parts.remainder))
    guard let instant = self as? QueueScheduler.SchedulerTimeType else {
      return advanced(by: .seconds(seconds)).advanced(by: .nanoseconds(nanoseconds))
    }
    let later = QueueScheduler.SchedulerTimeType(instant.dispatchTime + .seconds(seconds) + .nanoseconds(nanoseconds))
    return later as? Self ?? self
  }
}
