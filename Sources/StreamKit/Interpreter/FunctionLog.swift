internal import Synchronization

/// Collects the names of the functions that a file, and the files that it names, call.
package final class FunctionLog: Sendable {
  private let found = Mutex<Set<String>>([])

  package init() {}

  /// The names, sorted.
  package var names: [String] { found.withLock { $0.sorted() } }

  func add(_ name: String) { found.withLock { _ = $0.insert(name) } }
}
