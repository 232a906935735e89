internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Subscribes to upstream again when it finishes.
  ///
  /// A failure ends the stream.
  ///
  /// - Time: one timer, with `seconds`.
  /// - Failure: `S409` after 10,000 runs at one instant without a value.
  /// - SeeAlso: `retry`, which subscribes again after a failure.
  public struct Repeat: OperatorDefinition, ExercisedFields {
    /// Total number of runs; 0 finishes at once. By default there is no limit. An integer, 0 or more.
    public var count: Int?
    /// Pause between two runs. By default there is none. A number of seconds from 0 to 31536000.
    public var seconds: Double?
    /// Started between two runs, instead of a pause: its first value starts the next run. Its expressions see the
    /// number of finished runs as `attempt`. If it ends without a value, the whole stream ends.
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

  package static var exercise: Exercise { .finish }

  public static let spec = OperatorSpec(
    "repeat", "Subscribes to upstream again when it finishes.",
    fields: [
      .optional("count", .count(0 ... .max), "Total number of runs; 0 finishes at once. By default there is no limit."),
      .optional(
        "seconds", .seconds(0...Backoff.longest), "Pause between two runs. By default there is none."
      ),
      .optional(
        "stream", .stream,
        "Started between two runs, instead of a pause: its first value starts the next run. Its expressions see "
          + "the number of finished runs as `attempt`. If it ends without a value, the whole stream ends."),
    ],
    rules: [.atMostOne(["seconds", "stream"])],
    examples: [
      .marbles("a hot stream publishes nothing more", #"{"repeat": {"count": 3}}"#, in: "-a-|", out: "-a-|"),
      .marbles("with pauses", #"{"repeat": {"count": 3, "seconds": 0.002}}"#, in: "-a-|", out: "-a-----|"),
      .joins(
        "another stream starts each run, until it ends", #"{"repeat": {"stream": "b"}}"#, in: ["-a|", "---x--|"],
        out: "-a----|"),
      .marbles("no run", #"{"repeat": {"count": 0}}"#, in: "-a-|", out: "|"),
      .marbles("a failure ends the stream", #"{"repeat": {"count": 3}}"#, in: "-a-#", out: "-a-#"),
      .rejects("a negative number of runs", #"{"repeat": {"count": -1}}"#, .outOfRange, at: "/repeat/count"),
      .rejects(
        "a pause and a stream", #"{"repeat": {"seconds": 1, "stream": "b"}}"#, .conflictingFields, at: "/repeat/stream"),
    ])
}
