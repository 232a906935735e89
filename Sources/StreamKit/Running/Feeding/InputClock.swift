package import StreamCore
package import StreamEngine

/// A description of event time by the command line or an app: it replaces that of a file.
package struct EventTimeRequest: Hashable, Sendable {
  /// The expression for the time of a value, of all inputs.
  package var expression: String?
  package var unit: Pipeline.Input.TimeUnit?
  package var lateness: Double?
  package var late: Pipeline.Input.Late?
  package var maxJump: Double?
  package var idle: Double?

  package init() {}

  package init(expression: String?) { self.expression = expression }

  /// The first option beside the expression that is given; nil if there is none.
  package var firstDetail: String? {
    [
      ("--unit", unit != nil), ("--lateness", lateness != nil), ("--late", late != nil),
      ("--max-jump", maxJump != nil), ("--idle", idle != nil),
    ].first(where: \.1)?.0
  }

  /// The first option that is given.
  package var firstOption: String { expression == nil ? firstDetail ?? "" : "--event-time" }

  /// Whether nothing is requested.
  package var isEmpty: Bool { expression == nil && firstDetail == nil }

  /// Returns the clock of an input.
  ///
  /// - Parameter declared: The clock that the file gives it; nil for none.
  package func applied(to declared: InputTime?) -> InputTime? {
    var time: InputTime
    if let expression {
      time = declared ?? InputTime(expression)
      if time.expression != expression { (time.expression, time.unit) = (expression, .milliseconds) }
    } else if let declared {
      time = declared
    } else {
      return nil
    }
    time.unit = unit ?? time.unit
    time.lateness = lateness ?? time.lateness
    time.late = late ?? time.late
    time.maxJump = maxJump ?? time.maxJump
    time.idle = idle ?? time.idle
    return time
  }
}

/// The clock of an input, ready to read the times of its values.
///
/// NB: A class, because it is read for each record, and a copy of its parts would take longer than the reading.
package final class InputClock {
  package let time: InputTime
  package let reader: EventClock
  /// The watermark before the first value.
  package let watermark: Watermark
  /// The number of the input that receives the late values; nil if no stream reads them.
  package let lateInput: Int?
  /// Nanoseconds by which a value may be ahead of the newest one.
  private let maxJump: Int64?

  /// - Throws: The errors in the expression, with locations.
  package init(_ time: InputTime, lateInput: Int? = nil) throws(Diagnostics) {
    self.time = time
    self.lateInput = lateInput
    reader = try EventClock(time.expression, unit: time.unit, constants: time.constants)
    watermark = Watermark(time)
    maxJump = time.maxJump.map { Interval(seconds: $0).nanoseconds }
  }

  package var unit: Pipeline.Input.TimeUnit { time.unit }

  /// Whether records are delivered as they come, each at its own time or that of the newest one, and any time is valid.
  package var isPlain: Bool { watermark.isPlain && maxJump == nil }

  /// The member of the clock that causes records to be held.
  package var holdingMember: String { watermark.isPlain ? "maxJump" : "lateness" }

  /// Requires that a time is not too far ahead of the newest one.
  ///
  /// - Throws: A diagnostic of code `invalidEventTime`.
  package func requireNoJump(to time: Timestamp, from newest: Timestamp) throws(Diagnostic) {
    guard let maxJump, newest < time else { return }
    let limit = Timestamp(seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds) + maxJump)
    guard limit < time else { return }
    throw Diagnostic(
      .invalidEventTime,
      "the event time is \(time.rfc3339), more than "
        + "\(JSONWriter.compact(.seconds(self.time.maxJump ?? 0))) s after the newest one, which is \(newest.rfc3339)",
      help: Self.helpWithJumps)
  }

  private static let helpWithJumps = "a value may be ahead by 'maxJump' seconds: in the file, or --max-jump"

  /// Whether two of the first values agree about the time: the later one to arrive is not too far ahead, and not so late
  /// that one of them must be wrong.
  func agree(_ first: Timestamp, _ second: Timestamp) -> Bool {
    guard let maxJump else { return true }
    let (ahead, behind) = (second.streamTime(since: first), first.streamTime(since: second))
    return ahead.nanoseconds <= maxJump && behind.nanoseconds <= max(maxJump, watermark.lateness)
  }

  /// Returns the problem with the first value, which agrees with neither of the next two.
  func disagreement(of first: Timestamp, with second: Timestamp, _ third: Timestamp) -> Diagnostic {
    Diagnostic(
      .invalidEventTime,
      "the event time is \(first.rfc3339), more than \(JSONWriter.compact(.seconds(time.maxJump ?? 0))) s from those of "
        + "the next values, which are \(second.rfc3339) and \(third.rfc3339)",
      help: Self.helpWithJumps)
  }

  /// Returns the warnings about records: those that came late, and times that seem to be in another unit.
  package func warnings(lateCount: Int, latest: Timestamp?, output: String?) -> [Diagnostic] {
    watermark.warnings(
      lateCount: lateCount, latest: reader.isTimestamp ? nil : latest, time.unit,
      output: output ?? (lateInput == nil ? nil : "the streams of late values"))
  }
}

/// The clocks of the inputs of a stream, by name.
package struct InputClocks {
  private let clocks: [String: InputClock]

  /// No input has a clock.
  package init() { clocks = [:] }

  /// - Throws: The errors in the expressions, with locations.
  package init(of pipeline: Pipeline, _ request: EventTimeRequest = EventTimeRequest()) throws(Diagnostics) {
    var clocks: [String: InputClock] = [:]
    for (number, input) in pipeline.inputs.enumerated() where input.lateOf == nil {
      guard let time = request.applied(to: input.time) else { continue }
      clocks[input.name] = try InputClock(time, lateInput: pipeline.lateInput(of: number))
    }
    self.clocks = clocks
  }

  /// Whether no input has a clock: time does not follow the data.
  package var isEmpty: Bool { clocks.isEmpty }

  package subscript(name: String) -> InputClock? { clocks[name] }

  package var all: some Collection<InputClock> { clocks.values }
}
