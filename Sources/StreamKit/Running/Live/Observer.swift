internal import StreamEngine
internal import Synchronization

/// A closure that receives the values of a feed until it is canceled.
final class Observer: Sendable {
  let tell: @Sendable (any Sendable) -> Void
  let end: @Sendable (Completion) -> Void
  private let hasGone = Atomic(false)

  init(
    tell: @escaping @Sendable (any Sendable) -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.tell = tell
    self.end = end
  }

  /// Whether the observer is canceled, also for events sent earlier.
  var isGone: Bool { hasGone.load(ordering: .acquiring) }

  func leave() { hasGone.store(true, ordering: .releasing) }
}
