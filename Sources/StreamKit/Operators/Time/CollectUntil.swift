public import CEL
package import StreamCore
package import StreamEngine

extension Operator {
  /// Collects values into arrays whose ends are determined by another stream or an expression.
  ///
  /// The end of an array is determined by one of:
  /// - a value of `stream`, which is subscribed to once, or with `each` again for every array;
  /// - the first value of `closing`, which starts with each value of `opening`;
  /// - an `expression` that is true for the last value of an array.
  ///
  /// A finish publishes the rest; with `expression`, only if it is not empty. A failure of any stream discards it; a
  /// finish of the other streams is ignored. Arrays without demand wait.
  ///
  /// - Memory: the values of arrays that are open or wait for demand, bounded by `limit`.
  /// - SeeAlso: `collect`, `collectTime`; `window`, which runs operators on the values instead.
  public struct CollectUntil: NodeDefinition {
    /// Each of its values ends an array and starts the next one.
    public var stream: InnerStream?
    /// Whether `stream` is subscribed to again for every array. Its expressions see the number of the array, from 0, as
    /// `outerIndex`. Default `false`.
    public var each: Bool?
    /// Each of its values starts an array. Arrays may overlap, and values between them are dropped.
    public var opening: InnerStream?
    /// Started with each array; its first value ends the array. Its expressions see the value that started the array as
    /// `outer` and its number, from 0, as `outerIndex`.
    public var closing: InnerStream?
    /// Returns whether the value is the last one of an array. Variables: `value`, `index`.
    public var expression: CELExpression?
    /// Maximum number of values in arrays that are open or wait for demand; an empty array counts as one value. One
    /// more fails the stream. An integer from 1 to 1000000000. Default `1000000`.
    public var limit: Int?

    public init(
      stream: InnerStream? = nil, each: Bool? = nil, opening: InnerStream? = nil, closing: InnerStream? = nil,
      expression: CELExpression? = nil, limit: Int? = nil
    ) {
      self.stream = stream
      self.each = each
      self.opening = opening
      self.closing = closing
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.CollectUntil {
  public var joined: [JoinedStream] {
    if let stream { return [stream.joined(capturing: each ?? Self.defaultEach ? [.fixed("outerIndex", .int)] : nil)] }
    guard let opening, let closing else { return [] }
    return [
      opening.joined("opening"),
      closing.joined("closing", capturing: [.fixed("outer", .dyn), .fixed("outerIndex", .int)]),
    ]
  }

  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    context.outputType = .list(context.inputType)
    let limit = limit ?? Self.defaultLimit
    if let expression {
      let last = try context.plan(expression, field: "expression", over: context.valueVariables, result: .bool)
      return place.node(running: CollectUntilLastMachine(last: last, limit: limit))
    }
    let rule: CollectUntilSignalMachine.Rule =
      stream == nil ? .toggle : each ?? Self.defaultEach ? .eachSignal : .signal
    return place.node(running: CollectUntilSignalMachine(rule: rule, limit: limit))
  }
}

extension Operator.CollectUntil {
  public var stateForm: String { expression == nil ? "lists of signals" : "a list" }

  private static let defaultEach = false
  private static let defaultLimit = 1_000_000

  public static let spec = OperatorSpec(
    "collectUntil", "Collects values into arrays whose ends are determined by another stream or an expression.",
    memory: .bounded("the values of arrays that are open or wait for demand", by: "limit"),
    fields: [
      .optional("stream", .stream, "Each of its values ends an array and starts the next one."),
      .optional(
        "each", .bool,
        "Whether `stream` is subscribed to again for every array. Its expressions see the number of the array, "
          + "from 0, as `outerIndex`.", default: .of(defaultEach)),
      .optional(
        "opening", .stream,
        "Each of its values starts an array. Arrays may overlap, and values between them are dropped."),
      .optional(
        "closing", .stream,
        "Started with each array; its first value ends the array. Its expressions see the value that started the "
          + "array as `outer` and its number, from 0, as `outerIndex`."),
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value is the last one of an array."),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values in arrays that are open or wait for demand; an empty array counts as one "
          + "value. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [
      .together(["opening", "closing"]), .one(["stream", "opening", "expression"]), .needs("each", ["stream"]),
    ],
    examples: [
      .joins(
        "whenever b publishes", #"{"collectUntil": {"stream": "b"}}"#, in: ["-a-a-----a|", "----x-x---|"],
        out: "----x-y---(z|)", values: ["x": ["a", "a"], "y": [], "z": ["a"]]),
      .marbles(
        "a new stream for each array",
        #"{"collectUntil": {"stream": {"source": {"timer": {"every": 0.004, "count": 1}}}, "each": true}}"#,
        in: "-a-b--c---|", out: "----x---y-(z|)", values: ["x": ["a", "b"], "y": ["c"], "z": []]),
      .joins(
        "opened and closed by streams",
        #"{"collectUntil": {"opening": "b", "closing": {"source": {"timer": {"every": 0.004}}}}}"#,
        in: ["-a-b-c-d-e|", "--x--x-----"], out: "------x--y|", values: ["x": ["b", "c"], "y": ["d", "e"]]),
      .marbles(
        "up to a matching value", #"{"collectUntil": {"expression": "value == 'c'"}}"#, in: "-a-c-b|",
        out: "---x--(y|)",
        values: ["x": ["a", "c"], "y": ["b"]]),
      .marbles(
        "no rest at the finish", #"{"collectUntil": {"expression": "value == 'c'"}}"#, in: "-a-c|", out: "---x|",
        values: ["x": ["a", "c"]]),
      .joins("b fails", #"{"collectUntil": {"stream": "b"}}"#, in: ["-a-a|", "--#"], out: "--#"),
      .marbles(
        "more values than the limit",
        #"{"collectUntil": {"stream": {"source": {"never": {}}}, "limit": 2}}"#, in: "-abc|", out: "---#"),
      .rejects("no condition", #"{"collectUntil": {}}"#, .missingField, at: "/collectUntil"),
      .rejects(
        "an opening without a closing", #"{"collectUntil": {"opening": "b"}}"#, .missingField, at: "/collectUntil"),
      .rejects(
        "a stream and an expression", #"{"collectUntil": {"stream": "b", "expression": "true"}}"#, .conflictingFields,
        at: "/collectUntil/expression"),
      .rejects(
        "`each` without a stream", #"{"collectUntil": {"expression": "true", "each": true}}"#, .conflictingFields,
        at: "/collectUntil/each"),
    ])
}
