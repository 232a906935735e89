internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value, and publishes the values of all streams in order of arrival.
  ///
  /// Finishes when upstream and all inner streams have finished. A failure of any stream cancels the others, upstream
  /// too.
  ///
  /// - Memory: values that wait to start a stream, bounded by `limit`.
  public struct FlatMap: OperatorDefinition {
    /// The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as
    /// `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of streams that run at once. By default there is no limit. Only with the strategy `merge`. An
    /// integer, 1 or more.
    public var maxPublishers: Int?
    /// The streams that run: `merge` runs all, as Combine does; `concat` one after another, `latest` only the newest,
    /// `exhaust` drops values while a stream runs. Default `merge`.
    public var strategy: Strategy?
    /// Maximum number of values of upstream that wait to start a stream. No more are requested: upstream is paused, or
    /// queues them. An integer from 1 to 100000000. Default `1024`.
    public var limit: Int?

    public init(stream: InnerStream, maxPublishers: Int? = nil, strategy: Strategy? = nil, limit: Int? = nil) {
      self.stream = stream
      self.maxPublishers = maxPublishers
      self.strategy = strategy
      self.limit = limit
    }

    public enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
      /// All at once, or at most `maxPublishers`; further values wait.
      case merge
      /// One after another, in order.
      case concat
      /// The newest one; a new value cancels the previous stream.
      case latest
      /// The first one; values are dropped while it runs.
      case exhaust
    }
  }
}

extension Operator.FlatMap {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func validate() throws(Diagnostic) {
    try Self.validate(maxPublishers, with: strategy?.rawValue)
  }

  static func validate(_ maxPublishers: Int?, with strategy: String?) throws(Diagnostic) {
    guard maxPublishers != nil, let strategy, strategy != Strategy.merge.rawValue else { return }
    throw Diagnostic(
      .conflictingFields, "'maxPublishers' requires the strategy \"merge\"; found \"\(strategy)\"",
      at: JSONPointer(["maxPublishers"]), part: .key, help: "remove one of them")
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine(
      "flatMap", strategy ?? Self.defaultStrategy, maxPublishers: maxPublishers,
      limit: limit ?? Self.defaultLimit, firstSlot: context.captured.count)
  }

  public static let fieldsOfState: Set<String> = ["strategy"]
}

extension FieldSpec {
  /// The stream to start for each value.
  static let innerStream = FieldSpec.required(
    "stream", .stream,
    "The stream to start for each value. Its expressions see the value as `outer` and its number, from 0, as "
      + "`outerIndex`.")

  static let maxPublishers = FieldSpec.optional(
    "maxPublishers", .count(1 ... .max),
    "Maximum number of streams that run at once. By default there is no limit. Only with the strategy `merge`.")

  static let waitingValues = FieldSpec.optional(
    "limit", .count(1...100_000_000),
    "Maximum number of values of upstream that wait to start a stream. No more are requested: upstream is paused, or "
      + "queues them.",
    default: .of(Operator.FlatMap.defaultLimit))
}

extension Operator.FlatMap {
  private static let defaultStrategy = Strategy.merge
  static let defaultLimit = 1_024

  public static let spec = OperatorSpec(
    "flatMap", "Starts a stream for each value, and publishes the values of all streams in order of arrival.",
    memory: .bounded("values that wait to start a stream", by: "limit"),
    fields: [
      .innerStream,
      .maxPublishers,
      .optional(
        "strategy", .choice(["merge", "concat", "latest", "exhaust"]),
        "The streams that run: `merge` runs all, as Combine does; `concat` one after another, `latest` only the "
          + "newest, `exhaust` drops values while a stream runs.",
        default: .of(defaultStrategy)),
      .waitingValues,
    ],
    rules: [.silent("maxPublishers", where: "strategy", is: ["concat", "latest", "exhaust"])],
    examples: [
      .marbles(
        "two concurrent streams", #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}}}"#,
        in: "-a-b-|", out: "-x-[yx]-[zy]-z|"),
      .marbles(
        "one after another",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "maxPublishers": 1}}"#,
        in: "-(ab|)", out: "-x-yx-y|"),
      .marbles(
        "the same with the strategy `concat`",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "strategy": "concat"}}"#,
        in: "-(ab|)", out: "-x-yx-y|"),
      .marbles(
        "only the newest stream",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}, "strategy": "latest"}}"#,
        in: "-a--b-|", out: "-x-yx-y-z|"),
      .marbles(
        "the first stream until it finishes",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "strategy": "exhaust"}}"#,
        in: "-ab--c|", out: "-x-y-x-y|"),
      .marbles(
        "a stream that fails", #"{"flatMap": {"stream": {"source": {"fail": {"error": "error"}}}}}"#, in: "-a-b|",
        out: "-#"),
      .marbles(
        "streams that use their value",
        #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer * 10 + outerIndex"}}}}}"#, in: "-a-b|",
        out: "-x-y|", values: ["a": 1, "b": 2, "x": 10, "y": 21]),
      .marbles(
        "nested streams",
        #"""
        {"flatMap": {"stream": {
          "source": {"marbles": {"diagram": "x-y|"}},
          "operators": [{"flatMap": {"stream": {"source": {"just": {"expression": "outer + string(outerIndex)"}}}}},
                        {"map": {"expression": "value + string(outer)"}}]}}}
        """#, in: "-a-b|", out: "-p-[qr]-s|",
        values: ["a": 1, "b": 2, "p": "x01", "q": "y11", "r": "x02", "s": "y12"]),
      .rejects("no stream", #"{"flatMap": {}}"#, .missingField, at: "/flatMap"),
      .rejects(
        "a maximum for the strategy `latest`",
        #"{"flatMap": {"stream": "b", "strategy": "latest", "maxPublishers": 2}}"#,
        .conflictingFields, at: "/flatMap/maxPublishers"),
    ])
}
