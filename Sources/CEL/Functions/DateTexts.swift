import StreamCore

extension FunctionCatalogue {
  /// Timestamps as texts in date patterns, and as numbers of milliseconds. `format` is one of the string functions.
  static let dateTexts: [Function] = [
    Function(
      "parseTime",
      "The timestamp that a text in a date pattern describes, in UTC or in a time zone if the text has no offset",
      cost: .steps(perByte: 1).plus(perCall: 60),
      [.function([.string, .string], .timestamp), .function([.string, .string, .string], .timestamp)],
      pattern: .init(place: 1) { (pattern, _) throws(PatternProblem) in
        let pattern = try DatePattern(literal: pattern, parses: true)
        return .init { (values, activation) throws(EvaluationError) in
          try parse(values[0], pattern, values.count > 2 ? values[2] : .string("UTC"), activation)
        }
      }, zone: 2,
      .two { (text, pattern, activation) throws(EvaluationError) in
        try parse(text, datePattern(pattern, activation), .string("UTC"), activation)
      },
      .three { (text, pattern, zone, activation) throws(EvaluationError) in
        try parse(text, datePattern(pattern, activation), zone, activation)
      }),
    Function(
      "timestamp.fromMillis", "The timestamp of a number of milliseconds since 1970",
      [.function([.int], .timestamp), .function([.double], .timestamp)],
      .one { (value, _) throws(EvaluationError) in .timestamp(try timestamp(milliseconds: value)) }),
    Function(
      "millis", "The milliseconds since 1970, or of the whole duration, without a fraction",
      [.method([.timestamp], .int), .method([.duration], .int)],
      .one { (value, _) throws(EvaluationError) in
        switch value {
        case .timestamp(let time): return .int(time.seconds * 1000 + Int64(time.nanoseconds) / 1_000_000)
        case .duration(let duration):
          let (seconds, attoseconds) = duration.components
          return .int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        default: throw .noOverload("millis", value)
        }
      }),
  ]

  private static func datePattern(_ value: Value, _ activation: Activation) throws(EvaluationError) -> DatePattern {
    guard case .string(let text) = value else { throw .noOverload("parseTime", value) }
    return try DatePattern(text, activation, parses: true)
  }

  private static func parse(
    _ text: Value, _ pattern: DatePattern, _ zone: Value, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .string(let text) = text, case .string(let zone) = zone else {
      throw .noOverload("parseTime", text, zone)
    }
    return .timestamp(try pattern.parse(text, zone: zone, activation))
  }

  /// Returns a timestamp's text at the clocks of a zone.
  static func dateText(
    _ time: Value, _ pattern: DatePattern, _ zone: Value, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    guard case .timestamp(let time) = time, case .string(let zone) = zone else {
      throw .noOverload("format", time, zone)
    }
    let offset = try TimeZones.offset(zone, at: time.seconds, activation)
    return .string(try pattern.format(time, offset: offset, activation))
  }

  private static func timestamp(milliseconds: Value) throws(EvaluationError) -> Timestamp {
    let time: Timestamp
    switch milliseconds {
    case .int(let number): time = Timestamp(millisecondsSince1970: number)
    case .double(let number):
      let whole = (number / 1000).rounded(.down)
      guard let exact = Int64(exactly: whole) else { throw outOfRange(milliseconds) }
      time = Timestamp(seconds: exact, nanoseconds: Int64(((number - whole * 1000) * 1_000_000).rounded()))
    default: throw .noOverload("timestamp.fromMillis", milliseconds)
    }
    guard Timestamp.secondsRange.contains(time.seconds) else { throw outOfRange(milliseconds) }
    return time
  }

  private static func outOfRange(_ milliseconds: Value) -> EvaluationError {
    .overflow("\(milliseconds.shortText) milliseconds after 1970 is outside the years 1 to 9999")
  }
}
