internal import CLibrary
internal import Dispatch
internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// The log of a hub: JSON lines with `time`, `level`, `event` and the fields of the event.
///
/// Lines are written on a queue, so that a slow reader of the log delays no request; surplus lines are counted.
final class HubLog: Sendable {
  enum Level: String, Sendable {
    case info, warning, error
  }

  private let queue = DispatchQueue(label: "streamhub.log")
  private let waiting = Mutex((count: 0, dropped: 0))
  private let write: @Sendable (String) -> Void
  private static let capacity = 10_000

  /// - Parameter write: Writes a line; by default to standard error.
  init(_ write: @escaping @Sendable (String) -> Void = { try? FileDescriptor.standardError.write($0) }) {
    self.write = write
  }

  func note(_ level: Level = .info, _ event: String, _ fields: [(name: String, value: Value)] = []) {
    let now = Timestamp(millisecondsSince1970: SystemClock.milliseconds)
    let isDropped = waiting.withLock { waiting in
      guard waiting.count < Self.capacity else {
        waiting.dropped += 1
        return true
      }
      waiting.count += 1
      return false
    }
    if isDropped { return }
    queue.async { [self] in
      let dropped = waiting.withLock { waiting in
        defer { waiting = (waiting.count - 1, 0) }
        return waiting.dropped
      }
      let known: [(Value, Value)] = [
        ("time", .string(now.rfc3339)), ("level", .string(level.rawValue)), ("event", .string(event)),
      ]
      var map = ValueMap(known + fields.map { (.string($0.name), $0.value) })
      if dropped > 0 { map = map.setting("droppedLines", .int(Int64(dropped))) }
      write(VisibleText.json(JSONWriter.compact(.map(map))) + "\n")
    }
  }

  /// Waits until all lines are written.
  func flush() { queue.sync {} }
}

/// The time of the system.
enum SystemClock {
  /// In seconds since 1970.
  static var seconds: Int64 { Int64(time(nil)) }

  /// In milliseconds since 1970.
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
