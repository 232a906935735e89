internal import HeapModule
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// An input in event time: the record that comes next is known, and when it happened.
///
/// With a lateness, records are held until the watermark has passed them.
package final class RecordQueue {
  /// A value and when it happened.
  struct Record {
    let time: Timestamp
    let value: Value
  }

  let feed: FileFeed
  let clock: EventClock
  /// Time zero of the stream; nil until the first records have been read.
  @exclusivity(unchecked) fileprivate(set) var origin: Timestamp?
  /// The record that comes next, if it has been read.
  @exclusivity(unchecked) private(set) var head: Record?
  /// The latest time so far.
  @exclusivity(unchecked) private var latest: Timestamp?
  /// The times of the rows read last.
  @exclusivity(unchecked) var rowTimes = RowTimes()
  /// Number of records behind the watermark.
  @exclusivity(unchecked) private(set) var lateCount = 0
  /// The watermark, if records are held or late ones are not applied.
  @exclusivity(unchecked) private var watermark: Watermark?
  @exclusivity(unchecked) private var held = Heap<Held>()
  private let lateOutput: LateOutput?

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

  init(_ feed: FileFeed, clock: EventClock, watermark: Watermark = Watermark(), lateOutput: LateOutput? = nil) {
    self.feed = feed
    self.clock = clock
    self.watermark = watermark.isPlain ? nil : watermark
    self.lateOutput = lateOutput
  }

  /// Whether rows of the file can be taken without creating their values.
  var takesRows: Bool { watermark == nil && clock.field != nil }

  /// Reads the next record, unless it has been read already or there is none. May block.
  ///
  /// - Parameter fill: reads more of the file; false where something else is to be done first.
  func read(_ fill: (FileFeed) throws(RunStop) -> Bool) throws(RunStop) {
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: guard try fill(feed) else { return }
      case .end: break
      case .value(let value): try keep(value)
      }
      release()
    }
    // At the end, those that are held follow one after another.
    if head == nil { release() }
  }

  /// Whether there are no more records.
  var isDone: Bool { feed.isDone && head == nil && held.isEmpty }

  /// Lets the first record go that the watermark has passed.
  private func release() {
    guard head == nil, let watermark, let first = held.min, feed.isDone || first.time <= watermark.time else { return }
    held.removeMin()
    let time = Timestamp(nanosecondsSince1970: first.time)
    latest = time
    head = Record(time: time, value: first.value)
  }

  /// Holds a record, unless it is late and is not applied.
  ///
  /// - Parameter time: Nanoseconds since 1970.
  private func hold(_ value: Value, at time: Int64) throws(RunStop) {
    var time = time
    guard let fate = watermark?.note(&time) else { return }
    if fate != .onTime { lateCount += 1 }
    switch fate {
    case .onTime, .applied: held.insert(Held(time: time, number: feed.count, value: value))
    case .dropped: break
    case .output: try lateOutput?.write(value)
    }
  }

  private func keep(_ value: Value) throws(RunStop) {
    let time: Timestamp
    var nanoseconds: Int64 = 0
    do throws(Diagnostic) {
      time = try clock.time(of: value)
      try requireInRange(time)
      if watermark != nil { nanoseconds = try time.recordTime() }
    } catch {
      return try feed.refuseLatest(error)
    }
    if watermark != nil { return try hold(value, at: nanoseconds) }
    note(time)
    head = Record(time: time, value: value)
  }

  /// Notes the time of the record that comes next.
  func note(_ time: Timestamp) {
    if let latest, time < latest { lateCount += 1 } else { latest = time }
  }

  /// The latest time so far, in the stream's time.
  var present: StreamTime {
    guard let latest, let origin else { return .zero }
    return latest.streamTime(since: origin)
  }

  /// Time zero of the stream is known from now on; refuses the next record if its time is out of range then.
  func begin(at origin: Timestamp) throws(RunStop) {
    self.origin = origin
    guard let head else { return }
    do throws(Diagnostic) {
      try requireInRange(head.time)
    } catch {
      self.head = nil
      latest = nil
      try feed.refuseLatest(error)
    }
  }

  /// Whether a time is at most 292 years after time zero of the stream, if that is known.
  func isInRange(_ time: Timestamp) -> Bool { origin.map { time.streamTime(since: $0) < .distantFuture } ?? true }

  private func requireInRange(_ time: Timestamp) throws(Diagnostic) {
    if isInRange(time) { return }
    let first = origin?.rfc3339 ?? ""
    throw Diagnostic(
      .invalidEventTime,
      "the event time is \(time.rfc3339), more than 292 years after the first, which is \(first)",
      help: "expected milliseconds since 1970; divide microseconds by 1000")
  }

  /// Takes the next record off.
  func pop() -> Record? {
    defer { head = nil }
    return head
  }
}

/// The inputs in event time, by the files that feed them.
package final class RecordQueues {
  private let clock: EventClock
  let watermark: Watermark
  private let lateOutput: LateOutput?
  private var known: [ObjectIdentifier: RecordQueue] = [:]

  package init(_ clock: EventClock, watermark: Watermark = Watermark(), lateOutput: LateOutput? = nil) {
    self.clock = clock
    self.watermark = watermark
    self.lateOutput = lateOutput
  }

  package func queue(of feed: FileFeed) -> RecordQueue {
    if let queue = known[ObjectIdentifier(feed)] { return queue }
    let queue = RecordQueue(feed, clock: clock, watermark: watermark, lateOutput: lateOutput)
    queue.origin = known.values.lazy.compactMap(\.origin).first
    known[ObjectIdentifier(feed)] = queue
    return queue
  }

  /// Number of records behind the watermark.
  var lateCount: Int { known.values.reduce(0) { $0 + $1.lateCount } }
}
