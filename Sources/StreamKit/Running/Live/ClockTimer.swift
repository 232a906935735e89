internal import StreamEngine

/// Performs actions when a clock has reached their times, by tasks that sleep. One sleep serves the actions of any number
/// of streams.
///
/// A sleep that is too late for a new action is not canceled, but continues beside a second one: the Swift runtime
/// keeps 0.7 KB for a canceled sleep until its time.
final class ClockTimer<C: Clock>: @unchecked Sendable where C.Duration == Duration {  // `lock` protects what is `var`
  private let clock: C
  private let start: C.Instant
  /// Whether sleeps go on when no action is left, for the next ones.
  private let isShared: Bool
  private let lock = Lock()
  private var actions = ActionQueue()
  /// The sleeps that have not ended, the latest first.
  private var sleeps: [Sleep] = []
  private var count = 0

  private struct Sleep {
    let time: StreamTime
    let number: Int
    var task: Task<Void, Never>?
  }

  /// Number of sleeps that end when their actions are due. Others end after a power of two of seconds, or within a
  /// second, so that there are few even if each new action comes before all others.
  private static var exactCount: Int { 4 }

  init(_ clock: C, isShared: Bool) {
    self.clock = clock
    self.isShared = isShared
    start = clock.now
  }

  /// Number of sleeps that have not ended.
  var sleepCount: Int { lock.withLock { sleeps.count } }

  private var now: StreamTime { StreamTime(start.duration(to: clock.now)) }

  /// Performs an action at or after an instant, unless the token is canceled or released before.
  func schedule(at instant: C.Instant, _ action: @escaping @Sendable () -> Void) -> StreamToken {
    let (time, now) = (StreamTime(start.duration(to: instant)), now)
    let (number, sleep) = lock.withLock { (actions.add(at: time, action), neededSleep(at: now)) }
    if let sleep { begin(sleep) }
    return StreamToken { self.cancel(number) }
  }

  private func cancel(_ number: Int) {
    let (action, tasks) = lock.withLock {
      let action = actions.remove(number)
      guard !isShared, actions.isEmpty else { return (action, [Task<Void, Never>]()) }
      defer { sleeps = [] }
      return (action, sleeps.compactMap(\.task))
    }
    for task in tasks { task.cancel() }
    _ = action
  }

  /// Returns the sleep that is missing for the first action. Called with the lock.
  private func neededSleep(at now: StreamTime) -> Sleep? {
    guard var time = actions.nextTime, time < sleeps.last?.time ?? .distantFuture else { return nil }
    let seconds = (time - now).nanoseconds / 1_000_000_000
    if sleeps.count >= Self.exactCount, seconds > 0 {
      let power = Int64(1) << Int64(63 - seconds.leadingZeroBitCount)
      time = now + Interval(nanoseconds: power * 1_000_000_000)
    }
    count += 1
    let sleep = Sleep(time: time, number: count)
    sleeps.append(sleep)
    return sleep
  }

  private func begin(_ sleep: Sleep) {
    let instant = start.advanced(by: sleep.time.duration)
    // Detached: it serves others than the task that begins it, whose values it must not keep.
    let task = Task.detached { [clock] in
      try? await clock.sleep(until: instant, tolerance: nil)
      self.end(sleep)
    }
    let isOver = lock.withLock {
      guard let place = sleeps.lastIndex(where: { $0.number == sleep.number }) else { return true }
      sleeps[place].task = task
      return false
    }
    if isOver { task.cancel() }
  }

  private func end(_ sleep: Sleep) {
    let now = now
    let (due, next) = lock.withLock { () -> ([ActionQueue.Action], Sleep?) in
      guard let place = sleeps.lastIndex(where: { $0.number == sleep.number }) else { return ([], nil) }
      sleeps.remove(at: place)
      // A test clock may return before it shows the time.
      let reached = max(now, sleep.time)
      var due: [ActionQueue.Action] = []
      while let first = actions.next(through: reached) { due.append(first.action) }
      return (due, neededSleep(at: now))
    }
    if let next { begin(next) }
    // An action performs the work of a stream, for which the others do not wait.
    for action in due.dropLast() { Task.detached { action() } }
    due.last?()
  }
}

extension ClockTimer {
  /// The timer that all streams with a clock share; nil for a clock with instants of its own, such as a test clock, for
  /// which each stream sleeps for itself, so that a test can count those that wait.
  ///
  /// It lives as long as streams use it, or a sleep lasts.
  static func shared(_ clock: C) -> ClockTimer? {
    guard C.Instant.self == ContinuousClock.Instant.self || C.Instant.self == SuspendingClock.Instant.self else {
      return nil
    }
    return SharedTimers.all.timer(for: clock)
  }
}

/// The timers of the clocks of the machine.
private final class SharedTimers: @unchecked Sendable {  // `lock` protects what is `var`
  static let all = SharedTimers()

  private let lock = Lock()
  private var timers: [Key: Entry] = [:]
  /// The number of timers at which those that are gone are removed.
  private var limit = 8

  /// Two clocks of one type with the same bytes are the same clock. A timer retains its clock, so the bytes of a live one
  /// are those of no other object.
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let bytes: [UInt8]
  }

  private struct Entry {
    weak var timer: AnyObject?
  }

  func timer<C: Clock>(for clock: C) -> ClockTimer<C> where C.Duration == Duration {
    let key = Key(type: ObjectIdentifier(C.self), bytes: withUnsafeBytes(of: clock) { Array($0) })
    return lock.withLock {
      if let timer = timers[key]?.timer as? ClockTimer<C> { return timer }
      let timer = ClockTimer(clock, isShared: true)
      timers[key] = Entry(timer: timer)
      if timers.count > limit {
        timers = timers.filter { $0.value.timer != nil }
        limit = max(8, 2 * timers.count)
      }
      return timer
    }
  }
}
