internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Finishes, fails or continues with another stream if upstream publishes no value for a while.
  ///
  /// The clock starts with the subscription, and again with the first request and each value. A completion stops it.
  ///
  /// - Order: values and the completion are delivered by the scheduler, as in Combine: at the same instant, after its
  ///   other events.
  /// - Time: one timer; each value restarts it.
  /// - Memory: the values of an instant, bounded by `limit`.
  /// - Failure: `S407` with `error`.
  public struct Timeout: OperatorDefinition {
    /// Longest time without a value. By default only the time to the first value is limited. A number of seconds from
    /// 1e-06 to 31536000.
    public var seconds: Double?
    /// Longest time to the first value. A number of seconds from 1e-06 to 31536000. Default: the value of `seconds`.
    public var first: Double?
    /// The error on a timeout, any JSON value. If it is an object with `message`, that is the text to show. Without
    /// `error` and `with` the stream finishes, as in Combine.
    public var error: Value?
    /// The stream to continue with on a timeout.
    public var with: InnerStream?
    /// Maximum number of values requested ahead of publication. An integer from 1 to 100000000. Default `100000`.
    public var limit: Int?

    public init(
      seconds: Double? = nil, first: Double? = nil, error: Value? = nil, with: InnerStream? = nil, limit: Int? = nil
    ) {
      self.seconds = seconds
      self.first = first
      self.error = error
      self.with = with
      self.limit = limit
    }
  }
}

extension Operator.Timeout {
  public var joined: [JoinedStream] { with.map { [$0.joined("with")] } ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    if let other = context.joinedTypes.first { context.outputType = context.inputType.joined(with: other) }
    return TimeoutMachine(
      first: (first ?? seconds).map(Interval.init(seconds:)), each: seconds.map(Interval.init(seconds:)),
      outcome: with == nil ? error.map { .failure($0) } ?? .finish : .other, limit: limit ?? Self.defaultLimit)
  }
}

extension Operator.Timeout {
  private static let defaultLimit = 100_000

  public static let spec = OperatorSpec(
    "timeout", "Finishes, fails or continues with another stream if upstream publishes no value for a while.",
    memory: .bounded("the values of an instant", by: "limit"),
    fields: [
      .optional(
        "seconds", .seconds(1e-6...31_536_000),
        "Longest time without a value. By default only the time to the first value is limited."),
      .optional(
        "first", .seconds(1e-6...31_536_000), "Longest time to the first value.",
        default: .field("seconds")),
      .optional(
        "error", .value,
        "The error on a timeout, any JSON value. If it is an object with `message`, that is the text to show. "
          + "Without `error` and `with` the stream finishes, as in Combine."),
      .optional("with", .stream, "The stream to continue with on a timeout."),
      .optional(
        "limit", .count(1...100_000_000), "Maximum number of values requested ahead of publication.",
        default: .of(defaultLimit)),
    ],
    rules: [.atLeastOne(["seconds", "first"]), .atMostOne(["error", "with"])],
    examples: [
      .marbles(
        "a long pause between two values", #"{"timeout": {"seconds": 0.003}}"#, in: "-a-b-----c|", out: "-a-b--|"),
      .marbles("no long pause", #"{"timeout": {"seconds": 0.003}}"#, in: "-a-b-|", out: "-a-b-|"),
      .marbles(
        "a timeout with an error", #"{"timeout": {"seconds": 0.003, "error": "too late"}}"#, in: "-a-----b|",
        out: "-a--#"),
      .marbles(
        "a longer time to the first value", #"{"timeout": {"first": 0.006, "seconds": 0.002}}"#, in: "-----a---b|",
        out: "-----a-|"),
      .marbles(
        "only the first value is limited", #"{"timeout": {"first": 0.003}}"#, in: "-a--------b|", out: "-a--------b|"),
      .joins(
        "another stream continues", #"{"timeout": {"seconds": 0.003, "with": "b"}}"#,
        in: ["-a-------b|", "-----x--y|"],
        out: "-a---x--y|"),
      .rejects("no time", #"{"timeout": {}}"#, .missingField, at: "/timeout"),
      .rejects("a time of zero", #"{"timeout": {"seconds": 0}}"#, .outOfRange, at: "/timeout/seconds"),
      .rejects(
        "an error and a stream", #"{"timeout": {"seconds": 1, "error": "late", "with": "b"}}"#, .conflictingFields,
        at: "/timeout/with"),
    ])
}
