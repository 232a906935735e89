internal import StreamCore
internal import Synchronization

/// The newest events of a hub, with IDs that survive restarts.
final class EventLog: Sendable {
  /// Number of events that readers can be sent again.
  private let capacity: Int

  private struct State {
    /// The oldest first.
    var events: [(id: Int, bytes: [UInt8])] = []
    /// The ID of the newest event, or the one before the first.
    var newest: Int
    /// The ID before the oldest event that is known.
    var before: Int
  }

  private struct Lines: ~Copyable {
    var journal: Journal
    /// The lines of the newest events.
    var newest: [Value]
  }

  /// Locked while a line is written, which readers do not wait for.
  private let lines: Mutex<Lines>
  private let state: Mutex<State>
  /// The digest of the streams after the newest event when the log was opened; nil if there is none.
  let lastDigest: String?

  /// Opens the log.
  ///
  /// - Parameters:
  ///   - path: The file of the events.
  ///   - now: The current time, in seconds since 1970. A log that begins now has higher IDs than one that was lost.
  ///   - capacity: Number of events that readers can be sent again.
  init(_ path: String, now: Int64, capacity: Int = 1_000) throws(ServerError) {
    self.capacity = capacity
    var events: [(id: Int, bytes: [UInt8])] = []
    var lines: [Value] = []
    let journal = try Journal(path) { line in
      guard case .int(let id)? = line.member("id"), let type = line.member("type")?.text,
        let data = line.member("data")
      else { return }
      events.append((Int(id), Self.encode(id: Int(id), type: type, data: data)))
      lines.append(line)
    }
    events.removeFirst(max(0, events.count - capacity))
    lines.removeFirst(max(0, lines.count - capacity))
    let newest = events.last?.id ?? Int(now) * 1_000
    let before = (events.first?.id ?? newest + 1) - 1
    lastDigest = lines.last?.member("streams")?.text
    self.lines = Mutex(Lines(journal: journal, newest: lines))
    state = Mutex(State(events: events, newest: newest, before: before))
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - type: The kind of the event.
  ///   - data: Its content.
  ///   - digest: The digest of the streams after it.
  /// - Returns: Its ID and the encoded event. `isSaved` is false if the disk refuses it.
  func append(_ type: String, _ data: Value, digest: String = "") -> (id: Int, bytes: [UInt8], isSaved: Bool) {
    lines.withLock { lines in
      let id = state.withLock { $0.newest } + 1
      let bytes = Self.encode(id: id, type: type, data: data)
      let line = Value.object(
        ("id", .int(Int64(id))), ("type", .string(type)), ("data", data), ("streams", .string(digest)))
      let isSaved = lines.journal.append([line], isSafe: true)
      lines.newest.append(line)
      if lines.newest.count > capacity { lines.newest.removeFirst() }
      state.withLock { state in
        state.newest = id
        state.events.append((id, bytes))
        if state.events.count > capacity {
          state.events.removeFirst()
          state.before = state.events[0].id - 1
        }
      }
      return (id, bytes, isSaved)
    }
  }

  /// Removes old lines from the file when there are many.
  func compact() throws(ServerError) {
    let result = lines.withLock { lines -> Result<Void, ServerError> in
      guard lines.journal.lineCount > 4 * capacity else { return .success(()) }
      return Result { () throws(ServerError) in try lines.journal.replace(lines.newest) }
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
}
