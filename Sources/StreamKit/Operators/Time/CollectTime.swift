public import CEL
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
    /// Alignment of the intervals: with `clock` they begin at whole multiples of their length since 1970, or at
    /// midnight in `zone`, and hold the values from their start until right before their end. By default they begin
    /// with the subscription.
    public var align: Operator.Alignment?
    /// Time between the starts of two aligned intervals, which overlap if it is less than `seconds`. A number of
    /// seconds greater than 0, up to 31536000. Default: the value of `seconds`.
    public var hop: Double?
    /// Time by which aligned intervals begin later than at whole multiples. A number of seconds from 0 to 31536000.
    /// Default `0`.
    public var offset: Double?
    /// Time zone whose days begin with one of the aligned intervals, such as `Europe/Berlin`. By default days begin at
    /// midnight UTC.
    public var zone: String?
    /// Returns the result for an aligned interval. By default the array itself is published. Variables: `value`,
    /// `windowStart`, `windowEnd`.
    public var expression: CELExpression?
    /// Whether to publish empty arrays. Combine does not, RxJS does. Default `false`.
    public var emitEmpty: Bool?
    /// Maximum number of values in arrays that are open or wait for demand; an empty array counts as one value. One
    /// more fails the stream. An integer from 1 to 1000000000. Default `1000000`.
    public var limit: Int?

    public init(
      seconds: Double, count: Int? = nil, startEvery: Double? = nil, align: Operator.Alignment? = nil,
      hop: Double? = nil, offset: Double? = nil, zone: String? = nil, expression: CELExpression? = nil,
      emitEmpty: Bool? = nil, limit: Int? = nil
    ) {
      self.seconds = seconds
      self.count = count
      self.startEvery = startEvery
      self.align = align
      self.hop = hop
      self.offset = offset
      self.zone = zone
      self.expression = expression
      self.emitEmpty = emitEmpty
      self.limit = limit
    }
  }
}

extension Operator.CollectTime {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let list = CELType.list(context.inputType)
    context.outputType = list
    let result = try expression.map { expression throws(Diagnostics) in
      try context.plan(
        expression, field: "expression",
        over: [Variable("value", list), Variable("windowStart", .timestamp), Variable("windowEnd", .timestamp)])
    }
    if let result { context.outputType = result.resultType }
    let windows = try align.map { _ throws(Diagnostics) in
      try Diagnostics.listing { () throws(Diagnostic) in
        try ClockWindows(seconds: seconds, hop: hop ?? seconds, offset: offset ?? 0, zone: zone)
      }
    }
    return CollectTimeMachine(
      span: Interval(seconds: seconds), size: count ?? .max, every: startEvery.map(Interval.init(seconds:)),
      windows: windows, result: result, emitsEmpty: emitEmpty ?? Self.defaultEmitEmpty, limit: limit ?? Self.defaultLimit)
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
        "align", .choice(Operator.Alignment.allCases.map(\.rawValue)),
        "Alignment of the intervals: with `clock` they begin at whole multiples of their length since 1970, or at midnight "
          + "in `zone`, and hold the values from their start until right before their end. By default they begin with the "
          + "subscription."),
    ] + Operator.Alignment.fields(length: "seconds", what: "intervals") + [
      .optional(
        "expression", .expression(["value", "windowStart", "windowEnd"]),
        "Returns the result for an aligned interval. By default the array itself is published."),
      .optional(
        "emitEmpty", .bool,
        "Whether to publish empty arrays. Combine does not, RxJS does.", default: .of(defaultEmitEmpty)),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values in arrays that are open or wait for demand; an empty array counts as one "
          + "value. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [
      .above("hop", 0), .needs("hop", ["align"]), .needs("offset", ["align"]), .needs("zone", ["align"]),
      .needs("expression", ["align"]), .atMostOne(["align", "startEvery"]), .atMostOne(["align", "count"]),
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
      .marbles(
        "aligned to the clock, with the end of each interval",
        #"{"collectTime": {"seconds": 0.004, "align": "clock", "expression": "[windowEnd.millis(), value.size()]"}}"#,
        in: "-ab-c---------d|", out: "----x---y------(z|)", values: ["x": [4, 2], "y": [8, 1], "z": [16, 1]]),
      .marbles("a failure discards the rest", #"{"collectTime": {"seconds": 0.004}}"#, in: "-a-#", out: "---#"),
      .marbles(
        "more values than the limit", #"{"collectTime": {"seconds": 0.004, "limit": 2}}"#, in: "-abc|",
        out: "---#"),
      .rejects("no interval", #"{"collectTime": {"count": 2}}"#, .missingField, at: "/collectTime"),
      .rejects("an interval of zero", #"{"collectTime": {"seconds": 0}}"#, .outOfRange, at: "/collectTime/seconds"),
    ])
}
