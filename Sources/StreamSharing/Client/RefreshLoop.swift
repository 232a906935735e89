internal import StreamKit
internal import Synchronization

/// Receives the outcome of each refresh of a repository.
protocol RepositoryFollower: AnyObject, Sendable {
  func take(_ refreshed: Result<RepositoryClient, TrustError>) async
}

/// Refreshes a repository for all its followers: by a schedule, and when it is asked to.
///
/// One refresh runs at a time. Requests during a refresh share the next one. Without followers nothing is scheduled.
final class RefreshLoop: Sendable {
  private struct State {
    var followers: [ObjectIdentifier: any RepositoryFollower] = [:]
    /// Followers that have not taken a refresh yet.
    var newcomers: [any RepositoryFollower] = []
    var checks: [CheckedContinuation<Void, Never>] = []
    /// Whether the scheduled time has come.
    var isDue = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let signal: AsyncStream<Void>.Continuation
  private let signals: AsyncStream<Void>
  private let schedule: RefreshSchedule
  private let clock: any Clock<Duration>
  private let refresh: @Sendable () async -> Result<RepositoryClient, TrustError>

  init(
    _ schedule: RefreshSchedule, _ clock: any Clock<Duration>,
    refresh: @escaping @Sendable () async -> Result<RepositoryClient, TrustError>
  ) {
    self.schedule = schedule
    self.clock = clock
    self.refresh = refresh
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func follow(_ follower: any RepositoryFollower) {
    state.withLock { state in
      state.followers[ObjectIdentifier(follower)] = follower
      state.newcomers.append(follower)
    }
    signal.yield()
  }

  func leave(_ follower: any RepositoryFollower) {
    state.withLock { state in
      state.followers[ObjectIdentifier(follower)] = nil
      state.newcomers.removeAll { $0 === follower }
    }
  }

  /// Refreshes, and returns when all followers have taken the outcome.
  func check() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.checks.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() } else { signal.yield() }
    }
  }

  /// Ends `run`.
  func stop() {
    let checks = state.withLock { state in
      state.isOver = true
      state.followers = [:]
      state.newcomers = []
      defer { state.checks = [] }
      return state.checks
    }
    signal.finish()
    for check in checks { check.resume() }
  }

  func run() async {
    var failureCount = 0
    var latest: RepositoryClient?
    var timer: StreamToken?
    for await _ in signals {
      let (isDue, checks, newcomers) = state.withLock { state in
        defer { (state.isDue, state.checks, state.newcomers) = (false, [], []) }
        return (state.isDue, state.checks, state.newcomers)
      }
      if !isDue, checks.isEmpty, let latest {
        // The next scheduled refresh is as near as for all others.
        await Self.tell(newcomers, .success(latest))
        continue
      }
      let isScheduled = isDue || timer == nil
      let refreshed = await refresh()
      let followers = state.withLock { Array($0.followers.values) }
      await Self.tell(followers, refreshed)
      for check in checks { check.resume() }
      latest = try? refreshed.get()
      failureCount = latest == nil ? failureCount + 1 : 0
      // A check between two scheduled refreshes does not postpone the second one: a cache may still have sent the old
      // files.
      guard isScheduled || latest == nil else { continue }
      timer?.cancel()
      timer = wake(after: schedule.delay(after: failureCount, Double.random(in: 0...1)))
    }
    timer?.cancel()
  }

  private static func tell(
    _ followers: [any RepositoryFollower], _ refreshed: Result<RepositoryClient, TrustError>
  ) async {
    await withTaskGroup { group in
      for follower in followers { group.addTask { await follower.take(refreshed) } }
    }
  }

  /// Signals after a time. Without followers, the next one to come does.
  private func wake(after delay: Duration) -> StreamToken {
    clock.schedule(after: delay) { [weak self] in
      guard let self else { return }
      let isDue = state.withLock { state in
        state.isDue = true
        return !state.followers.isEmpty
      }
      if isDue { signal.yield() }
    }
  }
}
