internal import Synchronization

/// A clock that advances only when a test calls `advance(by:)`, for tests of code that awaits values.
///
/// ```swift
/// let clock = ManualClock()
/// var values = model.values(clock: clock).makeAsyncIterator()
/// async let first = values.next()
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
  /// Time since the creation of the clock.
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public init(offset: Duration = .zero) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Sleeper] = []
    /// Tasks that are about to sleep; one that is canceled before does not.
    var entering: Set<Int> = []
    /// Tasks that wait for a number of sleepers.
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock(\.now) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Returns when the clock has reached the deadline. Throws `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      state.entering.insert(state.nextID)
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          if state.entering.remove(id) == nil {
            continuation.resume(throwing: CancellationError())
            return []
          }
          guard deadline > state.now else {
            continuation.resume()
            return []
          }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          defer { state.watchers.removeAll { $0.count <= state.sleepers.count } }
          return state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
        }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.entering.remove(id)
          return nil
        }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the clock and resumes tasks whose deadline has passed, in the order of their deadlines.
  public func advance(by duration: Duration) {
    let awake = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let awake = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return awake
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Returns when at least `count` tasks are sleeping.
  public func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.sleepers.count < count { state.watchers.append((count, continuation)) }
        return state.sleepers.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}
