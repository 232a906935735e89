#if Sharing
internal import StreamCore
internal import Synchronization

/// The newest events of a hub, with IDs that survive restarts.
final class EventLog: Sendable {
  /// Number of events that readers can be sent again.
  private let capacity: Int

  private struct State: ~Copyable {
    var journal: Journal
    /// The oldest first.
    var events: [(id: Int, bytes: [UInt8])] = []
    /// The ID of the newest event, or the one before the first.
    var newest: Int
    /// The ID before the oldest event that is known.
    var before: Int
  }

  private let state: Mutex<State>

  /// Opens the log.
  ///
  /// - Parameters:
  ///   - path: The file of the events.
  ///   - now: The current time, in seconds since 1970. A log that begins now has higher IDs than one that was lost.
  ///   - capacity: Number of events that readers can be sent again.
  init(_ path: String, now: Int64, capacity: Int = 1_000) throws(ServerError) {
    self.capacity = capacity
    var events: [(id: Int, bytes: [UInt8])] = []
    let journal = try Journal(path) { line in
      guard case .int(let id)? = line.member("id"), let type = line.member("type")?.text,
        let data = line.member("data")
      else { return }
      events.append((Int(id), Self.encode(id: Int(id), type: type, data: data)))
    }
    events.removeFirst(max(0, events.count - capacity))
    let newest = events.last?.id ?? Int(now) * 1_000
    let before = (events.first?.id ?? newest + 1) - 1
    state = Mutex(State(journal: journal, events: events, newest: newest, before: before))
  }

  /// Adds an event.
  ///
  /// - Returns: Its ID and the encoded event. `isSaved` is false if the disk refuses it.
  func append(_ type: String, _ data: Value) -> (id: Int, bytes: [UInt8], isSaved: Bool) {
    state.withLock { state in
      let id = state.newest + 1
      let bytes = Self.encode(id: id, type: type, data: data)
      let line = Value.object(("id", .int(Int64(id))), ("type", .string(type)), ("data", data))
      let isSaved = state.journal.append([line], isSafe: true)
      state.newest = id
      state.events.append((id, bytes))
      if state.events.count > capacity {
        state.events.removeFirst()
        state.before = state.events[0].id - 1
      }
      return (id, bytes, isSaved)
    }
  }

  /// Removes old lines from the file when there are many.
  func compact() throws(ServerError) {
    let result = state.withLock { state -> Result<Void, ServerError> in
      guard state.journal.lineCount > 4 * capacity else { return .success(()) }
      let lines = state.events.compactMap { Self.line(of: $0.bytes) }
      return Result { () throws(ServerError) in try state.journal.replace(lines) }
    }
    try result.get()
  }

  /// The beginning of a stream of events for a reader.
  ///
  /// - Parameters:
  ///   - last: The ID of the last event that the reader has; nil for a new reader.
  ///   - retry: The pause before the reader connects again, in milliseconds.
  /// - Returns: The bytes, and the ID of the last event in them.
  func beginning(after last: String?, retry: Int) -> (bytes: [UInt8], id: Int) {
    state.withLock { state in
      var bytes = Array("retry: \(retry)\nid: \(state.newest)\n\n".utf8)
      guard let last else { return (bytes, state.newest) }
      guard let id = Int(last), id >= state.before, id <= state.newest else {
        bytes = Array("retry: \(retry)\n\n".utf8)
        bytes += Self.encode(id: state.newest, type: "reset", data: .map(ValueMap()))
        return (bytes, state.newest)
      }
      bytes = Array("retry: \(retry)\n\n".utf8)
      for event in state.events where event.id > id { bytes += event.bytes }
      return (bytes, state.newest)
    }
  }

  private static func encode(id: Int, type: String, data: Value) -> [UInt8] {
    Array("id: \(id)\nevent: \(type)\ndata: \(JSONWriter.compact(data))\n\n".utf8)
  }

  private static func line(of bytes: [UInt8]) -> Value? {
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1)
    }
    var reader = JSONReader()
    guard fields.count == 3, fields.allSatisfy({ $0.count == 2 }), let id = Int64(fields[0][1]),
      let data = try? reader.read(String(fields[2][1]))
    else { return nil }
    return .object(("id", .int(id)), ("type", .string(String(fields[1][1]))), ("data", data))
  }
}
#endif
