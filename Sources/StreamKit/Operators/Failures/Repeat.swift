internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to upstream again when it has finished.
  ///
  /// A failure ends it.
  ///
  /// - Time: one timer, with `seconds`.
  /// - Failure: `S409` after 10,000 runs at one instant without a value.
  /// - SeeAlso: `retry`, for what has failed.
  public struct Repeat: OperatorDefinition {
    /// How many runs in all, 0 or more: 0 finishes at once. Without it any number.
    public var count: Int?
    /// What is waited for between two runs, in seconds. Without it nothing.
    public var seconds: Double?
    /// A stream, started between two runs, whose first value begins the next, in place of a time. Its expressions know as
    /// `attempt` how many runs there were. If it ends without a value, the whole ends so.
    public var stream: InnerStream?

    public init(count: Int? = nil, seconds: Double? = nil, stream: InnerStream? = nil) {
      self.count = count
      self.seconds = seconds
      self.stream = stream
    }
  }
}

extension Operator.Repeat {
  public var joined: [JoinedStream] { stream.map { [$0.joined(capturing: [.fixed("attempt", .int)])] } ?? [] }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let wait = seconds.map { Backoff(seconds: $0, factor: 1, maximum: Backoff.longest, jitter: 0) }
    return ResubscribeMachine(
      "repeat", after: .finish, count: count.map { $0 - 1 },
      pause: stream != nil ? .stream : wait.map { .time($0) } ?? .none)
  }

  public static var exercise: Exercise { .finish }

  public static let spec = OperatorSpec(
    "repeat", "Subscribes to upstream again when it has finished.",
    fields: [
      .optional("count", .count(0 ... .max), "How many runs in all; 0 finishes at once. Without it any number."),
      .optional(
        "seconds", .seconds(0...Backoff.longest), "What is waited for between two runs, in seconds. Without it nothing."
      ),
      .optional(
        "stream", .stream, "Started between two runs: its first value begins the next. It knows `attempt`."),
    ],
    rules: [.atMostOne(["seconds", "stream"])],
    examples: [
      .marbles("a hot stream has nothing more to say", #"{"repeat": {"count": 3}}"#, in: "-a-|", out: "-a-|"),
      .marbles("with pauses", #"{"repeat": {"count": 3, "seconds": 0.002}}"#, in: "-a-|", out: "-a-----|"),
      .joins(
        "when another stream says so, and until it ends", #"{"repeat": {"stream": "b"}}"#, in: ["-a|", "---x--|"],
        out: "-a----|"),
      .marbles("no run", #"{"repeat": {"count": 0}}"#, in: "-a-|", out: "|"),
      .marbles("a failure ends it", #"{"repeat": {"count": 3}}"#, in: "-a-#", out: "-a-#"),
      .rejects("less than none", #"{"repeat": {"count": -1}}"#, .outOfRange, at: "/repeat/count"),
      .rejects(
        "a time and a stream", #"{"repeat": {"seconds": 1, "stream": "b"}}"#, .conflictingFields, at: "/repeat/stream"),
    ])
}
