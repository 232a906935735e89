import StreamCore
import StreamEngine
import StreamTesting
import Synchronization

@_spi(Driving) @testable import StreamKit

/// Virtual time for one stream, which checks that the stream never has two wakes, and counts them.
final class CountingKeeper: SchedulerAdapter, @unchecked Sendable {  // `state` is behind a mutex
  struct Counts: Equatable {
    var requested = 0
    var fired = 0
    var canceled = 0
    var pending: Int { requested - fired - canceled }
  }

  private struct State {
    var now = StreamTime.zero
    var actions = ActionQueue()
    var counts = Counts()
    /// The times of the wakes that are pending, by their numbers.
    var pending: [Int: StreamTime] = [:]
    var problems: [String] = []
  }

  private let state = Mutex(State())

  init() { super.init(takesWork: false) }

  override var now: StreamTime { state.withLock(\.now) }
  override var origin: Timestamp { Timestamp(seconds: 0) }

  override func wake(at time: StreamTime, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    let number = state.withLock { state in
      state.counts.requested += 1
      for earlier in state.pending.values where earlier <= time {
        state.problems.append("a wake at \(time.seconds) is requested, while one at \(earlier.seconds) is pending")
      }
      let number = state.counts.requested
      state.pending[number] = time
      _ = state.actions.add(at: time) { [self] in fire(number, action) }
      return number
    }
    return StreamToken { [self] in
      state.withLock { if $0.pending.removeValue(forKey: number) != nil { $0.counts.canceled += 1 } }
    }
  }

  private func fire(_ number: Int, _ action: () -> Void) {
    let isPending = state.withLock { state in
      guard state.pending.removeValue(forKey: number) != nil else { return false }
      state.counts.fired += 1
      return true
    }
    if isPending { action() }
  }

  var counts: Counts { state.withLock(\.counts) }

  /// Wakes that were requested while an earlier one was pending, and instants at which more than one was.
  var problems: [String] { state.withLock(\.problems) }

  /// Schedules an event that is not a wake of the stream.
  func schedule(at time: StreamTime, _ action: @escaping @Sendable () -> Void) {
    state.withLock { _ = $0.actions.add(at: time, action) }
  }

  /// Performs the next action, and notes more than one pending wake. Returns false if none is due.
  func step(through time: StreamTime = .distantFuture) -> Bool {
    let next = state.withLock { state in
      let next = state.actions.next(through: time)
      if let next { state.now = max(state.now, next.time) }
      return next
    }
    next?.action()
    state.withLock { state in
      if state.pending.count > 1 { state.problems.append("\(state.pending.count) wakes are pending") }
    }
    return next != nil
  }
}

/// A test clock that counts the sleeps.
final class CountingClock: Clock {
  struct Counts {
    var begun = 0
    var pending = 0
    /// The greatest number of sleeps at one time.
    var most = 0
  }

  let time = ManualClock()
  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }
  var now: ManualClock.Instant { time.now }
  var minimumResolution: Duration { time.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    state.withLock { counts in
      counts.begun += 1
      counts.pending += 1
      counts.most = max(counts.most, counts.pending)
    }
    defer { state.withLock { $0.pending -= 1 } }
    try await time.sleep(until: deadline, tolerance: tolerance)
  }
}
