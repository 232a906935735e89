internal import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Shares one subscription to upstream among all subscribers.
  ///
  /// A late subscriber misses earlier values, unless they are replayed, and receives the completion if upstream has
  /// ended. Values that a subscriber has not requested wait for it, up to 1,024; upstream is then paused. A named stream
  /// (`streams`) has one subscriber for each use of its name; the stream at the end of a file has one.
  ///
  /// - Order: the first subscriber connects and the last one to cancel disconnects. Values reach the subscribers in
  ///   order of subscription.
  /// - Memory: the newest values, for later subscribers, bounded by `replay`.
  /// - Failure: `S409` if a subscriber with 1,024 waiting values is never to request them, while another one needs more.
  public struct Share: NodeDefinition {
    /// Number of newest values replayed to a new subscriber. An integer from 0 to 1000000. Default `0`.
    public var replay: Int?
    /// Maximum age of a replayed value. By default there is none. A number of seconds from 0 to 31536000.
    public var replaySeconds: Double?
    /// Value published to subscribers before upstream's first value. It implies a `replay` of at least 1.
    public var initialValue: Value?
    /// Whether a subscriber after the finish starts a new subscription to upstream. A stream delays this until it
    /// emits. Combine never resets; RxJS does. Default `false`.
    public var resetOnFinish: Reset?
    /// Whether a subscriber after a failure starts a new subscription to upstream. A stream delays this until it emits.
    /// Combine never resets; RxJS does. Default `false`.
    public var resetOnFailure: Reset?
    /// Clears the replay buffer when the last subscriber cancels. A stream delays this, and the cancellation of
    /// upstream, until it emits. Combine never resets; RxJS does. Default `false`.
    public var resetWhenUnused: Reset?
    /// Whether the subscription to upstream is kept when the last subscriber cancels. Default `false`.
    public var staysConnected: Bool?
    /// Number of subscribers at which upstream is subscribed to; values are requested once that many have requested
    /// some. An integer from 1 to 1000000. Default `1`.
    public var subscribers: Int?

    public init(
      replay: Int? = nil, replaySeconds: Double? = nil, initialValue: Value? = nil, resetOnFinish: Reset? = nil,
      resetOnFailure: Reset? = nil, resetWhenUnused: Reset? = nil, staysConnected: Bool? = nil, subscribers: Int? = nil
    ) {
      self.replay = replay
      self.replaySeconds = replaySeconds
      self.initialValue = initialValue
      self.resetOnFinish = resetOnFinish
      self.resetOnFailure = resetOnFailure
      self.resetWhenUnused = resetWhenUnused
      self.staysConnected = staysConnected
      self.subscribers = subscribers
    }

    /// When a shared stream resets.
    public enum Reset: Hashable, Sendable, Codable {
      /// At once, or never.
      case atOnce(Bool)
      /// With the first value of a stream.
      case later(InnerStream)

      public init(from decoder: any Decoder) throws {
        if case .bool(let isAtOnce) = try decoder.singleValueContainer().decode(Value.self) {
          self = .atOnce(isAtOnce)
        } else {
          self = .later(try InnerStream(from: decoder))
        }
      }

      public func encode(to encoder: any Encoder) throws {
        switch self {
        case .atOnce(let isAtOnce):
          var container = encoder.singleValueContainer()
          try container.encode(isAtOnce)
        case .later(let stream): try stream.encode(to: encoder)
        }
      }
    }
  }
}

extension Operator.Share {
  /// The resetting streams, by field, in the order of the upstreams from 1 on.
  private var resets: [(field: String, stream: InnerStream)] {
    [("resetOnFinish", resetOnFinish), ("resetOnFailure", resetOnFailure), ("resetWhenUnused", resetWhenUnused)]
      .compactMap { field, reset in if case .later(let stream)? = reset { (field, stream) } else { nil } }
  }

  public var joined: [JoinedStream] {
    resets.map { JoinedStream(reference: $0.stream.reference, pointer: JSONPointer([$0.field])) }
  }

  private func reset(_ field: String, _ reset: Reset?) -> Sharing.Reset {
    switch reset ?? .atOnce(Self.defaultReset) {
    case .atOnce(false): .never
    case .atOnce(true): .atOnce
    case .later: resets.firstIndex { $0.field == field }.map { .later(upstream: $0 + 1) } ?? .never
    }
  }

  public func validate() throws(Diagnostic) {
    if replaySeconds != nil, replay == nil, initialValue == nil {
      throw Diagnostic(
        .missingField, "'replaySeconds' limits the age of replayed values, but 'replay' is missing",
        help: "add \"replay\", an integer")
    }
  }

  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let sharing = Sharing(
      replay: replay ?? Self.defaultReplay, replayInterval: replaySeconds.map(Interval.init(seconds:)),
      initialValue: initialValue,
      resetOnFinish: reset("resetOnFinish", resetOnFinish), resetOnFailure: reset("resetOnFailure", resetOnFailure),
      resetWhenUnused: reset("resetWhenUnused", resetWhenUnused),
      staysConnected: staysConnected ?? Self.defaultStaysConnected,
      subscribersToConnect: subscribers ?? Self.defaultSubscribers)
    if let initialValue { context.outputType = context.inputType.joined(with: .of(initialValue)) }
    return .shared(
      place.upstreams, sharing, number: context.takeSharedNumber(), pointer: place.pointer,
      frameDepth: place.frameDepth)
  }
}

extension Operator.Share {
  private static let defaultReset = false
  private static let defaultReplay = 0
  private static let defaultStaysConnected = false
  private static let defaultSubscribers = 1

  public static let spec = OperatorSpec(
    "share", "Shares one subscription to upstream among all subscribers.",
    memory: .bounded("the newest values, for later subscribers", by: "replay"),
    fields: [
      .optional(
        "replay", .count(0...1_000_000), "Number of newest values replayed to a new subscriber.",
        default: .of(defaultReplay)),
      .optional(
        "replaySeconds", .seconds(0...31_536_000),
        "Maximum age of a replayed value. By default there is none."),
      .optional(
        "initialValue", .value,
        "Value published to subscribers before upstream's first value. It implies a `replay` of at least 1."),
      .optional(
        "resetOnFinish", .boolOrStream,
        "Whether a subscriber after the finish starts a new subscription to upstream. A stream delays this until "
          + "it emits. Combine never resets; RxJS does.", default: .of(defaultReset)),
      .optional(
        "resetOnFailure", .boolOrStream,
        "Whether a subscriber after a failure starts a new subscription to upstream. A stream delays this until "
          + "it emits. Combine never resets; RxJS does.", default: .of(defaultReset)),
      .optional(
        "resetWhenUnused", .boolOrStream,
        "Clears the replay buffer when the last subscriber cancels. A stream delays this, and the cancellation "
          + "of upstream, until it emits. Combine never resets; RxJS does.", default: .of(defaultReset)),
      .optional(
        "staysConnected", .bool, "Whether the subscription to upstream is kept when the last subscriber cancels.",
        default: .of(defaultStaysConnected)),
      .optional(
        "subscribers", .count(1...1_000_000),
        "Number of subscribers at which upstream is subscribed to; values are requested once that many have requested "
          + "some.", default: .of(defaultSubscribers)),
    ],
    rules: [.needs("replaySeconds", ["replay", "initialValue"])],
    examples: [
      .marbles("one subscriber", #"{"share": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure", #"{"share": {"replay": 1}}"#, in: "-a-#", out: "-a-#"),
      .marbles(
        "an initial value", #"{"share": {"initialValue": "x"}}"#, in: "-a-b|", out: "xa-b|",
        values: [:]),
      .marbles(
        "streams that time the reset",
        #"""
        {"share": {"replay": 1, "resetOnFinish": {"source": {"just": {"value": 1}}},
          "resetOnFailure": {"source": {"just": {"value": 1}}}, "resetWhenUnused": {"source": {"just": {"value": 1}}}}}
        """#, in: "-a-b|", out: "-a-b|"),
      .rejects("no subscriber", #"{"share": {"subscribers": 0}}"#, .outOfRange, at: "/share/subscribers"),
      .rejects(
        "a maximum age without a replay", #"{"share": {"replaySeconds": 1}}"#, .missingField, at: "/share"),
    ])
}
