internal import StreamCore
internal import StreamRuntime

/// An input in event time: the record that comes next is known, and when it happened.
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
  /// Number of records with an earlier time than a preceding one.
  @exclusivity(unchecked) private(set) var lateCount = 0

  init(_ feed: FileFeed, clock: EventClock) {
    self.feed = feed
    self.clock = clock
  }

  /// Reads the next record, unless it has been read already or there is none. May block.
  ///
  /// - Parameter fill: reads more of the file; false where something else is to be done first.
  func read(_ fill: (FileFeed) throws(RunStop) -> Bool) throws(RunStop) {
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: guard try fill(feed) else { return }
      case .end: return
      case .value(let value): try keep(value)
      }
    }
  }

  private func keep(_ value: Value) throws(RunStop) {
    do throws(Diagnostic) {
      let time = try clock.time(of: value)
      try requireInRange(time)
      note(time)
      head = Record(time: time, value: value)
    } catch {
      try feed.refuseLatest(error)
    }
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
  private var known: [ObjectIdentifier: RecordQueue] = [:]

  package init(_ clock: EventClock) { self.clock = clock }

  package func queue(of feed: FileFeed) -> RecordQueue {
    if let queue = known[ObjectIdentifier(feed)] { return queue }
    let queue = RecordQueue(feed, clock: clock)
    queue.origin = known.values.lazy.compactMap(\.origin).first
    known[ObjectIdentifier(feed)] = queue
    return queue
  }

  /// Number of records with an earlier time than a preceding one.
  var lateCount: Int { known.values.reduce(0) { $0 + $1.lateCount } }
}
