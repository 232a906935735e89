/// The context in which a publisher performs its work and delivers values.
///
/// ```swift
/// let token = live.publisher(of: Int.self, delivery: .immediate).failures(.log).sink { lines.append("\($0)") }
/// input.send(2)
/// ```
public enum StreamDelivery: Hashable, Sendable {
  /// On the scheduler, regardless of the sender, as views require. A value sent at once is delivered asynchronously, as
  /// with `receive(on:)`.
  case onScheduler
  /// On the thread that sends a value or requests demand, as with publishers without `receive(on:)`; timers and host
  /// functions deliver on the scheduler.
  case immediate
}
