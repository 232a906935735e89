internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to upstream once for all who subscribe to this stream.
  ///
  /// Whoever comes later misses what came before, unless it is replayed, and hears the end if that has been. A value
  /// that a subscriber has not asked for is lost to it. A stream is subscribed to more than once where several places
  /// name it (`streams`); the one at the end of a file has one subscriber.
  ///
  /// - Order: the first subscriber connects; the last to leave disconnects; values go to subscribers in the order in
  ///   which they came.
  /// - Memory: the newest values as far as they are replayed.
  public struct Share: OperatorFields {
    /// How many of the newest values a new subscriber is given first. Default 0.
    public var replay: Int?
    /// For how long a value is given to new subscribers, in seconds. Default for ever.
    public var replaySeconds: Double?
    /// What a subscriber is given before the first value has come; with it at least the newest value is replayed.
    public var initialValue: Value?
    /// Whether a subscriber that comes after the end begins anew, or a stream with whose first value that is so. Default
    /// false, as Combine; RxJS true.
    public var resetOnFinish: Reset?
    /// Whether a subscriber that comes after a failure begins anew, or a stream with whose first value that is so.
    /// Default false, as Combine; RxJS true.
    public var resetOnFailure: Reset?
    /// Whether what is replayed is forgotten when the last subscriber leaves, or a stream with whose first value it is
    /// forgotten, and until which upstream goes on. Default false, as Combine; RxJS true.
    public var resetWhenUnused: Reset?
    /// Whether upstream goes on when the last subscriber leaves. Default false.
    public var staysConnected: Bool?
    /// How many subscribers it takes until upstream is subscribed to, 1 or more. Default 1.
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

    /// When a shared stream begins anew.
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
  /// The streams that reset it, by field, in the order of the upstreams from 1 on.
  private var resets: [(field: String, stream: InnerStream)] {
    [("resetOnFinish", resetOnFinish), ("resetOnFailure", resetOnFailure), ("resetWhenUnused", resetWhenUnused)]
      .compactMap { field, reset in if case .later(let stream)? = reset { (field, stream) } else { nil } }
  }

  public var joined: [JoinedStream] {
    resets.map { JoinedStream(reference: $0.stream.reference, pointer: JSONPointer([$0.field])) }
  }

  private func reset(_ field: String, _ reset: Reset?) -> Sharing.Reset {
    switch reset {
    case nil, .atOnce(false)?: .never
    case .atOnce(true)?: .atOnce
    case .later?: resets.firstIndex { $0.field == field }.map { .later(upstream: $0 + 1) } ?? .never
    }
  }

  public func validate() throws(Diagnostic) {
    if replaySeconds != nil, replay == nil, initialValue == nil {
      throw Diagnostic(
        .missingField, "'replaySeconds' bounds what is replayed, and nothing is: 'replay' is missing",
        help: "add \"replay\", an integer")
    }
  }

  public func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let sharing = Sharing(
      replay: replay ?? 0, replayInterval: replaySeconds.map(Interval.init(seconds:)), initialValue: initialValue,
      resetOnFinish: reset("resetOnFinish", resetOnFinish), resetOnFailure: reset("resetOnFailure", resetOnFailure),
      resetWhenUnused: reset("resetWhenUnused", resetWhenUnused), staysConnected: staysConnected ?? false,
      subscribersToConnect: subscribers ?? 1)
    if let initialValue { context.outputType = context.inputType.joined(with: .of(initialValue)) }
    return .shared(
      place.upstreams, sharing, number: context.takeSharedNumber(), pointer: place.pointer,
      frameDepth: place.frameDepth)
  }
}

extension Operator.Share {
  public static let spec = OperatorSpec(
    "share", "Subscribes to upstream once for all who subscribe to this stream.",
    memory: .bounded("the newest values, for later subscribers", by: "replay"),
    fields: [
      .optional(
        "replay", .count(0...1_000_000), "How many of the newest values a new subscriber is given first. Default 0.",
        default: 0),
      .optional(
        "replaySeconds", .seconds(0...31_536_000),
        "For how long a value is given to new subscribers, in seconds. Default for ever."),
      .optional(
        "initialValue", .value,
        "What a subscriber is given before the first value has come; with it at least the newest value is replayed."),
      .optional(
        "resetOnFinish", .boolOrStream,
        "Whether a subscriber that comes after the end begins anew, or a stream with whose first value that is so. Default "
          + "false, as Combine; RxJS true.", default: false),
      .optional(
        "resetOnFailure", .boolOrStream,
        "Whether a subscriber that comes after a failure begins anew, or a stream with whose first value that is so. "
          + "Default false, as Combine; RxJS true.", default: false),
      .optional(
        "resetWhenUnused", .boolOrStream,
        "Whether what is replayed is forgotten when the last subscriber leaves, or a stream with whose first value it "
          + "is forgotten, and until which upstream goes on. Default false, as Combine; RxJS true.", default: false),
      .optional(
        "staysConnected", .bool, "Whether upstream goes on when the last subscriber leaves. Default false.",
        default: false),
      .optional(
        "subscribers", .count(1...1_000_000),
        "How many subscribers it takes until upstream is subscribed to, 1 or more. Default 1.", default: 1),
    ],
    rules: [.needs("replaySeconds", ["replay", "initialValue"])],
    examples: [
      .marbles("one subscriber", #"{"share": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure", #"{"share": {"replay": 1}}"#, in: "-a-#", out: "-a-#"),
      .marbles(
        "something to begin with", #"{"share": {"initialValue": "x"}}"#, in: "-a-b|", out: "xa-b|",
        values: [:]),
      .marbles(
        "streams that say when it begins anew",
        #"""
        {"share": {"replay": 1, "resetOnFinish": {"source": {"just": {"value": 1}}},
          "resetOnFailure": {"source": {"just": {"value": 1}}}, "resetWhenUnused": {"source": {"just": {"value": 1}}}}}
        """#, in: "-a-b|", out: "-a-b|"),
      .rejects("half a subscriber", #"{"share": {"subscribers": 0}}"#, .outOfRange, at: "/share/subscribers"),
      .rejects(
        "a time for nothing", #"{"share": {"replaySeconds": 1}}"#, .missingField, at: "/share"),
    ])
}
