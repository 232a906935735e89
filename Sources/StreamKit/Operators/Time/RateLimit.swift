internal import DequeModule
public import StreamCore
public import StreamEngine

extension Operator {
  /// Limits the rate of values, with bursts up to a number of values at once.
  ///
  /// A token bucket: it holds `count` tokens, starts full, and each value takes one. It is refilled evenly, in
  /// `seconds` from empty to full, so a pause allows another burst. A finish follows the waiting values, a failure does
  /// not wait.
  ///
  /// - Time: one timer, for any number of waiting values.
  /// - Memory: waiting values, bounded by `limit`.
  /// - Failure: `S409` if `whenFull` is `fail`.
  /// - SeeAlso: `throttle`, which publishes the newest value of an interval.
  public struct RateLimit: OperatorDefinition {
    /// Number of values allowed at once, and within `seconds`: the size of the token bucket. An integer from 1 to
    /// 1000000000.
    public var count: Int
    /// Time to refill the empty bucket. A number of seconds from 1e-06 to 31536000.
    public var seconds: Double
    /// Effect of a value when the bucket is empty: `wait` delays it, `drop` drops it, `fail` fails the stream. Default
    /// `wait`.
    public var whenFull: WhenFull?
    /// Maximum number of values requested ahead of publication, if values wait. An integer from 1 to 100000000. Default
    /// `100000`.
    public var limit: Int?

    public init(count: Int, seconds: Double, whenFull: WhenFull? = nil, limit: Int? = nil) {
      self.count = count
      self.seconds = seconds
      self.whenFull = whenFull
      self.limit = limit
    }

    public enum WhenFull: String, Hashable, Sendable, Codable, CaseIterable {
      case wait, drop, fail
    }
  }
}

extension Operator.RateLimit {
  public func validate() throws(Diagnostic) {
    if limit != nil, let whenFull, whenFull != .wait {
      throw Diagnostic(
        .conflictingFields, "'limit' bounds waiting values; with 'whenFull' \"\(whenFull.rawValue)\" no values wait",
        at: JSONPointer(["limit"]), part: .key, help: "remove it")
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    RateLimitMachine(
      rate: TokenRate(count: count, seconds: seconds), seconds: seconds, whenFull: whenFull ?? Self.defaultWhenFull,
      limit: limit ?? Self.defaultLimit)
  }
}

private struct RateLimitMachine: Machine {
  struct State: Codable, Sendable {
    var bucket: TokenBucket
    var waiting: Deque<Value> = []
    var lookAhead: LookAhead
    var isUpstreamDone = false
  }

  let rate: TokenRate
  let seconds: Double
  let whenFull: Operator.RateLimit.WhenFull
  var state: State

  init(rate: TokenRate, seconds: Double, whenFull: Operator.RateLimit.WhenFull, limit: Int) {
    self.rate = rate
    self.seconds = seconds
    self.whenFull = whenFull
    state = State(bucket: TokenBucket(rate), lookAhead: LookAhead(limit: limit))
  }

  func problem(with saved: State) -> String? { saved.bucket.problem }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    if whenFull == .wait { state.lookAhead.request(demand, effects) } else { effects.request(demand, from: 0) }
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if state.waiting.isEmpty, state.bucket.take(at: effects.now, rate) {
      effects.publish(value)
      if whenFull == .wait { state.lookAhead.release(effects) }
      return
    }
    switch whenFull {
    case .wait:
      state.waiting.append(value)
      if state.waiting.count == 1 { effects.setTimer(0, at: state.bucket.nextToken(rate)) }
    case .drop:
      effects.noteDrop(.full)
      effects.request(Demand(1), from: 0)
    case .fail:
      throw StreamFailure(
        .limitExceeded, "'rateLimit' allows \(rate.size) values in \(seconds.shortText) seconds; this is one more",
        value: value)
    }
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.isUpstreamDone = true
    if case .finished = completion, !state.waiting.isEmpty { return }
    effects.complete(completion)
  }

  mutating func fire(_ timer: Int, _ effects: Effects) {
    var count = 0
    while let first = state.waiting.first, state.bucket.take(at: effects.now, rate) {
      state.waiting.removeFirst()
      effects.publish(first)
      count += 1
    }
    if !state.waiting.isEmpty {
      effects.setTimer(0, at: state.bucket.nextToken(rate))
    } else if state.isUpstreamDone {
      return effects.finish()
    }
    for _ in 0..<count { state.lookAhead.release(effects) }
  }
}

extension Operator.RateLimit {
  private static let defaultWhenFull = WhenFull.wait
  private static let defaultLimit = 100_000

  public static let spec = OperatorSpec(
    "rateLimit", "Limits the rate of values, with bursts up to a number of values at once.",
    memory: .bounded("waiting values", by: "limit"),
    fields: [
      .required(
        "count", .count(1...1_000_000_000),
        "Number of values allowed at once, and within `seconds`: the size of the token bucket."),
      .required(
        "seconds", .seconds(1e-6...31_536_000), "Time to refill the empty bucket."
      ),
      .optional(
        "whenFull", .choice(["wait", "drop", "fail"]),
        "Effect of a value when the bucket is empty: `wait` delays it, `drop` drops it, `fail` fails the stream.",
        default: .of(defaultWhenFull)),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of values requested ahead of publication, if values wait.", default: .of(defaultLimit)),
    ],
    rules: [.silent("limit", where: "whenFull", is: ["drop", "fail"])],
    examples: [
      .marbles(
        "two at once, then one every two milliseconds", #"{"rateLimit": {"count": 2, "seconds": 0.004}}"#,
        in: "[abcd]|", out: "[ab]-c-(d|)"),
      .marbles(
        "a pause allows another burst", #"{"rateLimit": {"count": 2, "seconds": 0.004}}"#, in: "[ab]-----[cde]-|",
        out: "[ab]-----[cd]-(e|)"),
      .marbles(
        "excess values are dropped", #"{"rateLimit": {"count": 1, "seconds": 0.003, "whenFull": "drop"}}"#,
        in: "abcdefg|", out: "a--d--g|"),
      .marbles(
        "an excess value fails the stream", #"{"rateLimit": {"count": 1, "seconds": 0.003, "whenFull": "fail"}}"#,
        in: "a---b-c-|", out: "a---b-#"),
      .marbles(
        "a failure does not wait", #"{"rateLimit": {"count": 1, "seconds": 0.003}}"#, in: "ab#", out: "a-#"),
      .rejects("no time", #"{"rateLimit": {"count": 1}}"#, .missingField, at: "/rateLimit"),
      .rejects("a count of zero", #"{"rateLimit": {"count": 0, "seconds": 1}}"#, .outOfRange, at: "/rateLimit/count"),
      .rejects(
        "a limit where no values wait", #"{"rateLimit": {"count": 1, "seconds": 1, "whenFull": "drop", "limit": 5}}"#,
        .conflictingFields, at: "/rateLimit/limit"),
    ])
}
