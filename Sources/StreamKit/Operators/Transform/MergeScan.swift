internal import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Starts a stream for each value that sees the last published value as `acc`, and publishes the values of all
  /// streams.
  ///
  /// The last published value is `acc` for streams started after it. The initial value itself is not published.
  ///
  /// - Memory: the last published value, and values that wait to start a stream, bounded by `limit`.
  /// - SeeAlso: `scan`, which accumulates with an expression.
  public struct MergeScan: OperatorDefinition {
    /// The first `acc`.
    public var initialValue: Value
    /// The stream to start for each value. Its expressions see the last published value as `acc`, the value as `outer`
    /// and its number, from 0, as `outerIndex`.
    public var stream: InnerStream
    /// Maximum number of streams that run at once. By default there is no limit. Only with the strategy `merge`. An
    /// integer, 1 or more.
    public var maxPublishers: Int?
    /// The streams that run: `merge` runs all; with `latest` a new value cancels the previous stream, like RxJS's
    /// `switchScan`. Default `merge`.
    public var strategy: Strategy?
    /// Maximum number of values of upstream that wait to start a stream. No more are requested: upstream is paused, or
    /// queues them. An integer from 1 to 100000000. Default `1024`.
    public var limit: Int?

    public init(
      initialValue: Value, stream: InnerStream, maxPublishers: Int? = nil, strategy: Strategy? = nil, limit: Int? = nil
    ) {
      self.initialValue = initialValue
      self.stream = stream
      self.maxPublishers = maxPublishers
      self.strategy = strategy
      self.limit = limit
    }

    public enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
      case merge, latest
    }
  }
}

extension Operator.MergeScan {
  public var joined: [JoinedStream] { [stream.joined(capturing: [.fixed("acc", .dyn)] + InnerStream.captures)] }

  public func validate() throws(Diagnostic) {
    try Operator.FlatMap.validate(maxPublishers, with: strategy?.rawValue)
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine(
      "mergeScan", strategy ?? Self.defaultStrategy == .latest ? .latest : .merge, maxPublishers: maxPublishers,
      limit: limit ?? Operator.FlatMap.defaultLimit,
      firstSlot: context.captured.count, accumulatingFrom: initialValue)
  }

  public static let fieldsOfState: Set<String> = ["initialValue"]

  private static let defaultStrategy = Strategy.merge

  public static let spec = OperatorSpec(
    "mergeScan",
    "Starts a stream for each value that sees the last published value as `acc`, and publishes the values of all "
      + "streams.",
    memory: .bounded("the last published value, and values that wait to start a stream", by: "limit"),
    fields: [
      .required("initialValue", .value, "The first `acc`."),
      .required(
        "stream", .stream,
        "The stream to start for each value. Its expressions see the last published value as `acc`, the value as "
          + "`outer` and its number, from 0, as `outerIndex`."),
      .maxPublishers,
      .optional(
        "strategy", .choice(["merge", "latest"]),
        "The streams that run: `merge` runs all; with `latest` a new value cancels the previous stream, like "
          + "RxJS's `switchScan`.", default: .of(defaultStrategy)),
      .waitingValues,
    ],
    rules: [.silent("maxPublishers", where: "strategy", is: ["latest"])],
    examples: [
      .marbles(
        "a running total",
        #"{"mergeScan": {"initialValue": 0, "stream": {"source": {"just": {"expression": "acc + outer"}}}}}"#,
        in: "-a-b-c|", out: "-a-c-f|", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "slow streams see the value at their start",
        #"""
        {"mergeScan": {"initialValue": "", "stream": {
          "source": {"just": {"expression": "acc + outer"}}, "operators": [{"delay": {"seconds": 0.003}}]}}}
        """#, in: "-a-b-c|", out: "----p-q-(r|)", values: ["p": "a", "q": "b", "r": "ac"]),
      .marbles(
        "only the newest stream",
        #"""
        {"mergeScan": {"initialValue": "", "strategy": "latest", "stream": {
          "source": {"just": {"expression": "acc + outer"}}, "operators": [{"delay": {"seconds": 0.003}}]}}}
        """#, in: "-ab---c--|", out: "-----b---(d|)", values: ["d": "bc"]),
      .rejects("no initial value", #"{"mergeScan": {"stream": "b"}}"#, .missingField, at: "/mergeScan"),
      .rejects(
        "a maximum for the strategy `latest`",
        #"{"mergeScan": {"initialValue": 0, "stream": "b", "strategy": "latest", "maxPublishers": 2}}"#,
        .conflictingFields, at: "/mergeScan/maxPublishers"),
    ])
}
