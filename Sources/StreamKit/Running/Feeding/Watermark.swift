package import StreamCore
package import StreamEngine

/// The event time that a sequence of records has reached, and the handling of records behind it.
///
/// The watermark is the newest time less the lateness: no record that follows is delivered with an earlier time. All
/// times are in nanoseconds since 1970.
package struct Watermark: Sendable {
  /// Nanoseconds by which a record may be older than the newest one, 0 or more.
  package let lateness: Int64
  package let late: Pipeline.Input.Late
  /// The newest time so far; `none` before the first record.
  package var newest = Self.none

  /// Before any time.
  package static let none = Int64.min
  /// After any time.
  package static let never = Int64.max

  package init(
    lateness seconds: Double = InputTime.defaultLateness, late: Pipeline.Input.Late = InputTime.defaultLate
  ) {
    lateness = Int64((seconds * 1e9).rounded())
    self.late = late
  }

  package init(_ time: InputTime) { self.init(lateness: time.lateness, late: time.late) }

  /// Whether records are delivered as they come, each at its own time or that of the newest one.
  package var isPlain: Bool { lateness == 0 && late == .apply }

  /// Returns the warnings about records: those that came late, and times that seem to be in another unit.
  ///
  /// - Parameters:
  ///   - count: The number of records that came late.
  ///   - latest: The latest time of a record; nil if there was none.
  ///   - unit: The unit of times that are numbers.
  ///   - output: The name of the output for late values.
  func warnings(
    lateCount count: Int, latest: Timestamp?, _ unit: Pipeline.Input.TimeUnit, output: String?
  ) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if count > 0 {
      warnings.append(
        Diagnostic(
          .invalidEventTime, account(ofLate: count, "value", output: output ?? "the output for late values"),
          severity: .warning,
          help: "'lateness' is the time by which values may be out of order, in seconds: in the file, or --lateness"))
    }
    if let latest, let help = EventTimeHelp.help(forEarly: latest, unit) {
      warnings.append(
        Diagnostic(
          .invalidEventTime, "the latest event time is \(latest.rfc3339), as if times were given in another unit",
          severity: .warning, help: help))
    }
    return warnings
  }

  /// The handling of a record.
  package enum Fate: UInt8, Sendable {
    case onTime, applied, dropped, output

    /// Whether the record is not delivered.
    package var reachesNoKey: Bool { self == .dropped || self == .output }
  }

  /// The time that no later record is before.
  package var time: Int64 {
    let (time, overflow) = newest.subtractingReportingOverflow(lateness)
    return overflow ? Self.none : time
  }

  /// Describes how many records were late, and whether they were dropped or written.
  ///
  /// - Parameters:
  ///   - noun: The noun for one record.
  ///   - output: The output of the late records, for the policy `output`.
  package func account(ofLate count: Int, _ noun: String, output: String) -> String {
    let seconds = JSONWriter.compact(.seconds(Double(lateness) / 1e9))
    let effect =
      switch late {
      case _ where isPlain: "arrived out of order, and got the time of the latest \(noun)"
      case .apply: "arrived more than \(seconds) s late, and got the earliest time that was still possible"
      case .drop: "arrived more than \(seconds) s late, and \(count == 1 ? "was" : "were") dropped"
      case .output: "arrived more than \(seconds) s late, and went to \(output)"
      }
    return "\(count.counted(noun)) \(effect)"
  }

  /// Notes the time of the next record. A late one that is applied gets the time of the watermark.
  package mutating func note(_ time: inout Int64) -> Fate {
    guard time < self.time, newest != Self.none else {
      newest = max(newest, time)
      return .onTime
    }
    switch late {
    case .apply:
      time = self.time
      return .applied
    case .drop: return .dropped
    case .output: return .output
    }
  }
}

extension Timestamp {
  /// Returns nanoseconds since 1970.
  ///
  /// - Parameter unit: The unit in which it was read, for help.
  /// - Throws: `invalidEventTime` for an instant before the year 1678 or after the year 2261.
  package func recordTime(_ unit: Pipeline.Input.TimeUnit = .milliseconds) throws(Diagnostic) -> Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (total, overflow2) = whole.addingReportingOverflow(Int64(nanoseconds))
    if !overflow, !overflow2, total >= Self.startOfRecords, total < Self.endOfRecords { return total }
    throw Diagnostic(
      .invalidEventTime, "the event time is \(rfc3339); expected a time from 1678 to 2261",
      help: EventTimeHelp.help(for: self, unit))
  }

  /// The start of the year 1678 in nanoseconds since 1970.
  private static let startOfRecords: Int64 = -9_214_560_000_000_000_000
  /// The start of the year 2262 in nanoseconds since 1970.
  private static let endOfRecords: Int64 = 9_214_646_400_000_000_000

  /// - Parameter time: Nanoseconds since 1970.
  package init(nanosecondsSince1970 time: Int64) {
    self.init(seconds: time / 1_000_000_000, nanoseconds: time % 1_000_000_000)
  }
}
