internal import Synchronization

#if os(Linux)
internal import CLibrary

/// A one-byte lock known to the thread sanitizer, unlike the library's `Mutex` on Linux.
///
/// For critical sections of nanoseconds: a thread that finds it locked spins briefly before it waits.
///
/// - SeeAlso: The parking lot of WebKit (Pizlo 2016). This is its smallest form: one queue for all locks.
struct Lock: ~Copyable, Sendable {
  private let state = Atomic(State.free.rawValue)

  private enum State: UInt8 {
    case free
    case taken
    /// Locked, and another thread may be waiting.
    case awaited
  }

  /// Number of attempts before waiting.
  private static let patience = 100

  borrowing func lock() {
    if take() { return }
    for _ in 0..<Self.patience where state.load(ordering: .relaxed) == State.free.rawValue && take() { return }
    wait()
  }

  borrowing func unlock() {
    if state.exchange(State.free.rawValue, ordering: .releasing) == State.awaited.rawValue { Parking.lot.wakeAll() }
  }

  borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  private borrowing func take() -> Bool {
    state.compareExchange(expected: State.free.rawValue, desired: State.taken.rawValue, ordering: .acquiring).exchanged
  }

  @inline(never)
  private borrowing func wait() {
    // A thread that unlocks in the meantime sees the waiter and wakes no thread before this one waits.
    Parking.lot.wait { state.exchange(State.awaited.rawValue, ordering: .acquiring) == State.free.rawValue }
  }
}

/// The queue of threads that wait for locks.
private final class Parking: @unchecked Sendable {  // `mutex` and `condition` are for many threads
  static let lot = Parking()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  /// Waits until a condition, checked after each wake-up, is true.
  func wait(until isOver: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !isOver() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
#else
/// The library's `Mutex`. On Apple's systems, a thread that waits for it lends its priority to the owner.
struct Lock: ~Copyable, Sendable {
  private let mutex = Mutex(())

  borrowing func lock() { mutex._unsafeLock() }
  borrowing func unlock() { mutex._unsafeUnlock() }

  borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
#endif
