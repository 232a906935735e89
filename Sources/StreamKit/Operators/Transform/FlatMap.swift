internal import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Subscribes to a stream for each value and publishes what all of them publish, as it comes.
  ///
  /// Finishes when upstream and every inner stream have finished. A failure of any of them cancels the others, the
  /// upstream too.
  ///
  /// - Memory: with a bound of streams, values that wait for their turn, bounded by `limit`.
  public struct FlatMap: OperatorDefinition {
    /// The stream that every value starts: a name, or a model in place, whose expressions know the value as `outer` and
    /// its number, from 0, as `outerIndex`.
    public var stream: InnerStream
    /// How many inner streams run at once, 1 or more. Without it no bound. Only with the strategy `merge`.
    public var maxPublishers: Int?
    /// Which streams run, and when. Default `merge`, as Combine.
    public var strategy: Strategy?
    /// How many values of upstream may wait for their turn; no more are asked for. Default 1,024.
    public var limit: Int?

    public init(stream: InnerStream, maxPublishers: Int? = nil, strategy: Strategy? = nil, limit: Int? = nil) {
      self.stream = stream
      self.maxPublishers = maxPublishers
      self.strategy = strategy
      self.limit = limit
    }

    public enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
      /// All at once, or as many as `maxPublishers` says; the others wait.
      case merge
      /// One after the other, in order.
      case concat
      /// The newest alone; it ends the one before.
      case latest
      /// The first; values that come while it runs are left out.
      case exhaust
    }
  }
}

extension Operator.FlatMap {
  public var joined: [JoinedStream] { [stream.joined(capturing: InnerStream.captures)] }

  public func validate() throws(Diagnostic) {
    guard let strategy, strategy != .merge else { return }
    if maxPublishers != nil {
      throw Diagnostic(
        .conflictingFields, "'maxPublishers' goes with the strategy \"merge\"; found \"\(strategy.rawValue)\"",
        at: JSONPointer(["maxPublishers"]), part: .key, help: "leave one of them out")
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    return FlattenMachine(
      "flatMap", strategy ?? .merge, maxPublishers: maxPublishers, limit: limit)
  }

  public static let fieldsOfState: Set<String> = ["strategy"]
}

extension FieldSpec {
  /// The stream that is started for each value.
  static let innerStream = FieldSpec.required(
    "stream", .stream, "The stream that every value starts; its expressions know `outer` and `outerIndex`.")
}

extension Operator.FlatMap {
  public static let spec = OperatorSpec(
    "flatMap", "Subscribes to a stream for each value and publishes what all of them publish, as it comes.",
    memory: .bounded("values that wait for their turn", by: "limit"),
    fields: [
      .innerStream,
      .optional(
        "maxPublishers", .count(1 ... .max), "How many inner streams run at once, 1 or more. Without it no bound."),
      .optional(
        "strategy", .choice(["merge", "concat", "latest", "exhaust"]),
        "Which streams run: all (`merge`, the default), one after the other, the newest, or the first.",
        default: "merge"),
      .optional(
        "limit", .count(1...100_000_000), "How many values of upstream may wait for their turn. Default 1,024.",
        default: 1024),
    ],
    rules: [.silent("maxPublishers", where: "strategy", is: ["concat", "latest", "exhaust"])],
    examples: [
      .marbles(
        "two streams side by side", #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}}}"#,
        in: "-a-b-|", out: "-x-[yx]-[zy]-z|"),
      .marbles(
        "one after the other",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "maxPublishers": 1}}"#,
        in: "-(ab|)", out: "-x-yx-y|"),
      .marbles(
        "the same, by its strategy",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "strategy": "concat"}}"#,
        in: "-(ab|)", out: "-x-yx-y|"),
      .marbles(
        "the newest alone",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y-z|"}}}, "strategy": "latest"}}"#,
        in: "-a--b-|", out: "-x-yx-y-z|"),
      .marbles(
        "the first, until it has finished",
        #"{"flatMap": {"stream": {"source": {"marbles": {"diagram": "x-y|"}}}, "strategy": "exhaust"}}"#,
        in: "-ab--c|", out: "-x-y-x-y|"),
      .marbles(
        "a failure inside", #"{"flatMap": {"stream": {"source": {"fail": {"error": "error"}}}}}"#, in: "-a-b|",
        out: "-#"),
      .marbles(
        "inner streams know their value",
        #"{"flatMap": {"stream": {"source": {"just": {"expression": "outer * 10 + outerIndex"}}}}}"#, in: "-a-b|",
        out: "-x-y|", values: ["a": 1, "b": 2, "x": 10, "y": 21]),
      .marbles(
        "streams within streams",
        #"""
        {"flatMap": {"stream": {
          "source": {"marbles": {"diagram": "x-y|"}},
          "operators": [{"flatMap": {"stream": {"source": {"just": {"expression": "outer + string(outerIndex)"}}}}},
                        {"map": {"expression": "value + string(outer)"}}]}}}
        """#, in: "-a-b|", out: "-p-[qr]-s|",
        values: ["a": 1, "b": 2, "p": "x01", "q": "y11", "r": "x02", "s": "y12"]),
      .rejects("no stream", #"{"flatMap": {}}"#, .missingField, at: "/flatMap"),
      .rejects(
        "a bound for the newest", #"{"flatMap": {"stream": "b", "strategy": "latest", "maxPublishers": 2}}"#,
        .conflictingFields, at: "/flatMap/maxPublishers"),
    ])
}
