public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Subscribes to upstream again when it fails.
  ///
  /// Values already published are not withdrawn. Without further attempts the last failure is published.
  ///
  /// - Time: one timer, with `seconds`.
  /// - Failure: `S409` after 10,000 attempts at one instant without a value.
  /// - SeeAlso: `catch`, which continues with another stream; `repeat`, which subscribes again after a finish.
  public struct Retry: OperatorDefinition, ExercisedFields {
    /// Maximum number of attempts after the first run. By default there is no limit. An integer, 0 or more.
    public var count: Int?
    /// Returns whether to try again. `error` is the failure; `attempt` is 1 for the first new attempt. Variables:
    /// `error`, `attempt`.
    public var expression: CELExpression?
    /// Wait before the first new attempt. By default there is none. A number of seconds from 0 to 31536000.
    public var seconds: Double?
    /// Ratio of each wait to the previous one (exponential back-off). A number from 1 to 1000000. Default `1`.
    public var factor: Double?
    /// Longest wait. By default one year. A number of seconds from 0 to 31536000.
    public var maximum: Double?
    /// Fraction of the wait that is added or subtracted at random. A number from 0 to 1. Default `0`.
    public var jitter: Double?
    /// Seed of the random numbers. The same seed gives the same waits. Default `0`.
    public var seed: Int?
    /// Whether a value resets the number of attempts and the wait. Default `false`.
    public var resetOnValue: Bool?
    /// Started for each failure, instead of a wait: its first value starts the new attempt. Its expressions see `error`
    /// and `attempt`. If it ends without a value, the whole stream ends.
    public var stream: InnerStream?

    public init(
      count: Int? = nil, expression: CELExpression? = nil, seconds: Double? = nil, factor: Double? = nil,
      maximum: Double? = nil, jitter: Double? = nil, seed: Int? = nil, resetOnValue: Bool? = nil,
      stream: InnerStream? = nil
    ) {
      self.count = count
      self.expression = expression
      self.seconds = seconds
      self.factor = factor
      self.maximum = maximum
      self.jitter = jitter
      self.seed = seed
      self.resetOnValue = resetOnValue
      self.stream = stream
    }
  }
}

extension Operator.Retry {
  public var joined: [JoinedStream] {
    stream.map { [$0.joined(capturing: [.fixed("error", .dyn), .fixed("attempt", .int)])] } ?? []
  }
  public var handlesFailures: Bool { true }

  public func validate() throws(Diagnostic) {
    if stream != nil, seconds != nil {
      throw Diagnostic(
        .conflictingFields, "'retry' has 'seconds' or 'stream', not both", at: JSONPointer(["stream"]), part: .key)
    }
    if let maximum, let seconds, maximum < seconds {
      throw Diagnostic(
        .outOfRange, "'maximum' is \(maximum.shortText); expected 'seconds', which is \(seconds.shortText), or more",
        at: JSONPointer(["maximum"]))
    }
    let needing: [(String, Bool, String, Bool)] = [
      ("factor", factor != nil, "seconds", seconds != nil), ("maximum", maximum != nil, "seconds", seconds != nil),
      ("jitter", jitter != nil, "seconds", seconds != nil), ("seed", seed != nil, "jitter", jitter != nil),
    ]
    for (field, isThere, needed, isNeededThere) in needing where isThere && !isNeededThere {
      throw Diagnostic(
        .missingField, "'\(field)' has no effect without '\(needed)'", at: JSONPointer([field]), part: .key,
        help: "add \"\(needed)\", or remove '\(field)'")
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let condition = try expression.map { expression throws(Diagnostics) in
      try context.plan(
        expression, field: "expression", over: [Variable("error", .dyn), Variable("attempt", .int)], result: .bool)
    }
    let backoff = seconds.map {
      Backoff(
        seconds: $0, factor: factor ?? Self.defaultFactor, maximum: maximum ?? Backoff.longest,
        jitter: jitter ?? Self.defaultJitter)
    }
    return ResubscribeMachine(
      "retry", after: .failure, count: count, condition: condition,
      pause: stream != nil ? .stream : backoff.map { .time($0) } ?? .none, seed: seed ?? Self.defaultSeed,
      resetsOnValue: resetOnValue ?? Self.defaultResetOnValue)
  }
}

extension Operator.Retry {
  package static var exercise: Exercise { .failure }

  private static let defaultFactor = 1.0
  private static let defaultJitter = 0.0
  private static let defaultSeed = 0
  private static let defaultResetOnValue = false

  public static let spec = OperatorSpec(
    "retry", "Subscribes to upstream again when it fails.",
    fields: [
      .optional(
        "count", .count(0 ... .max), "Maximum number of attempts after the first run. By default there is no limit."),
      .optional(
        "expression", .expression(["error", "attempt"]),
        "Returns whether to try again. `error` is the failure; `attempt` is 1 for the first new attempt."),
      .optional(
        "seconds", .seconds(0...Backoff.longest),
        "Wait before the first new attempt. By default there is none."),
      .optional(
        "factor", .number(1...1_000_000), "Ratio of each wait to the previous one (exponential back-off).",
        default: .of(defaultFactor)),
      .optional(
        "maximum", .seconds(0...Backoff.longest), "Longest wait. By default one year."),
      .optional(
        "jitter", .number(0...1), "Fraction of the wait that is added or subtracted at random.",
        default: .of(defaultJitter)),
      .optional(
        "seed", .count(.min ... .max), "Seed of the random numbers. The same seed gives the same waits.",
        default: .of(defaultSeed)),
      .optional(
        "resetOnValue", .bool, "Whether a value resets the number of attempts and the wait.",
        default: .of(defaultResetOnValue)
      ),
      .optional(
        "stream", .stream,
        "Started for each failure, instead of a wait: its first value starts the new attempt. Its expressions "
          + "see `error` and `attempt`. If it ends without a value, the whole stream ends."),
    ],
    rules: [
      .atMostOne(["seconds", "stream"]), .needs("factor", ["seconds"]), .needs("maximum", ["seconds"]),
      .needs("jitter", ["seconds"]), .needs("seed", ["jitter"]),
    ],
    examples: [
      .marbles("a hot stream fails again at once", #"{"retry": {"count": 2}}"#, in: "-a-#", out: "-a-#"),
      .marbles(
        "exponential back-off with a maximum",
        #"{"retry": {"count": 3, "seconds": 0.001, "factor": 3, "maximum": 0.005}}"#, in: "-#", out: "----------#"),
      .marbles(
        "another attempt depends on the error",
        #"{"retry": {"expression": "attempt < 3 && error != 'error'", "seconds": 1}}"#, in: "-a-#",
        out: "-a-#"),
      .joins(
        "another stream starts each attempt, until it ends", #"{"retry": {"stream": "b"}}"#, in: ["-#", "--x--|"],
        out: "-----|"),
      .marbles("no failure", #"{"retry": {"count": 1}}"#, in: "-a-|", out: "-a-|"),
      .rejects("a negative number of attempts", #"{"retry": {"count": -1}}"#, .outOfRange, at: "/retry/count"),
      .rejects("a factor without a wait", #"{"retry": {"factor": 2}}"#, .missingField, at: "/retry/factor"),
      .rejects(
        "a wait and a stream", #"{"retry": {"seconds": 1, "stream": "b"}}"#, .conflictingFields, at: "/retry/stream"),
    ])
}
