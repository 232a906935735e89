internal import CEL
@_spi(Engine) package import StreamCore
package import StreamEngine

/// Reads the time of an event by an expression over its value.
package struct EventClock {
  private let plan: Plan
  private let activation = Activation(slotCount: 1)
  /// The field of records from which the time is computed; nil if the expression reads anything else.
  package let field: String?
  /// Whether the value of the field is the time.
  private let isField: Bool
  /// The keys of a record that has the field alone.
  private let shape: Shape

  /// The name of the expression in diagnostics.
  package static let file = "--event-time"

  /// - Throws: The errors in the expression, with locations.
  package init(_ text: String) throws(Diagnostics) {
    plan = try ExpressionText(text, file: Self.file).plan(over: [Variable("value")])
    let fields = plan.expression.fieldsRead(of: "value") ?? []
    let field = fields.count == 1 ? fields.first : nil
    self.field = field
    isField = text.filter { !$0.isWhitespace } == field.map { "value.\($0)" }
    shape = Shape(field.map { [.string($0)] } ?? [])
    switch plan.resultType {
    case .dyn, .timestamp, .int, .uint, .double: break
    default:
      throw Diagnostics([
        ExpressionText(text, file: Self.file).locate(
          Diagnostic(
            .invalidEventTime,
            "the event time has the type \(plan.resultType); expected a timestamp, or milliseconds since 1970",
            part: .text(0..<text.utf8.count),
            help: EventTimeHelp.help(for: plan.resultType)))
      ])
    }
  }

  /// The warnings about the expression, with locations.
  package var remarks: [Diagnostic] {
    let text = ExpressionText(plan.expression.text, file: Self.file)
    return plan.expression.remarks(in: ExpressionEnvironment(variables: [Variable("value")])).map(text.locate)
  }

  /// When the value happened.
  ///
  /// - Throws: a `Diagnostic` without a place, of code `invalidEventTime`.
  package func time(of value: Value) throws(Diagnostic) -> Timestamp {
    activation.set(value, at: 0)
    let result: Value
    do throws(EvaluationError) {
      result = try plan.evaluate(activation)
    } catch {
      throw Diagnostic(.invalidEventTime, "the event time cannot be evaluated: \(error.message)")
    }
    guard let time = Self.timestamp(result) else {
      throw Diagnostic(
        .invalidEventTime,
        "the event time is \(JSONWriter.beginning(of: result, bytes: 200)); expected a timestamp, or milliseconds since 1970",
        help: EventTimeHelp.help(for: result, of: plan.expression.text))
    }
    return time
  }

  /// Returns the time of the record at the current row; nil if it has none that is valid.
  ///
  /// - Parameter cell: The number of `field` in the row.
  package func time(of rows: LineRows, cell: Int) -> Timestamp? {
    let kind = rows.row[cell].kind
    if isField, case .int = kind { return Self.timestamp(.int(rows.row[cell].bits)) }
    if case .missing = kind { return nil }
    let value = rows.value(of: cell)
    if isField { return Self.timestamp(value) }
    return try? time(of: .map(ValueMap(shape: shape, slots: [value])))
  }

  private static func timestamp(_ value: Value) -> Timestamp? {
    let time: Timestamp
    switch value {
    case .timestamp(let instant): time = instant
    case .int(let milliseconds): time = Timestamp(millisecondsSince1970: milliseconds)
    case .uint(let milliseconds):
      guard let milliseconds = Int64(exactly: milliseconds) else { return nil }
      time = Timestamp(millisecondsSince1970: milliseconds)
    case .double(let milliseconds):
      guard abs(milliseconds) < 9e15 else { return nil }
      let whole = milliseconds.rounded(.down)
      let instant = Timestamp(millisecondsSince1970: Int64(whole))
      time = Timestamp(
        seconds: instant.seconds,
        nanoseconds: Int64(instant.nanoseconds) + Int64(((milliseconds - whole) * 1e6).rounded()))
    default: return nil
    }
    return Timestamp.secondsRange.contains(time.seconds) ? time : nil
  }
}

extension Timestamp {
  /// Returns the stream time of this instant relative to `origin`: zero for an earlier instant, and `distantFuture` for
  /// one more than 292 years later.
  package func streamTime(since origin: Timestamp) -> StreamTime {
    let (seconds, overflow) = (self.seconds - origin.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (total, overflow2) = seconds.addingReportingOverflow(Int64(nanoseconds) - Int64(origin.nanoseconds))
    if overflow || overflow2 { return self < origin ? .zero : .distantFuture }
    return StreamTime(nanoseconds: max(0, total))
  }
}

/// How an event time is written that is not a valid one.
enum EventTimeHelp {
  private static let text = "write timestamp(value.time) for a string such as 2024-02-29T12:30:00Z"
  private static let field = "name the field that holds the time, as in value.time"

  /// Returns the help for a value that is not an event time.
  ///
  /// - Parameter expression: The expression of the event time.
  static func help(for value: Value, of expression: String) -> String {
    switch value {
    case .int(let number): help(forNumber: Double(number))
    case .uint(let number): help(forNumber: Double(number))
    case .double(let number): help(forNumber: number)
    case .string(let digits) where Int64(digits) != nil: "write int(\(expression)) for a number in a string"
    case .string(let digits) where Double(digits) != nil: "write double(\(expression)) for a number in a string"
    case .string: text
    default: field
    }
  }

  /// Returns the help for an expression whose type is not that of an event time.
  static func help(for type: CELType) -> String { type == .string ? text : field }

  /// Returns the help for a time that is out of range: it was probably given in a smaller unit.
  static func help(for time: Timestamp) -> String { help(forNumber: Double(time.seconds) * 1000) }

  /// - Parameter number: Milliseconds since 1970. From 1e17 on, it would be a time after the year 5000 in microseconds.
  private static func help(forNumber number: Double) -> String {
    "expected milliseconds since 1970; divide "
      + (number < 1e17 ? "microseconds by 1000" : "nanoseconds by 1000000")
  }
}
