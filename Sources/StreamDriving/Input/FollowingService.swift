internal import StreamEngine

/// Wakes the run several times a second to check whether files that are followed have grown.
final class FollowingService: RunService {
  /// Nanoseconds between two checks.
  static let interval: Int64 = 100_000_000

  var untilDue: Int64? { Self.interval }
  func serve(_ run: RunSession) throws(RunStop) {}
}
