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
    /// Whether a subscriber that comes after the end begins anew. Default false, as Combine; RxJS true.
    public var resetOnFinish: Bool?
    /// Whether a subscriber that comes after a failure begins anew. Default false, as Combine; RxJS true.
    public var resetOnFailure: Bool?
    /// Whether what is replayed is forgotten when the last subscriber leaves. Default false, as Combine; RxJS true.
    public var resetWhenUnused: Bool?
    /// Whether upstream goes on when the last subscriber leaves. Default false.
    public var staysConnected: Bool?
    /// How many subscribers it takes until upstream is subscribed to, 1 or more. Default 1.
    public var subscribers: Int?
  }
}

extension Operator.Share {
  private enum CodingKeys: String, CodingKey {
    case replay, replaySeconds, initialValue, resetOnFinish, resetOnFailure, resetWhenUnused, staysConnected
    case subscribers
  }

  /// NB: written out, since `null` is an initial value and not the lack of one.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    replay = try container.decodeIfPresent(Int.self, forKey: .replay)
    replaySeconds = try container.decodeIfPresent(Double.self, forKey: .replaySeconds)
    initialValue =
      container.contains(.initialValue) ? try container.decode(Value.self, forKey: .initialValue) : nil
    resetOnFinish = try container.decodeIfPresent(Bool.self, forKey: .resetOnFinish)
    resetOnFailure = try container.decodeIfPresent(Bool.self, forKey: .resetOnFailure)
    resetWhenUnused = try container.decodeIfPresent(Bool.self, forKey: .resetWhenUnused)
    staysConnected = try container.decodeIfPresent(Bool.self, forKey: .staysConnected)
    subscribers = try container.decodeIfPresent(Int.self, forKey: .subscribers)
  }

  public func validate() throws(Diagnostic) {
    if replaySeconds != nil, replay == nil, initialValue == nil {
      throw Diagnostic(
        .missingField, "'replaySeconds' bounds what is replayed, and nothing is: 'replay' is missing",
        help: "add \"replay\", a whole number")
    }
  }

  public func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let sharing = Sharing(
      replay: replay ?? 0, replayInterval: replaySeconds.map(Interval.init(seconds:)), initialValue: initialValue,
      resetsOnFinish: resetOnFinish ?? false, resetsOnFailure: resetOnFailure ?? false,
      resetsWhenUnused: resetWhenUnused ?? false, staysConnected: staysConnected ?? false,
      subscribersToConnect: subscribers ?? 1)
    if let initialValue { context.outputType = context.inputType.joined(with: .of(initialValue)) }
    return .shared(
      place.upstreams[0], sharing, number: context.takeSharedNumber(), pointer: place.pointer,
      frameDepth: place.frameDepth)
  }
}

extension Operator.Share {
  public static let spec = OperatorSpec(
    "share", "Subscribes to upstream once for all who subscribe to this stream.",
    fields: [
      .optional(
        "replay", .count(0...1_000_000), "How many of the newest values a new subscriber is given first. Default 0."),
      .optional(
        "replaySeconds", .seconds(0...31_536_000),
        "For how long a value is given to new subscribers, in seconds. Default for ever."),
      .optional(
        "initialValue", .value,
        "What a subscriber is given before the first value has come; with it at least the newest value is replayed."),
      .optional(
        "resetOnFinish", .bool,
        "Whether a subscriber that comes after the end begins anew. Default false, as Combine; RxJS true."),
      .optional(
        "resetOnFailure", .bool,
        "Whether a subscriber that comes after a failure begins anew. Default false, as Combine; RxJS true."),
      .optional(
        "resetWhenUnused", .bool,
        "Whether what is replayed is forgotten when the last subscriber leaves. Default false, as Combine; RxJS true."),
      .optional("staysConnected", .bool, "Whether upstream goes on when the last subscriber leaves. Default false."),
      .optional(
        "subscribers", .count(1...1_000_000),
        "How many subscribers it takes until upstream is subscribed to, 1 or more. Default 1."),
    ],
    examples: [
      .marbles("one subscriber", #"{"share": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure", #"{"share": {"replay": 1}}"#, in: "-a-#", out: "-a-#"),
      .marbles(
        "something to begin with", #"{"share": {"initialValue": "x"}}"#, in: "-a-b|", out: "xa-b|",
        values: [:]),
      .rejects("half a subscriber", #"{"share": {"subscribers": 0}}"#, .outOfRange, at: "/share/subscribers"),
      .rejects(
        "a time for nothing", #"{"share": {"replaySeconds": 1}}"#, .missingField, at: "/share"),
    ])
}
