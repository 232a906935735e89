internal import Synchronization

/// A value created once, by the first thread that accesses it.
package final class Lazily<Content: Sendable>: Sendable {
  private let made = Mutex<Content?>(nil)

  package init() {}

  /// Returns the content; creates it with `make` if necessary, while other threads wait.
  package func content(_ make: () -> Content) -> Content {
    made.withLock { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }
}
