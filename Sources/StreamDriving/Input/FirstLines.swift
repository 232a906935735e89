internal import StreamEngine
internal import StreamKit

/// Delivers the first lines of live inputs that may be the only ones: an array on a single line has values of its own if no
/// other line follows. After a moment, more lines are expected.
final class FirstLines: RunService {
  /// Nanoseconds for which a first line waits for the next one.
  static let patience: Int64 = 200_000_000

  private let feeds: [FileFeed]
  private let clock = LiveClock()
  /// When a line was first found waiting.
  private var start: StreamTime?

  /// - Returns: Nil if no input is live.
  init?(_ feeds: [FileFeed]) {
    self.feeds = feeds.filter { !$0.isRegular && $0.format == .ndjson && !$0.format.options.keepsLines }
    if self.feeds.isEmpty { return nil }
  }

  var untilDue: Int64? {
    guard feeds.contains(where: \.isHolding) else { return nil }
    let now = clock.now
    let start = start ?? now
    self.start = start
    return max(0, Self.patience - (now - start).nanoseconds)
  }

  func serve(_ run: RunSession) throws(RunStop) {
    guard untilDue == 0 else { return }
    for feed in feeds where feed.isHolding { feed.stopHolding() }
  }
}
