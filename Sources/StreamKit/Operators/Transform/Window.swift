public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Splits the stream into windows, runs operators on each, and publishes the values of all windows.
  ///
  /// The boundaries are determined by one of:
  /// - `count` values;
  /// - `seconds`;
  /// - each value of `stream`, which is subscribed to once, or with `each` again for every window;
  /// - `opening`, with a `closing` for each of its values;
  /// - an `expression` that is true for the last value of a window.
  ///
  /// The first window opens with the subscription, except with `opening`.
  ///
  /// - Memory: open windows, with the state of their operators, bounded by `limit`.
  /// - SeeAlso: `collect`, `collectTime` and `collectUntil`, which publish each window as an array.
  public struct Window: OperatorDefinition {
    /// Operators that run on each window. Their expressions see the window's number, from 0, as `windowIndex`, and with
    /// `align` its bounds as the timestamps `windowStart` and `windowEnd`.
    public var operators: InnerOperators
    /// Number of values in a window; with `seconds`, the maximum. An integer from 1 to 100000000.
    public var count: Int?
    /// Number of values between the starts of two windows. An integer from 1 to 100000000. Default: the value of
    /// `count`.
    public var startEvery: Int?
    /// Length of a window. A number of seconds greater than 0, up to 31536000.
    public var seconds: Double?
    /// Time between the starts of two windows. By default a window starts when the previous one closes. A number of
    /// seconds greater than 0, up to 31536000.
    public var startEverySeconds: Double?
    /// Alignment of windows of `seconds`: with `clock` they begin at whole multiples of their length since 1970, or at
    /// midnight in `zone`, and hold the values from their start until right before their end; a window without values
    /// does not exist. By default windows begin with the subscription.
    public var align: Operator.Alignment?
    /// Time between the starts of two aligned windows, which overlap if it is less than `seconds`. A number of seconds
    /// greater than 0, up to 31536000. Default: the value of `seconds`.
    public var hop: Double?
    /// Time by which aligned windows begin later than at whole multiples. A number of seconds from 0 to 31536000.
    /// Default `0`.
    public var offset: Double?
    /// Time zone whose days begin with one of the aligned windows, such as `Europe/Berlin`. By default days begin at
    /// midnight UTC.
    public var zone: String?
    /// Whether aligned windows without values exist. Default `false`.
    public var emitEmpty: Bool?
    /// Each of its values closes a window and opens the next one.
    public var stream: InnerStream?
    /// Whether `stream` is subscribed to again for every window. Its finish then closes the window, too. Default
    /// `false`.
    public var each: Bool?
    /// Each of its values opens a window.
    public var opening: InnerStream?
    /// Started with each window; its first value closes the window. Its expressions see the value that opened the
    /// window as `outer`.
    public var closing: InnerStream?
    /// Returns whether the value is the last one of a window. Variables: `value`, `index`.
    public var expression: CELExpression?
    /// Maximum number of open windows. One more fails the stream. An integer from 1 to 1000000. Default `1000`.
    public var limit: Int?

    public init(
      operators: InnerOperators, count: Int? = nil, startEvery: Int? = nil, seconds: Double? = nil,
      startEverySeconds: Double? = nil, align: Operator.Alignment? = nil, hop: Double? = nil, offset: Double? = nil,
      zone: String? = nil, emitEmpty: Bool? = nil, stream: InnerStream? = nil, each: Bool? = nil,
      opening: InnerStream? = nil,
      closing: InnerStream? = nil, expression: CELExpression? = nil, limit: Int? = nil
    ) {
      self.operators = operators
      self.count = count
      self.startEvery = startEvery
      self.seconds = seconds
      self.startEverySeconds = startEverySeconds
      self.align = align
      self.hop = hop
      self.offset = offset
      self.zone = zone
      self.emitEmpty = emitEmpty
      self.stream = stream
      self.each = each
      self.opening = opening
      self.closing = closing
      self.expression = expression
      self.limit = limit
    }
  }
}

extension Operator.Window {
  public var joined: [JoinedStream] {
    let bounds: [JoinedStream.Capture] =
      align == nil ? [] : [.fixed("windowStart", .timestamp), .fixed("windowEnd", .timestamp)]
    let inner = operators.joined(
      limit: InnerOperators.waitingLimit, captures: [.fixed("windowIndex", .int)] + bounds)
    if let stream { return [inner, JoinedStream(reference: stream.reference, pointer: JSONPointer(["stream"]))] }
    guard let opening, let closing else { return [inner] }
    return [
      inner, JoinedStream(reference: opening.reference, pointer: JSONPointer(["opening"])),
      JoinedStream(
        reference: closing.reference, pointer: JSONPointer(["closing"]), captures: [.fixed("outer", .dyn)]),
    ]
  }

  public func validate() throws(Diagnostic) {
    let rules = [
      ("count", count != nil && seconds == nil), ("seconds", seconds != nil), ("stream", stream != nil),
      ("opening", opening != nil), ("expression", expression != nil),
    ].filter(\.1).map(\.0)
    guard let rule = rules.first else {
      throw Diagnostic(
        .missingField, "'window' needs 'count', 'seconds', 'stream', 'opening' with 'closing', or 'expression'")
    }
    if rules.count > 1 {
      throw Diagnostic(
        .conflictingFields, "'window' has '\(rule)' or '\(rules[1])', not both", at: JSONPointer([rules[1]]),
        part: .key)
    }
    if (opening == nil) != (closing == nil) {
      throw Diagnostic(.missingField, "'opening' and 'closing' go together; one of them is missing")
    }
    for (name, field, needed) in [
      ("startEvery", startEvery != nil, "count"), ("startEverySeconds", startEverySeconds != nil, "seconds"),
      ("each", each != nil, "stream"),
    ] where field && rule != needed {
      throw Diagnostic(
        .conflictingFields, "'\(name)' requires '\(needed)', which is missing", at: JSONPointer([name]), part: .key)
    }
    for (name, value) in [("seconds", seconds), ("startEverySeconds", startEverySeconds)] {
      if let value, value <= 0 {
        throw Diagnostic(
          .outOfRange, "'\(name)' is \(value.shortText); expected more than 0", at: JSONPointer([name]))
      }
    }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    context.outputType = context.joinedTypes.first ?? .dyn
    let rule: WindowRule =
      if align == .clock, let seconds {
        .clock(
          try Diagnostics.listing { () throws(Diagnostic) in
            try ClockWindows(seconds: seconds, hop: hop ?? seconds, offset: offset ?? 0, zone: zone)
          }, emitsEmpty: emitEmpty ?? Self.defaultEmitEmpty)
      } else if let seconds {
        .time(
          Interval(seconds: seconds), every: startEverySeconds.map(Interval.init(seconds:)), count: count ?? .max)
      } else if let count {
        .count(count, every: startEvery ?? count)
      } else if stream != nil {
        each ?? Self.defaultEach ? .eachSignal : .signal
      } else if opening != nil {
        .toggle
      } else {
        .last
      }
    return WindowMachine(
      rule: rule,
      last: try expression.map { expression throws(Diagnostics) in
        try context.plan(expression, field: "expression", over: context.valueVariables, result: .bool)
      }, limit: limit ?? Self.defaultLimit, firstSlot: context.captured.count)
  }
}

extension Operator.Window {
  private static let defaultEach = false
  private static let defaultEmitEmpty = false
  private static let defaultLimit = 1_000

  public static let spec = OperatorSpec(
    "window", "Splits the stream into windows, runs operators on each, and publishes the values of all windows.",
    memory: .bounded("open windows, with the state of their operators", by: "limit"),
    fields: [
      .required(
        "operators", .operators,
        "Operators that run on each window. Their expressions see the window's number, from 0, as `windowIndex`, and "
          + "with `align` its bounds as the timestamps `windowStart` and `windowEnd`."),
      .optional("count", .count(1...100_000_000), "Number of values in a window; with `seconds`, the maximum."),
      .optional(
        "startEvery", .count(1...100_000_000), "Number of values between the starts of two windows.",
        default: .field("count")),
      .optional("seconds", .seconds(0...31_536_000), "Length of a window."),
      .optional(
        "startEverySeconds", .seconds(0...31_536_000),
        "Time between the starts of two windows. By default a window starts when the previous one closes."),
      .optional(
        "align", .choice(Operator.Alignment.allCases.map(\.rawValue)),
        "Alignment of windows of `seconds`: with `clock` they begin at whole multiples of their length since 1970, or at "
          + "midnight in `zone`, and hold the values from their start until right before their end; a window without "
          + "values does not exist. By default windows begin with the subscription."),
    ] + Operator.Alignment.fields(length: "seconds", what: "windows") + [
      .optional(
        "emitEmpty", .bool, "Whether aligned windows without values exist.", default: .of(defaultEmitEmpty)),
      .optional("stream", .stream, "Each of its values closes a window and opens the next one."),
      .optional(
        "each", .bool,
        "Whether `stream` is subscribed to again for every window. Its finish then closes the window, too.",
        default: .of(defaultEach)),
      .optional("opening", .stream, "Each of its values opens a window."),
      .optional(
        "closing", .stream,
        "Started with each window; its first value closes the window. Its expressions see the value that opened "
          + "the window as `outer`."),
      .optional(
        "expression", .expression(["value", "index"]), "Returns whether the value is the last one of a window."),
      .optional(
        "limit", .count(1...1_000_000), "Maximum number of open windows. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [
      .atLeastOne(["count", "seconds", "stream", "opening", "expression"]),
      .atMostOne(["seconds", "stream", "opening", "expression"]), .atMostOne(["count", "stream"]),
      .atMostOne(["count", "opening"]), .atMostOne(["count", "expression"]), .together(["opening", "closing"]),
      .needs("startEvery", ["count"]), .atMostOne(["startEvery", "seconds"]), .needs("startEverySeconds", ["seconds"]),
      .needs("each", ["stream"]), .above("seconds", 0), .above("startEverySeconds", 0), .above("hop", 0),
      .needs("align", ["seconds"]), .needs("hop", ["align"]), .needs("offset", ["align"]), .needs("zone", ["align"]),
      .needs("emitEmpty", ["align"]), .atMostOne(["align", "startEverySeconds"]), .atMostOne(["align", "count"]),
    ],
    examples: [
      .marbles(
        "two values each, with the window's number",
        #"{"window": {"count": 2, "operators": [{"collect": {}}, {"map": {"expression": "[windowIndex, value]"}}]}}"#,
        in: "-a-b-c|", out: "---x--(y|)", values: ["x": [0, ["a", "b"]], "y": [1, ["c"]]]),
      .marbles(
        "every four milliseconds", #"{"window": {"seconds": 0.004, "operators": [{"count": {}}]}}"#,
        in: "-ab----c-|", out: "----x---y(z|)", values: ["x": 2, "y": 1, "z": 0]),
      .marbles(
        "aligned to the clock",
        #"{"window": {"seconds": 0.004, "align": "clock", "operators": [{"count": {}}]}}"#,
        in: "-ab-c---------d|", out: "----x---y------(z|)", values: ["x": 2, "y": 1, "z": 1]),
      .marbles(
        "aligned windows that overlap, with their starts",
        #"""
        {"window": {"seconds": 0.004, "hop": 0.002, "align": "clock", "operators": [
          {"count": {}}, {"map": {"expression": "[windowStart.millis(), value]"}}]}}
        """#,
        in: "--a--b-----|", out: "----x-y-z--|", values: ["x": [0, 1], "y": [2, 2], "z": [4, 1]]),
      .joins(
        "whenever b publishes", #"{"window": {"stream": "b", "operators": [{"count": {}}]}}"#,
        in: ["-a-a-a-|", "----x---|"], out: "----x--(y|)", values: ["x": 2, "y": 1]),
      .joins(
        "opened and closed by streams",
        #"""
        {"window": {"opening": "b", "closing": {"source": {"timer": {"every": 0.003}}}, "operators": [{"collect": {}}]}}
        """#,
        in: ["-a-b-c-d|", "--x------|"], out: "-----x--|", values: ["x": ["b", "c"]]),
      .marbles(
        "up to a matching value", #"{"window": {"expression": "value == 'c'", "operators": [{"collect": {}}]}}"#,
        in: "-a-c-b|", out: "---x--(y|)", values: ["x": ["a", "c"], "y": ["b"]]),
      .rejects("no boundaries", #"{"window": {"operators": []}}"#, .missingField, at: "/window"),
      .rejects(
        "a count and a stream", #"{"window": {"operators": [], "count": 1, "stream": "a"}}"#, .conflictingFields,
        at: "/window/stream"),
    ])
}
