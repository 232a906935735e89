internal import HeapModule
package import StreamCore
package import StreamEngine

/// The records of an input: by the clock of the data, each gets the time at which it happened, and is held until the
/// watermark has passed it. Without one, they follow as they come.
///
/// This is the meaning of `time`, `lateness` and `late` for everything that runs a stream on recorded data.
package final class RecordOrder {
  /// A value and when it happened.
  package struct Record {
    package let time: Timestamp
    package let value: Value

    package init(time: Timestamp, value: Value) {
      self.time = time
      self.value = value
    }
  }

  /// The clock of the data; nil if records have no times.
  package let clock: EventClock?
  /// Time zero of the stream; nil until it is known.
  @exclusivity(unchecked) package private(set) var origin: Timestamp?
  /// The record that comes next, if it is known.
  @exclusivity(unchecked) package private(set) var head: Record?
  /// Number of records behind the watermark.
  @exclusivity(unchecked) package private(set) var lateCount = 0
  /// Whether no more records are offered.
  @exclusivity(unchecked) package var isFinished = false
  /// The latest time so far: when the record that comes next happens, or the latest one before it.
  @exclusivity(unchecked) package private(set) var latest: Timestamp?
  /// The watermark, if records are held or late ones are not applied.
  @exclusivity(unchecked) private var watermark: Watermark?
  @exclusivity(unchecked) private var held = Heap<Held>()
  /// Number of records offered.
  @exclusivity(unchecked) private var count = 0

  /// A record that the watermark has not passed.
  private struct Held: Comparable {
    let time: Int64
    /// The number of the record among all.
    let number: Int
    let value: Value

    static func < (first: Held, second: Held) -> Bool {
      first.time != second.time ? first.time < second.time : first.number < second.number
    }

    static func == (first: Held, second: Held) -> Bool { first.number == second.number }
  }

  /// - Parameter origin: Time zero of the stream, if it is known.
  package init(_ clock: EventClock?, watermark: Watermark, origin: Timestamp? = nil) {
    self.clock = clock
    self.watermark = clock == nil || watermark.isPlain ? nil : watermark
    self.origin = origin
  }

  /// Whether each record follows at once, at its own time or that of the latest one.
  package var isPlain: Bool { watermark == nil }

  /// Whether no record is known or held.
  package var isEmpty: Bool { head == nil && held.isEmpty }

  /// Number of records that the watermark has not passed.
  package var heldCount: Int { held.count }

  /// Takes the next record as it arrives.
  ///
  /// - Returns: How it is handled.
  /// - Throws: A `Diagnostic` without a place, of code `invalidEventTime`.
  package func offer(_ value: Value) throws(Diagnostic) -> Watermark.Fate {
    guard let clock else {
      head = Record(time: Timestamp(seconds: 0), value: value)
      return .onTime
    }
    let time = try clock.time(of: value)
    try requireInRange(time)
    guard watermark != nil else {
      note(time)
      head = Record(time: time, value: value)
      return .onTime
    }
    var nanoseconds = try time.recordTime()
    guard let fate = watermark?.note(&nanoseconds) else { return .onTime }
    count += 1
    if fate != .onTime { lateCount += 1 }
    switch fate {
    case .onTime, .applied: held.insert(Held(time: nanoseconds, number: count, value: value))
    case .dropped, .output: break
    }
    return fate
  }

  /// The records that the watermark has not passed, in the order in which they were read.
  var heldRecords: [SavedOrder.SavedRecord] {
    held.unordered.sorted { $0.number < $1.number }
      .map { SavedOrder.SavedRecord(time: Timestamp(nanosecondsSince1970: $0.time), value: $0.value) }
  }

  /// The newest time that the watermark has seen; nil if there is none.
  var newestTime: Int64? { watermark.flatMap { $0.newest == Watermark.none ? nil : $0.newest } }

  /// Continues from what was read and not delivered.
  ///
  /// - Throws: A `Diagnostic` if a time is out of range.
  package func restore(_ saved: SavedOrder, origin: Timestamp) throws(Diagnostic) {
    self.origin = origin
    (latest, lateCount) = (saved.latest, saved.lateCount)
    head = saved.head.map { Record(time: $0.time, value: $0.value) }
    if let newest = saved.newest { watermark?.newest = newest }
    for record in saved.held {
      count += 1
      held.insert(Held(time: try record.time.recordTime(), number: count, value: record.value))
    }
  }

  /// Makes the first record known that the watermark has passed. At the end, those that are held follow.
  package func release() {
    guard head == nil, let watermark, let first = held.min, isFinished || first.time <= watermark.time else { return }
    held.removeMin()
    let time = Timestamp(nanosecondsSince1970: first.time)
    latest = time
    head = Record(time: time, value: first.value)
  }

  /// Takes the next record off.
  package func pop() -> Record? {
    defer { head = nil }
    return head
  }

  /// Notes the time of the record that comes next.
  package func note(_ time: Timestamp) {
    if let latest, time < latest { lateCount += 1 } else { latest = time }
  }

  /// The latest time so far, in the stream's time: when the record that comes next counts as happened.
  package var present: StreamTime {
    guard let latest, let origin else { return .zero }
    return latest.streamTime(since: origin)
  }

  /// Sets time zero of the stream. Drops the next record if its time is out of range then.
  ///
  /// - Throws: A `Diagnostic` without a place, of code `invalidEventTime`.
  package func begin(at origin: Timestamp) throws(Diagnostic) {
    self.origin = origin
    guard let head else { return }
    do throws(Diagnostic) {
      try requireInRange(head.time)
    } catch {
      self.head = nil
      latest = nil
      throw error
    }
  }

  /// Whether a time is at most 292 years after time zero of the stream, if that is known.
  package func isInRange(_ time: Timestamp) -> Bool {
    origin.map { time.streamTime(since: $0) < .distantFuture } ?? true
  }

  private func requireInRange(_ time: Timestamp) throws(Diagnostic) {
    if isInRange(time) { return }
    let first = origin?.rfc3339 ?? ""
    throw Diagnostic(
      .invalidEventTime,
      "the event time is \(time.rfc3339), more than 292 years after the first, which is \(first)",
      help: EventTimeHelp.help(for: time))
  }
}
