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
    /// Whether it goes to the input for late values.
    package let isLate: Bool

    package init(time: Timestamp, value: Value, isLate: Bool = false) {
      self.time = time
      self.value = value
      self.isLate = isLate
    }
  }

  /// The clock of the data; nil if records have no times.
  @exclusivity(unchecked) package private(set) var clock: InputClock?
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
  /// The watermark, if records are held or late ones are not applied; nil if each follows at once.
  @exclusivity(unchecked) private var watermark: Watermark?
  @exclusivity(unchecked) private var held = Heap<Held>()
  /// The values whose times are not confirmed; nil if the clock allows any jump, or the time is known.
  @exclusivity(unchecked) private(set) var firsts: FirstValues?
  /// The values that have waited for others to confirm the time, and are handled now.
  @exclusivity(unchecked) private var settled: [Settled] = []
  /// Number of records offered.
  @exclusivity(unchecked) private var count = 0
  /// The time up to which silence has lasted, from which a jump counts; nil if the newest time counts.
  @exclusivity(unchecked) private var endOfSilence: Timestamp?

  /// A value that has waited for others to confirm the time.
  package struct Settled {
    package let value: Value
    package let place: ValuePlace?
    package let handling: Result<Watermark.Fate, Diagnostic>
  }

  /// A record that the watermark has not passed.
  private struct Held: Comparable {
    let time: Int64
    /// The number of the record among all.
    let number: Int
    let value: Value
    let isLate: Bool

    static func < (first: Held, second: Held) -> Bool {
      first.time != second.time ? first.time < second.time : first.number < second.number
    }

    static func == (first: Held, second: Held) -> Bool { first.number == second.number }
  }

  /// - Parameter origin: Time zero of the stream, if it is known.
  package init(_ clock: InputClock?, origin: Timestamp? = nil) {
    self.clock = clock
    watermark = clock.flatMap { $0.isPlain ? nil : $0.watermark }
    if clock?.time.maxJump != nil { firsts = FirstValues() }
    self.origin = origin
  }

  /// Continues by the clock of another version of the stream. Records that have been read keep their time.
  package func use(_ clock: InputClock?) throws(Diagnostic) {
    settleAll()
    var newest = newestTime
    if newest == nil, let latest { newest = try latest.recordTime() }
    self.clock = clock
    firsts = newest == nil && clock?.time.maxJump != nil ? FirstValues() : nil
    guard let clock else {
      // The values that are held follow at once.
      if held.isEmpty { watermark = nil }
      return
    }
    guard !clock.isPlain || !held.isEmpty else {
      watermark = nil
      return
    }
    watermark = clock.watermark
    if let newest { watermark?.newest = newest }
  }

  /// Whether each record follows at once, at its own time or that of the latest one.
  package var isPlain: Bool { watermark == nil }

  /// Whether the handling of a record depends on its time alone, so that rows can be taken without creating their values.
  package var takesRows: Bool { watermark == nil }

  /// Whether no record is known or held.
  package var isEmpty: Bool { head == nil && held.isEmpty && firsts?.waiting.isEmpty ?? true && settled.isEmpty }

  /// Number of records that the watermark has not passed, or whose times are not confirmed.
  package var heldCount: Int { held.count + (firsts?.waiting.count ?? 0) }

  /// Takes the next record as it arrives.
  ///
  /// - Parameter place: The place of the value. Read only if the value waits for others to confirm the time.
  /// - Returns: The handling of the record. For one that waits, `takeSettled` has it later.
  /// - Throws: A `Diagnostic` without a place, of code `invalidEventTime`.
  package func offer(
    _ value: Value, from place: @autoclosure () -> ValuePlace? = nil
  ) throws(Diagnostic) -> Watermark.Fate {
    guard let clock else {
      head = Record(time: Timestamp(seconds: 0), value: value)
      return .onTime
    }
    let time = try clock.reader.time(of: value)
    try requireInRange(time)
    guard watermark != nil else {
      note(time)
      head = Record(time: time, value: value)
      return .onTime
    }
    let nanoseconds = try time.recordTime(clock.unit)
    if let decisions = firsts?.take(FirstValues.Waiting(time: time, value: value, place: place()), by: clock) {
      settle(decisions)
      if firsts?.waiting.isEmpty ?? true { firsts = nil }
      return .onTime
    }
    return try hold(value, time, nanoseconds)
  }

  /// Holds a value until the watermark has passed it, if it is not late.
  private func hold(
    _ value: Value, _ time: Timestamp, _ nanoseconds: Int64
  ) throws(Diagnostic) -> Watermark.Fate {
    var nanoseconds = nanoseconds
    if let newestTime {
      let newest = Timestamp(nanosecondsSince1970: newestTime)
      try clock?.requireNoJump(to: time, from: endOfSilence.map { max($0, newest) } ?? newest)
    }
    guard let fate = watermark?.note(&nanoseconds) else { return .onTime }
    count += 1
    if fate != .onTime { lateCount += 1 }
    switch fate {
    case .onTime, .applied: held.insert(Held(time: nanoseconds, number: count, value: value, isLate: false))
    // It counts as happening when it arrives.
    case .output where clock?.lateInput != nil:
      held.insert(Held(time: watermark?.time ?? 0, number: count, value: value, isLate: true))
    case .dropped, .output: break
    }
    return fate
  }

  private func settle(_ decisions: [FirstValues.Decision]) {
    for decision in decisions {
      switch decision {
      case .refused(let first, let problem):
        settled.append(Settled(value: first.value, place: first.place, handling: .failure(problem)))
      case .accepted(let first):
        let handling = Result<Watermark.Fate, Diagnostic> { () throws(Diagnostic) in
          try hold(first.value, first.time, first.time.recordTime())
        }
        settled.append(Settled(value: first.value, place: first.place, handling: handling))
      }
    }
  }

  /// Handles the values that wait, because none confirms their times.
  private func settleAll() {
    guard let decisions = firsts?.acceptAll(), !decisions.isEmpty else { return }
    firsts = nil
    settle(decisions)
  }

  /// Returns the values whose times are confirmed or refused since the last call, in the order of arrival.
  package func takeSettled() -> [Settled] {
    if settled.isEmpty { return [] }
    defer { settled = [] }
    return settled
  }

  /// The problem with more values that are held than the clock allows; nil if there is none.
  package var overflow: Diagnostic? {
    guard let limit = clock?.time.limit, held.count > limit, watermark?.lateness ?? 0 > 0 else { return nil }
    return Diagnostic(
      .limitExceeded, "more than \(limit.counted("value")) are held because of 'lateness'",
      help: "raise 'limit' at the input's 'time', or lower 'lateness'")
  }

  /// Lets time pass without values, so that the watermark moves.
  package func pass(to time: Timestamp) {
    settleAll()
    if watermark == nil {
      latest = max(latest ?? time, time)
    } else if let nanoseconds = try? time.recordTime(), let newest = watermark?.newest {
      watermark?.newest = max(newest, nanoseconds)
    }
  }

  /// Notes that a value arrives after a silence in which the input was idle: time has passed, though nothing moved the
  /// watermark. A value may be ahead by the length of the silence and `maxJump`.
  package func noteSilence(until time: Timestamp) { if clock?.time.maxJump != nil { endOfSilence = time } }

  /// Lets time pass that was spent without values: none, unless it is long enough for the input to be idle.
  package func passSilence(_ length: Interval) {
    guard let idle = clock?.time.idle, length.nanoseconds >= Interval(seconds: idle).nanoseconds, let newest else {
      return
    }
    pass(to: Timestamp(seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds) + length.nanoseconds))
  }

  /// The newest time so far, of all values that have been read; nil before the first one.
  package var newest: Timestamp? {
    newestTime.map { Timestamp(nanosecondsSince1970: $0) } ?? latest ?? firsts?.waiting.first?.time
  }

  /// When the next value that is held is delivered, in the time of the newest value; nil if none is held.
  package var releaseTime: Timestamp? {
    if let first = firsts?.waiting.first { return first.time }
    guard let watermark, let first = held.min else { return nil }
    return Timestamp(nanosecondsSince1970: first.time + watermark.lateness)
  }

  /// The time that no later value is before; nil before the first value.
  package var reached: Timestamp? {
    guard let watermark else { return latest }
    return watermark.newest == Watermark.none ? nil : Timestamp(nanosecondsSince1970: watermark.time)
  }

  /// The records that the watermark has not passed, in the order in which they were read.
  var heldRecords: [SavedOrder.SavedRecord] {
    held.unordered.sorted { $0.number < $1.number }
      .map { held in
        SavedOrder.SavedRecord(
          Record(time: Timestamp(nanosecondsSince1970: held.time), value: held.value, isLate: held.isLate))
      }
  }

  /// The newest time that the watermark has seen; nil if there is none.
  var newestTime: Int64? { watermark.flatMap { $0.newest == Watermark.none ? nil : $0.newest } }

  /// Continues from what was read and not delivered.
  ///
  /// - Throws: A `Diagnostic` if a time is out of range.
  package func restore(_ saved: SavedOrder, origin: Timestamp?) throws(Diagnostic) {
    self.origin = origin
    (latest, lateCount) = (saved.latest, saved.lateCount)
    head = saved.head?.record
    let waiting = saved.waiting ?? []
    if !saved.held.isEmpty || !waiting.isEmpty, watermark == nil { watermark = clock?.watermark }
    if let newest = saved.newest {
      watermark?.newest = newest
      firsts = nil
    }
    // The time may be known without a value: an input that was idle has that of the calendar.
    if !waiting.isEmpty {
      firsts = FirstValues(waiting: waiting.map { FirstValues.Waiting(time: $0.time, value: $0.value, place: nil) })
    }
    for record in saved.held {
      count += 1
      held.insert(
        Held(
          time: try record.time.recordTime(), number: count, value: record.value, isLate: record.isLate ?? false))
    }
  }

  /// Makes the first record known that the watermark has passed. At the end, those that are held follow.
  package func release() {
    if isFinished { settleAll() }
    guard head == nil, let watermark, let first = held.min,
      isFinished || clock == nil || first.time <= watermark.time
    else { return }
    held.removeMin()
    let time = Timestamp(nanosecondsSince1970: first.time)
    latest = time
    head = Record(time: time, value: first.value, isLate: first.isLate)
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
      help: EventTimeHelp.help(for: time, clock?.unit ?? .milliseconds))
  }
}
