import StreamCore

/// The events of a subscriber with their times, on either side.
struct HeardHistory: Equatable, CustomStringConvertible {
  /// Something heard at an instant, in nanoseconds.
  struct Entry: Equatable {
    var time: Int64
    var event: HeardEvent
  }

  enum HeardEvent: Equatable {
    case value(Value)
    case finished
    case failure(OracleFailure)
  }

  /// Nothing later than this is heard, in nanoseconds.
  static let timeLimit: Int64 = 150_000_000
  /// No more than this is listened to.
  static let eventLimit = 200

  private(set) var entries: [Entry] = []
  private(set) var isOver = false

  mutating func handle(_ event: HeardEvent, at time: Int64) {
    guard !isOver else { return }
    entries.append(Entry(time: time, event: event))
    if case .value = event, entries.count < Self.eventLimit { return }
    isOver = true
  }

  /// With times in tenths of a microsecond.
  var rounded: HeardHistory {
    var history = self
    for index in history.entries.indices { history.entries[index].time /= 100 }
    return history
  }

  var description: String {
    entries.map { entry in
      let text =
        switch entry.event {
        case .value(let value): JSONWriter.compact(value)
        case .finished: "|"
        case .failure(.payload(let payload)): "#" + JSONWriter.compact(payload)
        case .failure(.expression): "#expression"
        case .failure(.full): "#full"
        }
      return "\(text)@\(Double(entry.time) / 1e6)"
    }.joined(separator: " ")
  }
}
