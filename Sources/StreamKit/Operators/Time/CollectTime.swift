internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Collects values into arrays, and publishes one at the end of each interval.
  ///
  /// Intervals count from the subscription. With `count`, a full array is published at once and starts a new interval.
  /// A finish publishes the rest, a failure discards it. Arrays without demand wait. Intervals without values are skipped
  /// in one step, unless `emitEmpty` publishes them.
  ///
  /// - Order: a full array and the completion are delivered by the scheduler, as in Combine: at the same instant,
  ///   after its other events.
  /// - Time: one timer while an array has values, and one for `startEvery`.
  /// - Memory: the values of arrays that are open or wait for demand, bounded by `limit`.
  public struct CollectTime: OperatorDefinition {
    /// Length of the interval. A number of seconds from 1e-06 to 31536000.
    public var seconds: Double
    /// Maximum number of values in an array. By default only `limit` applies. An integer from 1 to 10000000.
    public var count: Int?
    /// Time between the starts of two arrays. By default an array starts at the end of the previous one. Arrays overlap
    /// if it is less than `seconds`; if it is more, the values between them are dropped. A number of seconds from 1e-06
    /// to 31536000.
    public var startEvery: Double?
    /// Whether to publish empty arrays. Combine does not, RxJS does. Default `false`.
    public var emitEmpty: Bool?
    /// Maximum number of values in arrays that are open or wait for demand; an empty array counts as one value. One
    /// more fails the stream. An integer from 1 to 1000000000. Default `1000000`.
    public var limit: Int?

    public init(
      seconds: Double, count: Int? = nil, startEvery: Double? = nil, emitEmpty: Bool? = nil, limit: Int? = nil
    ) {
      self.seconds = seconds
      self.count = count
      self.startEvery = startEvery
      self.emitEmpty = emitEmpty
      self.limit = limit
    }
  }
}

extension Operator.CollectTime {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = .list(context.inputType)
    return CollectTimeMachine(
      span: Interval(seconds: seconds), size: count ?? .max, every: startEvery.map(Interval.init(seconds:)),
      emitsEmpty: emitEmpty ?? Self.defaultEmitEmpty, limit: limit ?? Self.defaultLimit)
  }
}

extension Operator.CollectTime {
  private static let defaultEmitEmpty = false
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "collectTime", "Collects values into arrays, and publishes one at the end of each interval.",
    memory: .bounded("the values of arrays that are open or wait for demand", by: "limit"),
    fields: [
      .required(
        "seconds", .seconds(1e-6...31_536_000),
        "Length of the interval."),
      .optional(
        "count", .count(1...10_000_000), "Maximum number of values in an array. By default only `limit` applies."),
      .optional(
        "startEvery", .seconds(1e-6...31_536_000),
        "Time between the starts of two arrays. By default an array starts at the end of the previous one. "
          + "Arrays overlap if it is less than `seconds`; if it is more, the values between them are dropped."),
      .optional(
        "emitEmpty", .bool,
        "Whether to publish empty arrays. Combine does not, RxJS does.", default: .of(defaultEmitEmpty)),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values in arrays that are open or wait for demand; an empty array counts as one "
          + "value. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    examples: [
      .marbles(
        "every four milliseconds", #"{"collectTime": {"seconds": 0.004}}"#, in: "-a-b--c-------d|",
        out: "----x---y------(z|)",
        values: ["x": ["a", "b"], "y": ["c"], "z": ["d"]]),
      .marbles(
        "empty arrays, too", #"{"collectTime": {"seconds": 0.004, "emitEmpty": true}}"#, in: "-a-------|",
        out: "----x---y(y|)", values: ["x": ["a"], "y": []]),
      .marbles(
        "every four milliseconds, or two values", #"{"collectTime": {"seconds": 0.004, "count": 2}}"#,
        in: "-ab-c-----|",
        out: "--x---y---|", values: ["x": ["a", "b"], "y": ["c"]]),
      .marbles(
        "arrays that overlap", #"{"collectTime": {"seconds": 0.004, "startEvery": 0.002}}"#, in: "-a-b-c-|",
        out: "----x-y(z|)", values: ["x": ["a", "b"], "y": ["b", "c"], "z": ["c"]]),
      .marbles("a failure discards the rest", #"{"collectTime": {"seconds": 0.004}}"#, in: "-a-#", out: "---#"),
      .marbles(
        "more values than the limit", #"{"collectTime": {"seconds": 0.004, "limit": 2}}"#, in: "-abc|",
        out: "---#"),
      .rejects("no interval", #"{"collectTime": {"count": 2}}"#, .missingField, at: "/collectTime"),
      .rejects("an interval of zero", #"{"collectTime": {"seconds": 0}}"#, .outOfRange, at: "/collectTime/seconds"),
    ])
}
