public import CEL
public import StreamCore
package import StreamEngine

extension Operator {
  /// Finishes, fails, publishes a value or continues with another stream if upstream publishes no value for a while.
  ///
  /// The clock starts with the subscription, and again with the first request and each value. A completion stops it.
  /// With `"onTimeout": "publish"` the stream continues, and the clock starts again with the next value: so a group of
  /// `groupBy` reports its silence, and stays open.
  ///
  /// - Order: values and the completion are delivered by the scheduler, as in Combine: at the same instant, after its
  ///   other events. With `publish` they pass at once.
  /// - Time: one timer; each value restarts it.
  /// - Memory: the values of an instant, bounded by `limit`.
  /// - Failure: `S407` with `error`.
  public struct Timeout: NodeDefinition {
    /// Longest time without a value. By default only the time to the first value is limited. A number of seconds from
    /// 1e-06 to 31536000.
    public var seconds: Double?
    /// Longest time to the first value. A number of seconds from 1e-06 to 31536000. Default: the value of `seconds`.
    public var first: Double?
    /// Effect of a timeout: `finish` finishes the stream, `fail` fails it with `error`, `publish` publishes `value` or
    /// the result of `expression`, and the stream continues: the clock starts again with the next value. By default
    /// `fail` with `error`, otherwise `finish`.
    public var onTimeout: OnTimeout?
    /// The error on a timeout, any JSON value. If it is an object with `message`, that is the text to show. Without
    /// `error` and `with` the stream finishes, as in Combine.
    public var error: Value?
    /// The value to publish on a timeout. Default `null`.
    public var value: Value?
    /// Returns the value to publish on a timeout. `value` is the last value, null before the first one. Variable:
    /// `value`.
    public var expression: CELExpression?
    /// The stream to continue with on a timeout.
    public var with: InnerStream?
    /// Maximum number of values requested ahead of publication. An integer from 1 to 100000000. Default `100000`.
    public var limit: Int?

    public init(
      seconds: Double? = nil, first: Double? = nil, onTimeout: OnTimeout? = nil, error: Value? = nil,
      value: Value? = nil, expression: CELExpression? = nil, with: InnerStream? = nil, limit: Int? = nil
    ) {
      self.seconds = seconds
      self.first = first
      self.onTimeout = onTimeout
      self.error = error
      self.value = value
      self.expression = expression
      self.with = with
      self.limit = limit
    }

    public enum OnTimeout: String, Hashable, Sendable, Codable, CaseIterable {
      case finish, fail, publish
    }
  }
}

extension Operator.Timeout {
  public var joined: [JoinedStream] { with.map { [$0.joined("with")] } ?? [] }

  /// The machine that publishes at a timeout counts demand in another way.
  public var stateForm: String {
    onTimeout == .publish
      ? String(reflecting: TimeoutNoticeMachine.State.self) : String(reflecting: TimeoutMachine.State.self)
  }

  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let each = seconds.map(Interval.init(seconds:))
    let first = (first ?? seconds).map(Interval.init(seconds:))
    let limit = limit ?? Self.defaultLimit
    guard onTimeout == .publish else {
      if let other = context.joinedTypes.first { context.outputType = context.inputType.joined(with: other) }
      let outcome: TimeoutMachine.Outcome =
        if with != nil { .other } else if let error { .failure(error) } else if onTimeout == .fail {
          .failure(Self.defaultError)
        } else { .finish }
      return place.node(running: TimeoutMachine(first: first, each: each, outcome: outcome, limit: limit))
    }
    let planned = try expression.map { expression throws(Diagnostics) in
      // Null before the first value.
      try context.plan(
        expression, field: "expression", over: [Variable("value", context.inputType.joined(with: .null))])
    }
    let value = value ?? .null
    context.outputType = context.inputType.joined(with: planned?.resultType ?? .of(value))
    return place.node(
      running: TimeoutNoticeMachine(first: first, each: each, value: value, expression: planned, limit: limit))
  }
}

extension Operator.Timeout {
  private static let defaultLimit = 100_000
  private static let defaultError = Value.string("no value arrived in time")

  public static let spec = OperatorSpec(
    "timeout",
    "Finishes, fails, publishes a value or continues with another stream if upstream publishes no value for a while.",
    memory: .bounded("the values of an instant", by: "limit"),
    fields: [
      .optional(
        "seconds", .seconds(1e-6...31_536_000),
        "Longest time without a value. By default only the time to the first value is limited."),
      .optional(
        "first", .seconds(1e-6...31_536_000), "Longest time to the first value.",
        default: .field("seconds")),
      .optional(
        "onTimeout", .choice(OnTimeout.allCases.map(\.rawValue)),
        "Effect of a timeout: `finish` finishes the stream, `fail` fails it with `error`, `publish` publishes `value` or "
          + "the result of `expression`, and the stream continues: the clock starts again with the next value. By default "
          + "`fail` with `error`, otherwise `finish`."),
      .optional(
        "error", .value,
        "The error on a timeout, any JSON value. If it is an object with `message`, that is the text to show. "
          + "Without `error` and `with` the stream finishes, as in Combine."),
      .optional("value", .value, "The value to publish on a timeout.", default: .value(.null)),
      .optional(
        "expression", .expression(["value"]),
        "Returns the value to publish on a timeout. `value` is the last value, null before the first one."),
      .optional("with", .stream, "The stream to continue with on a timeout."),
      .optional(
        "limit", .count(1...100_000_000), "Maximum number of values requested ahead of publication.",
        default: .of(defaultLimit)),
    ],
    rules: [
      .atLeastOne(["seconds", "first"]), .atMostOne(["error", "with"]), .atMostOne(["onTimeout", "with"]),
      .atMostOne(["value", "expression"]), .needs("value", ["onTimeout"]), .needs("expression", ["onTimeout"]),
      .silent("error", where: "onTimeout", is: ["finish", "publish"]),
      .silent("value", where: "onTimeout", is: ["finish", "fail"]),
      .silent("expression", where: "onTimeout", is: ["finish", "fail"]),
    ],
    examples: [
      .marbles(
        "a long pause between two values", #"{"timeout": {"seconds": 0.003}}"#, in: "-a-b-----c|", out: "-a-b--|"),
      .marbles("no long pause", #"{"timeout": {"seconds": 0.003}}"#, in: "-a-b-|", out: "-a-b-|"),
      .marbles(
        "a timeout with an error", #"{"timeout": {"seconds": 0.003, "error": "too late"}}"#, in: "-a-----b|",
        out: "-a--#"),
      .marbles(
        "a longer time to the first value", #"{"timeout": {"first": 0.006, "seconds": 0.002}}"#, in: "-----a---b|",
        out: "-----a-|"),
      .marbles(
        "only the first value is limited", #"{"timeout": {"first": 0.003}}"#, in: "-a--------b|", out: "-a--------b|"),
      .joins(
        "another stream continues", #"{"timeout": {"seconds": 0.003, "with": "b"}}"#,
        in: ["-a-------b|", "-----x--y|"],
        out: "-a---x--y|"),
      .marbles(
        "a value at the timeout; the stream continues",
        #"{"timeout": {"seconds": 0.003, "onTimeout": "publish", "value": "late"}}"#, in: "-a-b-------c-|",
        out: "-a-b--x----c-|", values: ["x": "late"]),
      .marbles(
        "the last value at the timeout",
        #"{"timeout": {"first": 0.004, "seconds": 0.002, "onTimeout": "publish", "expression": "[value]"}}"#,
        in: "-----a---b|", out: "----xa-y-b|", values: ["x": [.null], "y": ["a"]]),
      .marbles(
        "a failure without an error of its own", #"{"timeout": {"seconds": 0.003, "onTimeout": "fail"}}"#,
        in: "-a-----b|", out: "-a--#"),
      .rejects(
        "a value that is not published", #"{"timeout": {"seconds": 1, "onTimeout": "fail", "value": 1}}"#,
        .conflictingFields, at: "/timeout/value"),
      .rejects("no time", #"{"timeout": {}}"#, .missingField, at: "/timeout"),
      .rejects("a time of zero", #"{"timeout": {"seconds": 0}}"#, .outOfRange, at: "/timeout/seconds"),
      .rejects(
        "an error and a stream", #"{"timeout": {"seconds": 1, "error": "late", "with": "b"}}"#, .conflictingFields,
        at: "/timeout/with"),
    ])
}
