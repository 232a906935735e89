package import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes at most one value per interval.
  ///
  /// A published value starts an interval. At its end the newest value received meanwhile is published, which starts
  /// the next interval. A value at the instant of the end belongs to the interval. A value without demand waits.
  ///
  /// - Order: with `seconds` and both edges, values and the completion are delivered by the scheduler, as in Combine:
  ///   at the same instant, after its other events; the completion follows the pending value. Otherwise, as in RxJS,
  ///   values are published at once, a finish waits only for a pending value, and a failure does not wait.
  /// - Time: one timer.
  /// - Memory: the pending value, and values that downstream has not requested, at most 1,024.
  /// - Failure: `S409` for more of them.
  /// - SeeAlso: `debounce`, which waits for silence; `audit`, which publishes only at the end of an interval.
  public struct Throttle: NodeDefinition {
    /// Length of the interval. A number of seconds from 1e-06 to 31536000.
    public var seconds: Double?
    /// Started with the value that starts an interval, instead of `seconds`: its first value ends the interval. Its
    /// expressions see the value as `outer` and its number, from 0, as `outerIndex`. If it finishes without a value,
    /// nothing is published.
    public var stream: InnerStream?
    /// Whether the newest value of an interval is published at its end, or the first. Default `true`.
    public var latest: Bool?
    /// Edges of an interval at which values are published: `both`, as in Combine; `leading`, RxJS's default, drops
    /// values during the interval; `trailing` publishes only at the end of an interval, which any value starts. Default
    /// `both`.
    public var edges: Edges?

    public init(seconds: Double? = nil, stream: InnerStream? = nil, latest: Bool? = nil, edges: Edges? = nil) {
      self.seconds = seconds
      self.stream = stream
      self.latest = latest
      self.edges = edges
    }

    public enum Edges: String, Hashable, Sendable, Codable, CaseIterable {
      case both, leading, trailing
    }
  }
}

extension Operator.Throttle {
  public var joined: [JoinedStream] { stream?.spans ?? [] }

  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let edges = edges ?? Self.defaultEdges
    let isLatest = latest ?? Self.defaultLatest
    if let seconds, edges == .both {
      return place.node(running: ThrottleMachine(interval: Interval(seconds: seconds), isLatest: isLatest))
    }
    return place.node(
      running: EdgeThrottleMachine(
        span: GatePeriod(seconds: seconds), isLeading: edges != .trailing, isTrailing: edges != .leading,
        isLatest: isLatest))
  }
}

/// Combine's `throttle`, which delivers everything by the scheduler.
private struct ThrottleMachine: UnpausedMachine {
  static let name = "throttle"

  struct State: UnpausedState {
    var waiting: Value?
    var isScheduled = false
    /// The time of the last published value.
    var last: StreamTime?
    var ending: Completion?
    var demand = Demand.none
    var unrequested: UnrequestedValues?
  }

  let interval: Interval
  let isLatest: Bool
  var state = State()

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    guard !state.isScheduled else {
      if isLatest { state.waiting = value }
      return
    }
    state.waiting = value
    state.isScheduled = true
    effects.setTimer(0, at: max(effects.now, state.last.map { $0 + interval } ?? .zero))
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    state.ending = completion
    if !state.isScheduled { effects.setTimer(0, at: effects.now) }
    state.isScheduled = true
  }

  mutating func fire(_ timer: Int, _ effects: Effects) throws(StreamFailure) {
    state.isScheduled = false
    if let waiting = state.waiting {
      state.waiting = nil
      state.last = effects.now
      try publish(waiting, effects)
    }
    if let ending = state.ending { complete(ending, effects) }
  }
}

extension Operator.Throttle {
  public var stateForm: String { seconds != nil && edges ?? Self.defaultEdges == .both ? "scheduled" : "edges" }

  private static let defaultLatest = true
  private static let defaultEdges = Edges.both

  public static let spec = OperatorSpec(
    "throttle", "Publishes at most one value per interval.",
    memory: .constant("the pending value, and values that downstream has not requested, at most 1,024"),
    fields: [
      .optional("seconds", .seconds(1e-6...31_536_000), "Length of the interval."),
      .optional(
        "stream", .stream,
        "Started with the value that starts an interval, instead of `seconds`: its first value ends the "
          + "interval. Its expressions see the value as `outer` and its number, from 0, as `outerIndex`. If it "
          + "finishes without a value, nothing is published."),
      .optional(
        "latest", .bool,
        "Whether the newest value of an interval is published at its end, or the first.", default: .of(defaultLatest)),
      .optional(
        "edges", .choice(["both", "leading", "trailing"]),
        "Edges of an interval at which values are published: `both`, as in Combine; `leading`, RxJS's default, "
          + "drops values during the interval; `trailing` publishes only at the end of an interval, which any value "
          + "starts.", default: .of(defaultEdges)),
    ],
    rules: [.one(["seconds", "stream"]), .silent("latest", where: "edges", is: ["leading"])],
    examples: [
      .marbles(
        "the newest value, every four milliseconds", #"{"throttle": {"seconds": 0.004}}"#, in: "abcdefg-----h---|",
        out: "a---e---g---h---|"),
      .marbles(
        "the first value of each interval", #"{"throttle": {"seconds": 0.004, "latest": false}}"#,
        in: "abcdefg-----h---|",
        out: "a---b---f---h---|"),
      .marbles(
        "a finish waits for the pending value", #"{"throttle": {"seconds": 0.004}}"#, in: "ab|", out: "a---(b|)"),
      .marbles(
        "a failure waits, too", #"{"throttle": {"seconds": 0.004}}"#, in: "ab#", out: "a---(b#)"),
      .marbles(
        "only at the start of an interval", #"{"throttle": {"seconds": 0.004, "edges": "leading"}}"#, in: "abcdefg-h|",
        out: "a----f---|"),
      .marbles(
        "only at the end of an interval", #"{"throttle": {"seconds": 0.004, "edges": "trailing"}}"#, in: "ab----cd|",
        out: "----b---(d|)"),
      .marbles(
        "until a stream publishes",
        #"{"throttle": {"stream": {"source": {"timer": {"every": 0.003}}}, "edges": "leading"}}"#, in: "-ab---c|",
        out: "-a----c|"),
      .marbles(
        "a stream that fails", #"{"throttle": {"stream": {"source": {"marbles": {"diagram": "--#"}}}}}"#,
        in: "-a---|", out: "-a-#"),
      .rejects("an interval of zero", #"{"throttle": {"seconds": 0}}"#, .outOfRange, at: "/throttle/seconds"),
      .rejects("no interval", #"{"throttle": {"latest": true}}"#, .missingField, at: "/throttle"),
      .rejects(
        "a time and a stream", #"{"throttle": {"seconds": 1, "stream": "b"}}"#, .conflictingFields,
        at: "/throttle/stream"
      ),
      .rejects(
        "a field without effect", #"{"throttle": {"seconds": 1, "latest": false, "edges": "leading"}}"#,
        .conflictingFields, at: "/throttle/latest"),
    ])
}
