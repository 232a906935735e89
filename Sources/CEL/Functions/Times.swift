import StreamCore

extension FunctionCatalogue {
  /// The current time, and the components of timestamps and durations.
  static let times: [Function] = [
    Function("now", "The current time of the execution", [.function([], .timestamp)], .none { .timestamp($0.now) }),
    part("getFullYear", "The year") { $0.year },
    part("getMonth", "The month, from 0 for January") { Int64($0.month - 1) },
    part("getDate", "The day of the month, from 1") { Int64($0.day) },
    part("getDayOfMonth", "The day of the month, from 0") { Int64($0.day - 1) },
    part("getDayOfWeek", "The day of the week, from 0 for Sunday") { Int64($0.dayOfWeek) },
    part("getDayOfYear", "The day of the year, from 0") { Int64($0.dayOfYear) },
    part("getHours", "The hour of the day, or a duration in hours", { Int64($0.hour) }) {
      $0 / 3_600_000_000_000
    },
    part("getMinutes", "The minute of the hour, or a duration in minutes", { Int64($0.minute) }) {
      $0 / 60_000_000_000
    },
    part("getSeconds", "The second of the minute, or a duration in seconds", { Int64($0.second) }) {
      $0 / 1_000_000_000
    },
    Function(
      "getMilliseconds", "The milliseconds of the second",
      [
        .method([.timestamp], .int), .method([.timestamp, .string], .int), .method([.duration], .int),
      ], zone: 1,
      .one { (value, _) throws(EvaluationError) in try milliseconds(value) },
      .two { (value, zone, activation) throws(EvaluationError) in
        guard case .timestamp(let time) = value, case .string(let name) = zone else {
          throw .noOverload("getMilliseconds", value, zone)
        }
        _ = try TimeZones.offset(name, at: time.seconds, activation)
        return try milliseconds(value)
      }),
  ]

  private static func milliseconds(_ value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .timestamp(let time): .int(Int64(time.nanoseconds) / 1_000_000)
    case .duration(let duration): .int(duration.components.attoseconds / 1_000_000_000_000_000)
    default: throw .noOverload("getMilliseconds", value)
    }
  }

  private static func part(
    _ name: String, _ summary: String, _ civil: @escaping @Sendable (CivilTime) -> Int64,
    ofNanoseconds: (@Sendable (Int64) -> Int64)? = nil
  ) -> Function {
    var overloads: [Function.Overload] = [.method([.timestamp], .int), .method([.timestamp, .string], .int)]
    if ofNanoseconds != nil { overloads.append(.method([.duration], .int)) }
    return Function(
      name, summary, overloads, zone: 1,
      .one { (value, _) throws(EvaluationError) in
        if case .timestamp(let time) = value { return .int(civil(CivilTime(seconds: time.seconds))) }
        if let ofNanoseconds, case .duration(let duration) = value, let nanoseconds = duration.wholeNanoseconds {
          return .int(ofNanoseconds(nanoseconds))
        }
        throw .noOverload(name, value)
      },
      .two { (value, zone, activation) throws(EvaluationError) in
        guard case .timestamp(let time) = value, case .string(let zoneName) = zone else {
          throw .noOverload(name, value, zone)
        }
        try activation.charge(40)
        let offset = try TimeZones.offset(zoneName, at: time.seconds, activation)
        return .int(civil(CivilTime(seconds: time.seconds + offset)))
      })
  }
}
