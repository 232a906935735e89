internal import Synchronization

/// What is made when it is asked for first, once, by whichever thread comes first.
package final class Lazily<Content: Sendable>: Sendable {
  private let made = Mutex<Content?>(nil)

  package init() {}

  /// The content; `make` makes it where there is none yet, while others wait.
  package func content(_ make: () -> Content) -> Content {
    made.withLock { made in
      if let made { return made }
      let new = make()
      made = new
      return new
    }
  }
}
