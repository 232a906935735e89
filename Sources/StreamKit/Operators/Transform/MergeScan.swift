internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Starts a stream for each value that knows what was published last, and publishes what they publish.
  ///
  /// What a stream publishes is `acc` for those started after it. The initial value itself is not published.
  ///
  /// - Memory: what the streams accumulate; with a bound of streams, values that wait, bounded by `limit`.
  /// - SeeAlso: `scan`, where an expression accumulates.
  public struct MergeScan: OperatorDefinition {
    /// What `acc` is for the first stream.
    public var initialValue: Value
    /// The stream that every value starts: a name, or a model in place, whose expressions know what was published last
    /// as `acc`, the value as `outer` and its number, from 0, as `outerIndex`.
    public var stream: InnerStream
    /// How many streams run at once, 1 or more. Without it no bound. Only with the strategy `merge`.
    public var maxPublishers: Int?
    /// Which streams run. Default `merge`; with `latest` a value ends the stream before, as RxJS's switchScan.
    public var strategy: Strategy?
    /// How many values of upstream may wait for their turn; no more are asked for. Default 1,024.
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
    if maxPublishers != nil, strategy == .latest {
      throw Diagnostic(
        .conflictingFields, "'maxPublishers' goes with the strategy \"merge\"; found \"latest\"",
        at: JSONPointer(["maxPublishers"]), part: .key, help: "leave one of them out")
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine(
      "mergeScan", strategy == .latest ? .latest : .merge, maxPublishers: maxPublishers, limit: limit,
      accumulatingFrom: initialValue)
  }

  public static let fieldsOfState: Set<String> = ["initialValue"]

  public static let spec = OperatorSpec(
    "mergeScan", "Starts a stream for each value that knows what was published last, and publishes what they publish.",
    memory: .bounded("what has been accumulated, and values that wait for their turn", by: "limit"),
    fields: [
      .required("initialValue", .value, "What `acc` is for the first stream."),
      .required(
        "stream", .stream,
        "The stream that every value starts; its expressions know `acc`, `outer` and `outerIndex`."),
      .optional("maxPublishers", .count(1 ... .max), "How many streams run at once, 1 or more. Without it no bound."),
      .optional(
        "strategy", .choice(["merge", "latest"]),
        "Which streams run. Default `merge`; with `latest` a value ends the stream before.", default: "merge"),
      .optional(
        "limit", .count(1...100_000_000), "How many values of upstream may wait for their turn. Default 1,024.",
        default: 1024),
    ],
    rules: [.silent("maxPublishers", where: "strategy", is: ["latest"])],
    examples: [
      .marbles(
        "a running total",
        #"{"mergeScan": {"initialValue": 0, "stream": {"source": {"just": {"expression": "acc + outer"}}}}}"#,
        in: "-a-b-c|", out: "-a-c-f|", values: ["a": 1, "b": 2, "c": 3, "f": 6]),
      .marbles(
        "streams that take time know what was published when they began",
        #"""
        {"mergeScan": {"initialValue": "", "stream": {
          "source": {"just": {"expression": "acc + outer"}}, "operators": [{"delay": {"seconds": 0.003}}]}}}
        """#, in: "-a-b-c|", out: "----p-q-(r|)", values: ["p": "a", "q": "b", "r": "ac"]),
      .marbles(
        "the newest stream alone",
        #"""
        {"mergeScan": {"initialValue": "", "strategy": "latest", "stream": {
          "source": {"just": {"expression": "acc + outer"}}, "operators": [{"delay": {"seconds": 0.003}}]}}}
        """#, in: "-ab---c--|", out: "-----b---(d|)", values: ["d": "bc"]),
      .rejects("no initial value", #"{"mergeScan": {"stream": "b"}}"#, .missingField, at: "/mergeScan"),
      .rejects(
        "a bound for the newest",
        #"{"mergeScan": {"initialValue": 0, "stream": "b", "strategy": "latest", "maxPublishers": 2}}"#,
        .conflictingFields, at: "/mergeScan/maxPublishers"),
    ])
}
