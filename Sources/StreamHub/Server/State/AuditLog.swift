internal import StreamCore
internal import Synchronization

/// The authors of all changes, in a file that only grows: one line per change or refused change.
final class AuditLog: Sendable {
  private struct State: ~Copyable {
    var journal: Journal
  }

  private let state: Mutex<State>

  init(_ path: String) throws(ServerError) {
    state = Mutex(State(journal: try Journal(path) { _ in }))
  }

  /// Appends a line.
  ///
  /// - Parameters:
  ///   - action: For example `publish`.
  ///   - actor: The ID of a token, or `hub`.
  /// - Returns: Whether it is on disk.
  func note(_ action: String, by actor: String, _ fields: [(name: String, value: Value)]) -> Bool {
    let known: [(Value, Value)] = [
      ("time", .string(Timestamp(seconds: SystemClock.seconds).rfc3339)), ("action", .string(action)),
      ("actor", .string(actor)),
    ]
    let line = Value.map(ValueMap(known + fields.map { (.string($0.name), $0.value) }))
    return state.withLock { $0.journal.append([line], isSafe: true) }
  }
}
