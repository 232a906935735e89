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
  /// The unit of times that are numbers.
  package let unit: Pipeline.Input.TimeUnit

  /// Whether times are timestamps, which have no unit.
  var isTimestamp: Bool { plan.resultType == .timestamp }

  /// The name of the expression in diagnostics.
  package static let file = "--event-time"

  /// - Parameter constants: The parameters that the expression can see, by name.
  /// - Throws: The errors in the expression, with locations.
  package init(
    _ text: String, unit: Pipeline.Input.TimeUnit = .milliseconds, constants: [String: Value] = [:]
  ) throws(Diagnostics) {
    self.unit = unit
    plan = try ExpressionText(text, file: Self.file).plan(over: [Variable("value")], constants: constants)
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
            "the event time has the type \(plan.resultType); expected a timestamp, or \(unit.words) since 1970",
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
      throw Diagnostic(
        .invalidEventTime, "the event time cannot be evaluated: \(error.message)",
        // Nothing but a time can be used for one that is missing.
        help: error.code == .noSuchKey
          ? "name a field that all values have, or give another time, as in value.?time.orValue(value.arrived)"
          : plan.expression.help(for: error.code, error.message, at: error.range, with: ["value": value]))
    }
    guard let time = timestamp(result) else {
      throw Diagnostic(
        .invalidEventTime,
        "the event time is \(JSONWriter.beginning(of: result, bytes: 200)); expected a timestamp, or \(unit.words) since 1970",
        help: EventTimeHelp.help(for: result, of: plan.expression.text, unit))
    }
    return time
  }

  /// Returns the time of the record at the current row; nil if it has none that is valid.
  ///
  /// - Parameter cell: The number of `field` in the row.
  package func time(of rows: LineRows, cell: Int) -> Timestamp? {
    let kind = rows.row[cell].kind
    if isField, case .int = kind { return timestamp(.int(rows.row[cell].bits)) }
    if case .missing = kind { return nil }
    let value = rows.value(of: cell)
    if isField { return timestamp(value) }
    return try? time(of: .map(ValueMap(shape: shape, slots: [value])))
  }

  private func timestamp(_ value: Value) -> Timestamp? {
    let time: Timestamp
    switch value {
    case .timestamp(let instant): time = instant
    case .int(let number): time = Timestamp(number, unit)
    case .uint(let number):
      guard let number = Int64(exactly: number) else { return nil }
      time = Timestamp(number, unit)
    case .double(let number):
      guard let instant = Timestamp(decimal: number, unit) else { return nil }
      time = instant
    default: return nil
    }
    return Timestamp.secondsRange.contains(time.seconds) ? time : nil
  }
}

extension Timestamp {
  /// Creates the instant that many units after 1970.
  fileprivate init(_ number: Int64, _ unit: Pipeline.Input.TimeUnit) {
    let (seconds, rest) = number.quotientAndRemainder(dividingBy: unit.perSecond)
    self.init(seconds: seconds, nanoseconds: rest * (1_000_000_000 / unit.perSecond))
  }

  /// Creates the instant that a decimal number of units is after 1970, to the nearest nanosecond; nil if no such instant
  /// has a place.
  ///
  /// The number counts as it is written: 1700000000.1 seconds are a tenth after the second, although the nearest double
  /// is a little less.
  fileprivate init?(decimal number: Double, _ unit: Pipeline.Input.TimeUnit) {
    guard number.isFinite, abs(number) < 1e19 else { return nil }
    // The digits that distinguish the number from its neighbors: -1.25e+16, for instance.
    var (digits, scale, isFraction) = (Int128(0), 0, false)
    var text = Substring("\(number.magnitude)").utf8
    while let byte = text.popFirst(), byte != UInt8(ascii: "e") {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else {
        digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
        if isFraction { scale -= 1 }
      }
    }
    if let exponent = Int(String(Substring(text))) { scale += exponent }
    digits *= Int128(1_000_000_000 / unit.perSecond)
    while scale > 0 { (digits, scale) = (digits * 10, scale - 1) }
    // Half a nanosecond is added once, before the digits behind it are removed.
    var divisor = Int128(1)
    while scale < 0 {
      if divisor > digits * 2 {
        self.init(seconds: 0)
        return
      }
      (divisor, scale) = (divisor * 10, scale + 1)
    }
    let rounded = (digits + divisor / 2) / divisor
    let nanoseconds = number < 0 ? -rounded : rounded
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(seconds: Int64(clamping: seconds), nanoseconds: Int64(rest))
  }

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
  /// - Parameters:
  ///   - expression: The expression of the event time.
  ///   - unit: The unit of times that are numbers.
  static func help(for value: Value, of expression: String, _ unit: Pipeline.Input.TimeUnit) -> String {
    switch value {
    case .int(let number): help(forNumber: Double(number), in: unit)
    case .uint(let number): help(forNumber: Double(number), in: unit)
    case .double(let number): help(forNumber: number, in: unit)
    case .string(let digits) where Int64(digits) != nil: "write int(\(expression)) for a number in a string"
    case .string(let digits) where Double(digits) != nil: "write double(\(expression)) for a number in a string"
    case .string: text
    default: field
    }
  }

  /// Returns the help for an expression whose type is not that of an event time.
  static func help(for type: CELType) -> String { type == .string ? text : field }

  /// Returns the help for a time that is out of range: it was probably given in another unit.
  static func help(for time: Timestamp, _ unit: Pipeline.Input.TimeUnit) -> String {
    help(forNumber: time.count(of: unit), in: unit)
  }

  private static func help(forNumber number: Double, in unit: Pipeline.Input.TimeUnit) -> String {
    let expected = "a number is a time in \(unit.words) since 1970"
    guard let likely = likelyUnit(of: number, besides: unit) else { return expected }
    return
      "\(expected); for \(likely.words), write --unit \(likely.rawValue), or \"unit\": \"\(likely.rawValue)\" in the file"
  }

  /// Returns the help for a time that seems to be in another unit; nil if it does not.
  ///
  /// - Parameters:
  ///   - time: The latest time of all.
  ///   - unit: The unit in which it was read.
  static func help(forEarly time: Timestamp, _ unit: Pipeline.Input.TimeUnit) -> String? {
    guard unit != .seconds, (0..<usual.lowerBound).contains(time.seconds),
      likelyUnit(of: time.count(of: unit), besides: unit) != nil
    else { return nil }
    return help(for: time, unit)
  }

  /// The seconds since 1970 of the years 1990 to 2099, in which most data are.
  private static let usual: Range<Int64> = 631_152_000..<4_102_444_800

  /// Returns the unit in which a number is a time of these years.
  private static func likelyUnit(
    of number: Double, besides unit: Pipeline.Input.TimeUnit
  ) -> Pipeline.Input.TimeUnit? {
    Pipeline.Input.TimeUnit.allCases.first { other in
      let seconds = number / Double(other.perSecond)
      return other != unit && seconds >= Double(usual.lowerBound) && seconds < Double(usual.upperBound)
    }
  }
}

extension Timestamp {
  /// The number of units since 1970.
  fileprivate func count(of unit: Pipeline.Input.TimeUnit) -> Double {
    (Double(seconds) + Double(nanoseconds) / 1e9) * Double(unit.perSecond)
  }
}
