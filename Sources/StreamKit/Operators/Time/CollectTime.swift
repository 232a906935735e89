internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes, at a steady pace, lists of the values that came meanwhile.
  ///
  /// The pace counts from the subscription; with `count` a list goes out as soon as it is full, and the time begins anew.
  /// A finish publishes the rest, a failure drops it. Lists that nobody has asked for wait.
  ///
  /// - Order: a full list and the end come through the scheduler, as Combine: in the same moment, later.
  /// - Time: one timer, and one for `startEvery`.
  /// - Memory: grows with the values of the lists that are open or wait, bounded by `limit`.
  public struct CollectTime: OperatorDefinition {
    /// How long values are collected for a list, in seconds. A millionth or more.
    public var seconds: Double
    /// The most values in a list, 1 or more. Without it no bound but `limit`.
    public var count: Int?
    /// After how many seconds the next list begins. A millionth or more. Default when the one before is complete. Lists
    /// overlap where it is less than `seconds`; where it is more, values between them are left out.
    public var startEvery: Double?
    /// Whether a list without values is published too. Default false, as Combine; RxJS publishes it.
    public var emitEmpty: Bool?
    /// The most values in lists that are open or wait, a list without values counting as one; one more fails the stream.
    /// Default 1,000,000.
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
      emitsEmpty: emitEmpty ?? false, limit: limit ?? 1_000_000)
  }
}

extension Operator.CollectTime {
  public static let spec = OperatorSpec(
    "collectTime", "Publishes, at a steady pace, lists of the values that came meanwhile.",
    memory: .bounded("the values of lists that are open or wait", by: "limit"),
    fields: [
      .required(
        "seconds", .seconds(1e-6...31_536_000),
        "How long values are collected for a list, in seconds. A millionth or more."),
      .optional(
        "count", .count(1...10_000_000), "The most values in a list, 1 or more. Without it no bound but `limit`."),
      .optional(
        "startEvery", .seconds(1e-6...31_536_000),
        "After how many seconds the next list begins. Default when the one before is complete."),
      .optional(
        "emitEmpty", .bool,
        "Whether a list without values is published too. Default false, as Combine; RxJS publishes it.", default: false),
      .optional(
        "limit", .count(1...1_000_000_000),
        "The most values in lists that are open or wait; one more fails the stream. Default 1,000,000.",
        default: 1_000_000),
    ],
    examples: [
      .marbles(
        "every four milliseconds", #"{"collectTime": {"seconds": 0.004}}"#, in: "-a-b--c-------d|",
        out: "----x---y------(z|)",
        values: ["x": ["a", "b"], "y": ["c"], "z": ["d"]]),
      .marbles(
        "empty lists too", #"{"collectTime": {"seconds": 0.004, "emitEmpty": true}}"#, in: "-a-------|",
        out: "----x---y(y|)", values: ["x": ["a"], "y": []]),
      .marbles(
        "or as soon as there are two", #"{"collectTime": {"seconds": 0.004, "count": 2}}"#, in: "-ab-c-----|",
        out: "--x---y---|", values: ["x": ["a", "b"], "y": ["c"]]),
      .marbles(
        "lists that overlap", #"{"collectTime": {"seconds": 0.004, "startEvery": 0.002}}"#, in: "-a-b-c-|",
        out: "----x-y(z|)", values: ["x": ["a", "b"], "y": ["b", "c"], "z": ["c"]]),
      .marbles("a failure drops the rest", #"{"collectTime": {"seconds": 0.004}}"#, in: "-a-#", out: "---#"),
      .marbles(
        "more values than there is room for", #"{"collectTime": {"seconds": 0.004, "limit": 2}}"#, in: "-abc|",
        out: "---#"),
      .rejects("no time", #"{"collectTime": {"count": 2}}"#, .missingField, at: "/collectTime"),
      .rejects("too little time", #"{"collectTime": {"seconds": 0}}"#, .outOfRange, at: "/collectTime/seconds"),
    ])
}
