package import StreamEngine

/// The values of an input in the order of their times, as a recording.
package struct OrderedScript: Sendable {
  package private(set) var history = History()
  /// The places of the events that go to the input for late values.
  package private(set) var late: Set<Int> = []

  package init() {}

  package mutating func append(_ record: RecordOrder.Record, at time: StreamTime) {
    if record.isLate { late.insert(history.events.count) }
    append(.value(record.value), at: time)
  }

  /// The events for the input itself, or those for the input of its late values.
  package func history(ofLate isLate: Bool) -> History {
    History(history.events.enumerated().filter { late.contains($0.offset) == isLate }.map(\.element))
  }

  package mutating func append(_ event: ExecutionEvent, at time: StreamTime) {
    history.events.append(History.Event(time, event))
  }
}
