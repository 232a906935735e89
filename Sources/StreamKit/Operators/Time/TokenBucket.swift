internal import StreamEngine

/// The refill rate of a token bucket: its size, and the time to refill it when empty.
struct TokenRate: Sendable {
  /// Number of tokens, 1 or more.
  let size: Int64
  /// Time in nanoseconds, 1 or more.
  let period: Int64

  init(count: Int, seconds: Double) {
    size = Int64(count)
    period = max(1, Interval(seconds: seconds).nanoseconds)
  }

  /// Number of tokens that arrive within this part of a period.
  func tokens(within nanoseconds: Int64) -> Int64 {
    period.dividingFullWidth(nanoseconds.multipliedFullWidth(by: size)).quotient
  }

  /// Time from the start of a period until this many tokens have arrived, at most all.
  func interval(until tokens: Int64) -> Interval {
    let (quotient, remainder) = size.dividingFullWidth(tokens.multipliedFullWidth(by: period))
    return Interval(nanoseconds: quotient + (remainder > 0 ? 1 : 0))
  }
}

/// A token bucket that starts full and is refilled evenly, one token at a time. Exact, because times and tokens are
/// integers.
struct TokenBucket: Codable, Sendable {
  @Counted private var tokens: Int64
  /// Start of the current refill period; nil while the bucket is full.
  private var periodStart: StreamTime?
  /// Number of tokens that have arrived in this period.
  @Counted private var refilled: Int64 = 0

  init(_ rate: TokenRate) { _tokens = Counted(wrappedValue: rate.size) }

  /// Describes the error in a saved state; nil if it is valid. A bucket without a refill period is full.
  var problem: String? { periodStart != nil || tokens > 0 ? nil : "has an empty bucket that is never refilled" }

  /// Takes a token, if there is one.
  mutating func take(at now: StreamTime, _ rate: TokenRate) -> Bool {
    refill(at: now, rate)
    guard tokens > 0 else { return false }
    tokens -= 1
    if periodStart == nil {
      periodStart = now
      refilled = 0
    }
    return true
  }

  /// The arrival of the next token, if the bucket is not full.
  func nextToken(_ rate: TokenRate) -> StreamTime {
    (periodStart ?? .zero) + rate.interval(until: min(refilled + 1, rate.size))
  }

  private mutating func refill(at now: StreamTime, _ rate: TokenRate) {
    guard let start = periodStart else { return }
    let (periods, rest) = (now - start).nanoseconds.quotientAndRemainder(dividingBy: rate.period)
    let inPeriod = rate.tokens(within: rest)
    switch periods {
    case 0: tokens += inPeriod - refilled
    case 1: tokens += rate.size - refilled + inPeriod
    default: tokens = rate.size
    }
    refilled = inPeriod
    if tokens >= rate.size {
      tokens = rate.size
      periodStart = nil
    } else {
      periodStart = StreamTime(nanoseconds: now.nanoseconds - rest)
    }
  }
}
