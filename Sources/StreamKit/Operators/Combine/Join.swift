public import CEL
public import StreamCore
public import StreamEngine

extension Operator {
  /// Publishes each pair of a value of this stream and a value of another stream with equal keys and overlapping
  /// windows.
  ///
  /// Each value opens a window. It stays open for `seconds`, or until the stream `left` or `right`, which the value
  /// starts, publishes or finishes. Equal numbers are the same key whatever their types, also within arrays and objects.
  /// A key that is null, or an array with null in it, has no partner, as in SQL. Finishes as soon as no more pairs are
  /// possible. A failure of any stream fails the whole.
  ///
  /// - Order: a value is published in pairs with the open windows, oldest first.
  /// - Memory: open windows and pairs that downstream has not requested yet, bounded by `limit`.
  /// - Complexity: With keys, a value is paired only with the open windows of its key, which a hash table finds.
  ///   Without keys, each value is paired with every open window of the other stream: with n open windows on each side,
  ///   the work is quadratic in n.
  public struct Join: OperatorDefinition {
    /// The other stream: an array with one element.
    public var with: StreamReferences
    /// Returns the key of a value of either stream. Only values with equal keys form pairs; null, or a list with null
    /// in it, has no partner. Variable: `value`.
    public var on: CELExpression?
    /// Returns the key of a value of this stream, if the streams need different expressions. Variable: `value`.
    public var leftKey: CELExpression?
    /// Returns the key of a value of the other stream. Variable: `value`.
    public var rightKey: CELExpression?
    /// The values without a partner that are published with null as their partner, once, when their window closes or
    /// the other stream has finished: `inner` publishes none, `left` those of this stream, `right` those of the other
    /// stream, `full` those of both. Default `inner`.
    public var type: Variant?
    /// Length of every window. A number of seconds greater than 0, up to 31536000.
    public var seconds: Double?
    /// Window of a value of this stream: open until this stream publishes or finishes. Its expressions see the value as
    /// `outer` and its number, from 0, as `outerIndex`.
    public var left: InnerStream?
    /// Window of a value of the other stream, with the same variables.
    public var right: InnerStream?
    /// Returns the value to publish instead of an array of both values. Variables: `left`, `right`.
    public var expression: CELExpression?
    /// Maximum number of open windows of each stream, and of pairs that wait for demand. One more fails the stream. An
    /// integer from 1 to 100000000. Default `100000`.
    public var limit: Int?

    /// Creates a join whose windows are closed by streams.
    public init(
      with: StreamReferences, left: InnerStream, right: InnerStream, on: CELExpression? = nil,
      leftKey: CELExpression? = nil, rightKey: CELExpression? = nil, type: Variant? = nil,
      expression: CELExpression? = nil, limit: Int? = nil
    ) {
      self.with = with
      self.on = on
      self.leftKey = leftKey
      self.rightKey = rightKey
      self.type = type
      self.left = left
      self.right = right
      self.expression = expression
      self.limit = limit
    }

    /// Creates a join whose windows have one length.
    public init(
      with: StreamReferences, seconds: Double, on: CELExpression? = nil, leftKey: CELExpression? = nil,
      rightKey: CELExpression? = nil, type: Variant? = nil, expression: CELExpression? = nil, limit: Int? = nil
    ) {
      self.with = with
      self.on = on
      self.leftKey = leftKey
      self.rightKey = rightKey
      self.type = type
      self.seconds = seconds
      self.expression = expression
      self.limit = limit
    }

    /// The values that are published without a partner: none, or those of one stream or of both.
    public enum Variant: String, Hashable, Sendable, Codable, CaseIterable {
      case inner, left, right, full
    }
  }
}

extension Operator.Join {
  public var joined: [JoinedStream] {
    with.joined + (left.map { [$0.joined("left", capturing: InnerStream.captures)] } ?? [])
      + (right.map { [$0.joined("right", capturing: [.fixed("outer", .dyn), .fixed("outerIndex", .int)])] } ?? [])
  }

  /// Windows with a length have timers instead of streams.
  public var stateForm: String { String(reflecting: JoinMachine.State.self) + (seconds == nil ? "" : " seconds") }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    let other = context.joinedTypes.first ?? .dyn
    let keys = try keys(over: other, &context)
    let variant = type ?? Self.defaultType
    let isOuter = [variant == .left || variant == .full, variant == .right || variant == .full]
    // The partner of a value may be null.
    let leftType = isOuter[1] ? context.inputType.orNull : context.inputType
    let rightType = isOuter[0] ? other.orNull : other
    var pair: PlannedExpression?
    if let expression {
      let planned = try context.plan(
        expression, field: "expression", over: [Variable("left", leftType), Variable("right", rightType)])
      pair = planned
      context.outputType = planned.resultType
    } else {
      context.outputType = .list(leftType.joined(with: rightType))
    }
    return JoinMachine(
      keys: keys, pair: pair, isOuter: isOuter, length: seconds.map(Interval.init(seconds:)),
      limit: limit ?? Self.defaultLimit)
  }

  /// Plans the keys of both streams; nil without keys.
  private func keys(
    over other: CELType, _ context: inout OperatorContext
  ) throws(Diagnostics) -> [PlannedExpression]? {
    guard let left = on ?? leftKey, let right = on ?? rightKey else { return nil }
    let first = try context.plan(
      left, field: on == nil ? "leftKey" : "on", over: [Variable("value", context.inputType)])
    let second = try context.plan(right, field: on == nil ? "rightKey" : "on", over: [Variable("value", other)])
    let types = (first.resultType, second.resultType)
    guard types.0.keyKind == types.1.keyKind || types.0.keyKind == nil || types.1.keyKind == nil else {
      throw Diagnostics(
        .typeMismatch,
        "the keys of this stream are of type \(types.0) and those of the other one of type \(types.1), which are never "
          + "equal", at: JSONPointer([on == nil ? "rightKey" : "on"]),
        help: "convert one of them, such as string(value.id), with 'leftKey' and 'rightKey'")
    }
    return [first, second]
  }
}

extension Operator.Join: VariableWork {
  /// Without keys, the work is that of a product.
  package var work: String? {
    guard on == nil, leftKey == nil else { return nil }
    return "Without `on`, each value is paired with every open window of the other stream: with n open windows on each "
      + "side, the work is quadratic in n."
  }
}

extension CELType {
  /// The kind of keys of the type: keys of different kinds are never equal. Nil if that is unknown.
  fileprivate var keyKind: String? {
    switch self {
    case .int, .uint, .double: "number"
    case .string, .bool, .bytes: description
    default: nil
    }
  }
}

extension Operator.Join {
  /// A change of the keys discards the open windows.
  public static let fieldsOfState: Set<String> = ["on", "leftKey", "rightKey"]

  private static let defaultLimit = 100_000
  private static let defaultType = Variant.inner

  public static let spec = OperatorSpec(
    "join",
    "Publishes each pair of a value of this stream and a value of another stream with equal keys and overlapping windows.",
    memory: .bounded("open windows and pairs that downstream has not requested yet", by: "limit"),
    work:
      "With keys, a value is paired only with the open windows of its key, which a hash table finds. Without keys, each "
      + "value is paired with every open window of the other stream: with n open windows on each side, the work is "
      + "quadratic in n.",
    fields: [
      .required("with", .streams, "The other stream: an array with one element."),
      .optional(
        "on", .expression(["value"]),
        "Returns the key of a value of either stream. Only values with equal keys form pairs; null, or a list with null "
          + "in it, has no partner."),
      .optional(
        "leftKey", .expression(["value"]),
        "Returns the key of a value of this stream, if the streams need different expressions."),
      .optional("rightKey", .expression(["value"]), "Returns the key of a value of the other stream."),
      .optional(
        "type", .choice(Variant.allCases.map(\.rawValue)),
        "The values without a partner that are published with null as their partner, once, when their window closes or "
          + "the other stream has finished: `inner` publishes none, `left` those of this stream, `right` those of the "
          + "other stream, `full` those of both.", default: .of(defaultType)),
      .optional("seconds", .seconds(0...31_536_000), "Length of every window."),
      .optional(
        "left", .stream,
        "Window of a value of this stream: open until this stream publishes or finishes. Its expressions see the "
          + "value as `outer` and its number, from 0, as `outerIndex`."),
      .optional(
        "right", .stream, "Window of a value of the other stream, with the same variables."),
      .optional(
        "expression", .expression(["left", "right"]), "Returns the value to publish instead of an array of both values."
      ),
      .optional(
        "limit", .count(1...100_000_000),
        "Maximum number of open windows of each stream, and of pairs that wait for demand. One more fails the stream.",
        default: .of(defaultLimit)),
    ],
    rules: [
      .count("with", 1...1), .together(["left", "right"]), .one(["seconds", "left"]), .above("seconds", 0),
      .together(["leftKey", "rightKey"]), .atMostOne(["on", "leftKey"]),
    ],
    examples: [
      .joins(
        "values within three milliseconds of each other",
        #"""
        {"join": {"with": ["b"], "left": {"source": {"timer": {"every": 0.003, "count": 1}}},
                  "right": {"source": {"timer": {"every": 0.003, "count": 1}}}, "expression": "left + right"}}
        """#, in: ["-a----b-----|", "--x----y-|"], out: "--p----q--|", values: ["p": "ax", "q": "by"]),
      .joins(
        "each value with all earlier values of the other stream",
        #"{"join": {"with": ["b"], "left": {"source": {"never": {}}}, "right": {"source": {"empty": {}}}}}"#,
        in: ["-a--b-|", "--x--y--|"], out: "--p--[qr]--|",
        values: ["p": ["a", "x"], "q": ["a", "y"], "r": ["b", "y"]]),
      .joins(
        "a window that fails",
        #"{"join": {"with": ["b"], "left": {"source": {"marbles": {"diagram": "-#"}}}, "right": "c"}}"#,
        in: ["-a----|", "---x--|", "-------|"], out: "--#"),
      .joins(
        "equal keys within three milliseconds",
        #"""
        {"join": {"with": ["b"], "on": "value.k", "seconds": 0.003, "expression": "left.n + right.n"}}
        """#, in: ["-a-b----c|", "--x-y----|"], out: "--p-q----|",
        values: [
          "a": ["k": 1, "n": 10], "b": ["k": 2, "n": 20], "c": ["k": 2, "n": 30], "x": ["k": 1.0, "n": 1],
          "y": ["k": 2, "n": 2], "p": 11, "q": 22,
        ]),
      .joins(
        "different keys of both streams",
        #"{"join": {"with": ["b"], "leftKey": "value.id", "rightKey": "value", "seconds": 0.009}}"#,
        in: ["-a-b-|", "--x-y|"], out: "--p-q|",
        values: ["a": ["id": "x"], "b": ["id": "y"], "p": [["id": "x"], "x"], "q": [["id": "y"], "y"]]),
      .joins(
        "values of this stream without a partner",
        #"{"join": {"with": ["b"], "on": "value % 10", "seconds": 0.003, "type": "left"}}"#,
        in: ["-a-b------c|", "--x---------|"], out: "--p---q-----(r|)",
        values: ["a": 1, "b": 2, "c": 3, "x": 11, "p": [1, 11], "q": [2, .null], "r": [3, .null]]),
      .joins(
        "values without a partner of both streams",
        #"{"join": {"with": ["b"], "on": "value % 10", "seconds": 0.003, "type": "full"}}"#,
        in: ["-a-b-|", "--x-----y|"], out: "--p---q-s|",
        values: ["a": 1, "b": 2, "x": 11, "y": 13, "p": [1, 11], "q": [2, .null], "s": [.null, 13]]),
      .joins(
        "a key that is null has no partner",
        #"{"join": {"with": ["b"], "on": "value", "seconds": 0.003, "type": "right"}}"#,
        in: ["-a-b-|", "--a-x-|"], out: "-----[pq]|",
        values: ["a": .null, "b": 2, "x": 3, "p": [.null, .null], "q": [.null, 3]]),
      .rejects(
        "a key of one stream alone", #"{"join": {"with": ["b"], "leftKey": "value", "seconds": 1}}"#, .missingField,
        at: "/join"),
      .rejects(
        "a length and streams", #"{"join": {"with": ["b"], "seconds": 1, "left": "c", "right": "c"}}"#,
        .conflictingFields, at: "/join/left"),
      .rejects(
        "two other streams", #"{"join": {"with": ["b", "c"], "left": "d", "right": "d"}}"#, .outOfRange,
        at: "/join/with"),
      .rejects("no windows", #"{"join": {"with": ["b"]}}"#, .missingField, at: "/join"),
    ])
}
