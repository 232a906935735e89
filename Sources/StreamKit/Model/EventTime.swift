public import CEL
public import StreamEngine

extension InputDeclaration {
  /// The clock of an input: when its values happened.
  ///
  /// A stream with such an input runs in event time: values of all inputs are delivered in the order of their times,
  /// timers fire between them, and `now()` is the time of the data. The values of an input without a clock count as
  /// happening when they are read.
  ///
  /// ```swift
  /// let clicks = InputDeclaration(
  ///   type: ["t": .int, "page": .string], time: .init(expression: "value.t", unit: .milliseconds, lateness: 2))
  /// ```
  public struct EventTime: FieldsDefinition {
    /// Returns the time of a value: a timestamp, or a number of units since 1970. Variables: `value`.
    public var expression: CELExpression
    /// Unit of a time that is a number. Default `ms`.
    public var unit: Pipeline.Input.TimeUnit?
    /// Time by which values may be out of order: they are held until the newest time is that much later, and delivered
    /// in the order of their times. A number of seconds from 0 to 31536000. Default `0`.
    public var lateness: Double?
    /// Effect of a value that is later still: `apply` gives it the earliest time that is still possible, `drop` drops
    /// it, and `output` writes it to an output of its own. Default `apply`.
    public var late: Pipeline.Input.Late?
    /// Maximum number of values that are held because of `lateness`. One more ends the run. An integer from 1 to
    /// 1000000000.
    public var limit: Int?
    /// Time by which a value may be ahead of the newest one. A value that is further ahead is invalid. A number of
    /// seconds greater than 0, up to 31536000000.
    public var maxJump: Double?
    /// Time without values after which time passes by the clock of the machine, until the next value. A number of seconds
    /// greater than 0, up to 31536000.
    public var idle: Double?

    public init(
      expression: CELExpression, unit: Pipeline.Input.TimeUnit? = nil, lateness: Double? = nil,
      late: Pipeline.Input.Late? = nil, limit: Int? = nil, maxJump: Double? = nil, idle: Double? = nil
    ) {
      self.expression = expression
      self.unit = unit
      self.lateness = lateness
      self.late = late
      self.limit = limit
      self.maxJump = maxJump
      self.idle = idle
    }
  }
}

extension InputDeclaration.EventTime {
  /// The clock as the engine's inputs have it.
  var inputTime: InputTime {
    var result = InputTime(expression.text)
    result.unit = unit ?? result.unit
    result.lateness = lateness ?? result.lateness
    result.late = late ?? result.late
    (result.limit, result.maxJump, result.idle) = (limit, maxJump, idle)
    return result
  }

  public static let spec = OperatorSpec(
    "time", "The clock of an input: when its values happened.",
    memory: .bounded("the values that `lateness` holds", by: "limit"),
    fields: [
      .required(
        "expression", .expression(["value"]),
        "Returns the time of a value: a timestamp, or a number of units since 1970."),
      .optional(
        "unit", .choice(Pipeline.Input.TimeUnit.allCases.map(\.rawValue)), "Unit of a time that is a number.",
        default: .of(Pipeline.Input.TimeUnit.milliseconds)),
      .optional(
        "lateness", .seconds(0...InputTime.longestLateness),
        "Time by which values may be out of order: they are held until the newest time is that much later, and "
          + "delivered in the order of their times.", default: .of(InputTime.defaultLateness)),
      .optional(
        "late", .choice(Pipeline.Input.Late.allCases.map(\.rawValue)),
        "Effect of a value that is later still: `apply` gives it the earliest time that is still possible, `drop` drops "
          + "it, and `output` writes it to an output of its own.", default: .of(InputTime.defaultLate)),
      .optional(
        "limit", .count(1...1_000_000_000),
        "Maximum number of values that are held because of `lateness`. One more ends the run."),
      .optional(
        "maxJump", .seconds(0...31_536_000_000),
        "Time by which a value may be ahead of the newest one. A value that is further ahead is invalid."),
      .optional(
        "idle", .seconds(0...31_536_000),
        "Time without values after which time passes by the clock of the machine, until the next value."),
    ], rules: [.above("maxJump", 0), .above("idle", 0)], examples: [])
}
