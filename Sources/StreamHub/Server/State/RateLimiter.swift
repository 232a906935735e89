internal import Synchronization

/// Limits the rate of requests by token buckets: each caller has a bucket that fills at a constant rate.
final class RateLimiter: Sendable {
  private struct Bucket {
    var level: Double
    var time: Int64
  }

  /// Requests per second.
  private let rate: Double
  /// The size of a bucket.
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  /// Maximum number of callers that are known. A full bucket need not be known.
  private static let capacity = 20_000

  init(rate: Double, burst: Double) {
    self.rate = rate
    self.burst = burst
  }

  /// Takes a request out of a caller's bucket.
  ///
  /// - Parameters:
  ///   - caller: The ID of a token, or an address.
  ///   - count: The number of requests that it counts for.
  ///   - now: The monotonic time, in milliseconds.
  /// - Returns: Nil if it is permitted; else the number of seconds until it will be.
  func take(_ caller: String, count: Int = 1, now: Int64) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.capacity { forgetFull(&buckets, now) }
      var bucket = buckets[caller] ?? Bucket(level: burst, time: now)
      bucket.level = min(burst, bucket.level + Double(now - bucket.time) / 1_000 * rate)
      bucket.time = now
      defer { buckets[caller] = bucket }
      let needed = min(Double(count), burst)
      guard bucket.level >= needed else { return max(1, Int(((needed - bucket.level) / rate).rounded(.up))) }
      bucket.level -= needed
      return nil
    }
  }

  private func forgetFull(_ buckets: inout [String: Bucket], _ now: Int64) {
    buckets = buckets.filter { $0.value.level + Double(now - $0.value.time) / 1_000 * rate < burst }
    if buckets.count >= Self.capacity { buckets.removeAll() }
  }
}
