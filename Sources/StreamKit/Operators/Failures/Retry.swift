public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to upstream again when it has failed.
  ///
  /// Values that were published stay. The last failure goes on when there are no more attempts.
  ///
  /// - Time: one timer, with `seconds`.
  /// - Failure: `S409` after 10,000 attempts at one instant without a value.
  /// - SeeAlso: `catch`, which goes on with another stream; `repeat`, for what has finished.
  public struct Retry: OperatorDefinition {
    /// How many further attempts, 0 or more. Without it any number.
    public var count: Int?
    /// Says whether there is another attempt. Variables: `error`; `attempt`, 1 for the first.
    public var expression: CELExpression?
    /// What is waited for before the first attempt, in seconds. Without it nothing.
    public var seconds: Double?
    /// How many times longer is waited before each next attempt, 1 or more. Default 1.
    public var factor: Double?
    /// The longest that is waited, in seconds. Default a year.
    public var maximum: Double?
    /// The part of the time, 0 to 1, that is added or taken away at random. Default 0.
    public var jitter: Double?
    /// What the random numbers begin with: the same seed gives the same times. Default 0.
    public var seed: Int?
    /// Whether a value makes the count and the time begin anew. Default false.
    public var resetOnValue: Bool?
    /// A stream, started for each failure, whose first value makes the attempt, in place of a time. Its expressions know
    /// `error` and `attempt`. If it ends without a value, the whole ends so.
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
        .outOfRange, "'maximum' is \(maximum.shortText); expected \(seconds.shortText), which is 'seconds', or more",
        at: JSONPointer(["maximum"]))
    }
    let needing: [(String, Bool, String, Bool)] = [
      ("factor", factor != nil, "seconds", seconds != nil), ("maximum", maximum != nil, "seconds", seconds != nil),
      ("jitter", jitter != nil, "seconds", seconds != nil), ("seed", seed != nil, "jitter", jitter != nil),
    ]
    for (field, isThere, needed, isNeededThere) in needing where isThere && !isNeededThere {
      throw Diagnostic(
        .missingField, "'\(field)' says nothing without '\(needed)'", at: JSONPointer([field]), part: .key,
        help: "add \"\(needed)\", or leave '\(field)' out")
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let condition = try expression.map { expression throws(Diagnostics) in
      try context.plan(
        expression, field: "expression", over: [Variable("error", .dyn), Variable("attempt", .int)], result: .bool)
    }
    let backoff = seconds.map {
      Backoff(seconds: $0, factor: factor ?? 1, maximum: maximum ?? Backoff.longest, jitter: jitter ?? 0)
    }
    return ResubscribeMachine(
      "retry", after: .failure, count: count, condition: condition,
      pause: stream != nil ? .stream : backoff.map { .time($0) } ?? .none, seed: seed ?? 0,
      resetsOnValue: resetOnValue ?? false)
  }
}

extension Operator.Retry {
  public static var exercise: Exercise { .failure }

  public static let spec = OperatorSpec(
    "retry", "Subscribes to upstream again when it has failed.",
    fields: [
      .optional("count", .count(0 ... .max), "How many further attempts, 0 or more. Without it any number."),
      .optional("expression", .expression(["error", "attempt"]), "Says whether there is another attempt."),
      .optional(
        "seconds", .seconds(0...Backoff.longest),
        "What is waited for before the first attempt, in seconds. Without it nothing."),
      .optional(
        "factor", .number(1...1_000_000), "How many times longer is waited before each next attempt. Default 1.",
        default: 1),
      .optional(
        "maximum", .seconds(0...Backoff.longest), "The longest that is waited, in seconds. Default a year."),
      .optional(
        "jitter", .number(0...1), "The part of the time that is added or taken away at random. Default 0.", default: 0),
      .optional("seed", .count(.min ... .max), "What the random numbers begin with. Default 0.", default: 0),
      .optional(
        "resetOnValue", .bool, "Whether a value makes the count and the time begin anew. Default false.", default: false
      ),
      .optional(
        "stream", .stream,
        "Started for each failure: its first value makes the attempt. It knows `error` and `attempt`."),
    ],
    rules: [
      .atMostOne(["seconds", "stream"]), .needs("factor", ["seconds"]), .needs("maximum", ["seconds"]),
      .needs("jitter", ["seconds"]), .needs("seed", ["jitter"]),
    ],
    examples: [
      .marbles("a hot stream fails at once again", #"{"retry": {"count": 2}}"#, in: "-a-#", out: "-a-#"),
      .marbles(
        "longer and longer, to a bound",
        #"{"retry": {"count": 3, "seconds": 0.001, "factor": 3, "maximum": 0.005}}"#, in: "-#", out: "----------#"),
      .marbles(
        "if there is hope", #"{"retry": {"expression": "attempt < 3 && error != 'error'", "seconds": 1}}"#, in: "-a-#",
        out: "-a-#"),
      .joins(
        "when another stream says so, and until it ends", #"{"retry": {"stream": "b"}}"#, in: ["-#", "--x--|"],
        out: "-----|"),
      .marbles("no failure", #"{"retry": {"count": 1}}"#, in: "-a-|", out: "-a-|"),
      .rejects("less than none", #"{"retry": {"count": -1}}"#, .outOfRange, at: "/retry/count"),
      .rejects("a factor of nothing", #"{"retry": {"factor": 2}}"#, .missingField, at: "/retry/factor"),
      .rejects(
        "a time and a stream", #"{"retry": {"seconds": 1, "stream": "b"}}"#, .conflictingFields, at: "/retry/stream"),
    ])
}
