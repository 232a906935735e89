/// Where a publisher works and what it publishes is heard.
public enum StreamDelivery: Hashable, Sendable {
  /// On the scheduler, whoever sends: what views need. A hop for what is sent at once, as with `receive(on:)`.
  case onScheduler
  /// Where something is sent or asked for, as with publishers that have no `receive(on:)`; on the scheduler what timers
  /// and functions of the host bring.
  case immediate
}
