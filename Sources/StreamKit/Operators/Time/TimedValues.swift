internal import DequeModule
internal import StreamCore
internal import StreamRuntime

/// Values that wait in a row, each for an instant.
struct TimedValues: Sendable {
  /// When a value is due, and its place in the order of what is due then.
  struct Due: Sendable {
    let deadline: StreamTime
    let ticket: Int64
  }

  private var values = ValueRing()
  private var dues: Deque<Due> = []

  var count: Int { dues.count }

  var isEmpty: Bool { dues.isEmpty }

  /// When the first is due.
  var first: Due? { dues.first }

  mutating func append(_ value: Value, at deadline: StreamTime, ticket: Int64) {
    values.append(value)
    dues.append(Due(deadline: deadline, ticket: ticket))
  }

  mutating func popFirst() -> Value? {
    _ = dues.popFirst()
    return values.popFirst()
  }
}

extension TimedValues: Codable {
  private struct Entry: Codable {
    let deadline: StreamTime
    let ticket: Int64
    let value: Value
  }

  init(from decoder: any Decoder) throws {
    for entry in try Deque<Entry>(from: decoder) { append(entry.value, at: entry.deadline, ticket: entry.ticket) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (due, value) in zip(dues, values.all) {
      try container.encode(Entry(deadline: due.deadline, ticket: due.ticket, value: value))
    }
  }
}
