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
  func read(_ beforeBlocking: () throws(RunStop) -> Void) throws(RunStop) {
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: try feed.waitAndFill(beforeBlocking)
      case .end: return
      case .value(let value):
        do throws(Diagnostic) {
          let time = try clock.time(of: value)
          if let latest, time < latest { lateCount += 1 }
          latest = max(latest ?? time, time)
          head = Record(time: time, value: value)
        } catch {
          try feed.refuseLatest(error)
        }
      }
    }
  }

  /// Takes the next record off.
  func pop() -> Record? {
    defer { head = nil }
    return head
  }
}
