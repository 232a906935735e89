package import StreamCore

/// The event time that a sequence of records has reached, and the handling of records behind it.
///
/// The watermark is the newest time less the lateness: no record that follows is delivered with an earlier time. All
/// times are in nanoseconds since 1970.
package struct Watermark: Sendable {
  /// Nanoseconds by which a record may be older than the newest one, 0 or more.
  package let lateness: Int64
  package let late: StreamModel.Partition.Late
  /// The newest time so far; `none` before the first record.
  package var newest = Self.none

  /// Before any time.
  package static let none = Int64.min
  /// After any time.
  package static let never = Int64.max

  package init(
    lateness seconds: Double = StreamModel.Partition.defaultLateness,
    late: StreamModel.Partition.Late = StreamModel.Partition.defaultLate
  ) {
    lateness = Int64((seconds * 1e9).rounded())
    self.late = late
  }

  package init(_ partition: StreamModel.Partition) {
    self.init(
      lateness: partition.lateness ?? StreamModel.Partition.defaultLateness,
      late: partition.late ?? StreamModel.Partition.defaultLate)
  }

  /// Creates the watermark of a stream; the plain one if its records have no event time of its own.
  package init(of model: StreamModel) { self = model.partition.map(Watermark.init) ?? Watermark() }

  /// Whether records are delivered as they come, each at its own time or that of the newest one.
  package var isPlain: Bool { lateness == 0 && late == .apply }

  /// Returns the warnings about records: those that came late, and times that seem to be in seconds.
  ///
  /// - Parameters:
  ///   - latest: The latest time of a record; nil if there was none.
  ///   - output: The name of the output for late values.
  package func warnings(lateCount count: Int, latest: Timestamp?, output: String?) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if count > 0 {
      warnings.append(
        Diagnostic(
          .invalidEventTime, account(ofLate: count, "value", output: output ?? "the output for late values"),
          severity: .warning,
          help: "'lateness' in 'partition' is the time by which values may be out of order, in seconds"))
    }
    // The seconds since 1970 of the years from 2001 to 2033, read as milliseconds.
    if let latest, (1_000_000..<2_000_000).contains(latest.seconds) {
      warnings.append(
        Diagnostic(
          .invalidEventTime, "the latest event time is \(latest.rfc3339), as if times were given in seconds",
          severity: .warning, help: "a number is a time in milliseconds since 1970; multiply seconds by 1000"))
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
  /// - Throws: `invalidEventTime` for an instant before 1970 or after the year 2261.
  package func recordTime() throws(Diagnostic) -> Int64 {
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (total, overflow2) = whole.addingReportingOverflow(Int64(nanoseconds))
    if !overflow, !overflow2, total >= 0, total < Self.endOfRecords { return total }
    throw Diagnostic(
      .invalidEventTime, "the event time is \(rfc3339); expected a time from 1970 to 2261",
      help: EventTimeHelp.help(for: self))
  }

  /// The start of the year 2262 in nanoseconds since 1970.
  private static let endOfRecords: Int64 = 9_214_646_400_000_000_000

  /// - Parameter time: Nanoseconds since 1970, 0 or more.
  package init(nanosecondsSince1970 time: Int64) {
    self.init(seconds: time / 1_000_000_000, nanoseconds: time % 1_000_000_000)
  }
}
