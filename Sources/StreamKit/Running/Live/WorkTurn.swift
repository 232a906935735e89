/// The share of other threads' work that the active thread does before another thread takes over: about 2 ms.
struct WorkTurn {
  /// Number of deliveries.
  private(set) var count = 0
  private var unread = 0
  private var end: ContinuousClock.Instant?
  private(set) var isOver = false

  private static let length = Duration.milliseconds(2)
  /// Number of deliveries between two readings of the clock. Shorter turns read no clock.
  private static let interval = 256

  /// Counts deliveries, and returns whether the turn is over.
  mutating func isOver(after deliveries: Int = 1) -> Bool {
    count &+= deliveries
    unread &+= deliveries
    guard unread >= Self.interval else { return false }
    unread = 0
    let now = ContinuousClock.now
    guard let end else {
      self.end = now + Self.length
      return false
    }
    isOver = now >= end
    return isOver
  }
}
