internal import StreamCore
internal import StreamRuntime

/// An input in event time: the record that comes next is known, and when it happened.
final class RecordQueue {
  /// A value and when it happened.
  struct Record {
    let time: Timestamp
    let value: Value
  }

  let feed: InputFeed
  private let clock: EventClock
  /// The record that comes next, if it has been read.
  private(set) var head: Record?
  /// The latest time so far.
  private var latest: Timestamp?
  /// How many records were older than one before them.
  private(set) var lateCount = 0

  init(_ feed: InputFeed, clock: EventClock) {
    self.feed = feed
    self.clock = clock
  }

  /// Reads the next record, unless it has been read already or there is none. May block.
  ///
  /// - Parameter fill: reads more of the file; false where something else is to be done first.
  func read(_ fill: (InputFeed) throws(RunStop) -> Bool) throws(RunStop) {
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: guard try fill(feed) else { return }
      case .end: return
      case .part: try keep(feed.whole())
      case .value(let value): try keep(value)
      }
    }
  }

  private func keep(_ value: Value) throws(RunStop) {
    do throws(Diagnostic) {
      let time = try clock.time(of: value)
      if let latest, time < latest { lateCount += 1 }
      latest = max(latest ?? time, time)
      head = Record(time: time, value: value)
    } catch {
      try feed.refuseLatest(error)
    }
  }

  /// Takes the next record off.
  func pop() -> Record? {
    defer { head = nil }
    return head
  }
}

/// The inputs in event time, by the files that feed them.
final class RecordQueues {
  private let clock: EventClock
  private var known: [ObjectIdentifier: RecordQueue] = [:]

  init(_ clock: EventClock) { self.clock = clock }

  func queue(of feed: InputFeed) -> RecordQueue {
    if let queue = known[ObjectIdentifier(feed)] { return queue }
    let queue = RecordQueue(feed, clock: clock)
    known[ObjectIdentifier(feed)] = queue
    return queue
  }

  /// How many records were older than one before them.
  var lateCount: Int { known.values.reduce(0) { $0 + $1.lateCount } }
}
