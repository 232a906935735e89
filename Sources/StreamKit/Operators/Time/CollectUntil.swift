public import CEL
public import StreamCore
public import StreamRuntime

extension Operator {
  /// Publishes lists of values, as a stream or an expression says.
  ///
  /// What completes lists is one of: each value of `stream`, subscribed to once, or with `each` anew for every list;
  /// `opening`, each value of which begins a list, with a `closing` that completes it; an `expression` that is true for
  /// the last value of a list. A finish publishes what is left: with `expression` if there is something. A failure, also
  /// of one of those streams, drops it; their finish means nothing. Lists that nobody has asked for wait.
  ///
  /// - Memory: grows with the values of the lists that are open or wait, bounded by `limit`.
  /// - SeeAlso: `collect`, `collectTime`; `window`, which does something else with the values of a list.
  public struct CollectUntil: OperatorFields {
    /// Each of its values completes a list and begins the next.
    public var stream: InnerStream?
    /// Whether `stream` is subscribed to anew for every list; its expressions know the number of the list, from 0, as
    /// `outerIndex`. Default false.
    public var each: Bool?
    /// Each of its values begins a list. Lists may overlap, and values between them are left out.
    public var opening: InnerStream?
    /// Started with a list, its first value completes it; its expressions know the value that began the list as `outer`
    /// and its number, from 0, as `outerIndex`.
    public var closing: InnerStream?
    /// True for the last value of a list. Variables: `value`, `index`.
    public var expression: CELExpression?
    /// The most values in lists that are open or wait, a list without values counting as one; one more fails the stream.
    /// Default 1,000,000.
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
    if let stream { return [stream.joined(capturing: each == true ? [.fixed("outerIndex", .int)] : nil)] }
    guard let opening, let closing else { return [] }
    return [
      opening.joined("opening"),
      closing.joined("closing", capturing: [.fixed("outer", .dyn), .fixed("outerIndex", .int)]),
    ]
  }

  public func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    context.outputType = .list(context.inputType)
    let limit = limit ?? 1_000_000
    if let expression {
      let last = try context.plan(expression, field: "expression", over: context.valueVariables, result: .bool)
      return place.node(running: CollectUntilLastMachine(last: last, limit: limit))
    }
    let rule: CollectUntilSignalMachine.Rule = stream == nil ? .toggle : each == true ? .eachSignal : .signal
    return place.node(running: CollectUntilSignalMachine(rule: rule, limit: limit))
  }
}

extension Operator.CollectUntil {
  public var stateForm: String { expression == nil ? "lists of signals" : "a list" }

  public static let spec = OperatorSpec(
    "collectUntil", "Publishes lists of values, as a stream or an expression says.",
    memory: .bounded("the values of lists that are open or wait", by: "limit"),
    fields: [
      .optional("stream", .stream, "Each of its values completes a list and begins the next."),
      .optional(
        "each", .bool,
        "Whether `stream` is subscribed to anew for every list; it knows the number of the list as `outerIndex`. Default "
          + "false.", default: false),
      .optional("opening", .stream, "Each of its values begins a list."),
      .optional(
        "closing", .stream,
        "Started with a list, its first value completes it; it knows the value that began the list as `outer` and its "
          + "number as `outerIndex`."),
      .optional("expression", .expression(["value", "index"]), "True for the last value of a list."),
      .optional(
        "limit", .count(1...1_000_000_000),
        "The most values in lists that are open or wait; one more fails the stream. Default 1,000,000.",
        default: 1_000_000),
    ],
    rules: [
      .together(["opening", "closing"]), .one(["stream", "opening", "expression"]), .needs("each", ["stream"]),
    ],
    examples: [
      .joins(
        "whenever b publishes", #"{"collectUntil": {"stream": "b"}}"#, in: ["-a-a-----a|", "----x-x---|"],
        out: "----x-y---(z|)", values: ["x": ["a", "a"], "y": [], "z": ["a"]]),
      .marbles(
        "a stream for each list",
        #"{"collectUntil": {"stream": {"source": {"timer": {"every": 0.004, "count": 1}}}, "each": true}}"#,
        in: "-a-b--c---|", out: "----x---y-(z|)", values: ["x": ["a", "b"], "y": ["c"], "z": []]),
      .joins(
        "opened and closed",
        #"{"collectUntil": {"opening": "b", "closing": {"source": {"timer": {"every": 0.004}}}}}"#,
        in: ["-a-b-c-d-e|", "--x--x-----"], out: "------x--y|", values: ["x": ["b", "c"], "y": ["d", "e"]]),
      .marbles(
        "up to a last value", #"{"collectUntil": {"expression": "value == 'c'"}}"#, in: "-a-c-b|", out: "---x--(y|)",
        values: ["x": ["a", "c"], "y": ["b"]]),
      .marbles(
        "nothing left", #"{"collectUntil": {"expression": "value == 'c'"}}"#, in: "-a-c|", out: "---x|",
        values: ["x": ["a", "c"]]),
      .joins("b fails", #"{"collectUntil": {"stream": "b"}}"#, in: ["-a-a|", "--#"], out: "--#"),
      .marbles(
        "more values than there is room for",
        #"{"collectUntil": {"stream": {"source": {"never": {}}}, "limit": 2}}"#, in: "-abc|", out: "---#"),
      .rejects("no rule", #"{"collectUntil": {}}"#, .missingField, at: "/collectUntil"),
      .rejects("no end", #"{"collectUntil": {"opening": "b"}}"#, .missingField, at: "/collectUntil"),
      .rejects(
        "two rules", #"{"collectUntil": {"stream": "b", "expression": "true"}}"#, .conflictingFields,
        at: "/collectUntil/expression"),
      .rejects(
        "each of what", #"{"collectUntil": {"expression": "true", "each": true}}"#, .conflictingFields,
        at: "/collectUntil/each"),
    ])
}
