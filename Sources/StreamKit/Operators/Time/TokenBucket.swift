internal import StreamCore
internal import StreamRuntime

/// How fast a bucket of tokens is filled: its size, and the time in which it is filled from empty to full.
struct TokenRate: Sendable {
  /// 1 or more.
  let size: Int64
  /// In nanoseconds, 1 or more.
  let period: Int64

  init(count: Int, seconds: Double) {
    size = Int64(count)
    period = max(1, Interval(seconds: seconds).nanoseconds)
  }

  /// How many tokens come within this part of a period.
  func tokens(within nanoseconds: Int64) -> Int64 {
    period.dividingFullWidth(nanoseconds.multipliedFullWidth(by: size)).quotient
  }

  /// How long it takes, from the beginning of a period, until so many tokens have come: at most all.
  func interval(until tokens: Int64) -> Interval {
    let (quotient, remainder) = size.dividingFullWidth(tokens.multipliedFullWidth(by: period))
    return Interval(nanoseconds: quotient + (remainder > 0 ? 1 : 0))
  }
}

/// A bucket of tokens that begins full and is refilled evenly, token by token. Exact: time and tokens are integers.
struct TokenBucket: Codable, Sendable {
  @Counted private var tokens: Int64
  /// When the period of refilling that is under way began; nil while the bucket is full.
  private var periodStart: StreamTime?
  /// How many tokens have come in this period.
  @Counted private var refilled: Int64 = 0

  init(_ rate: TokenRate) { _tokens = Counted(wrappedValue: rate.size) }

  /// Describes the error in a saved state; nil if it is valid. A bucket is full where no period runs.
  var problem: String? { periodStart != nil || tokens > 0 ? nil : "has an empty bucket that nothing fills" }

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

  /// When the next token comes, if the bucket is not full.
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
