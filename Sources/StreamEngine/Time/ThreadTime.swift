internal import CLibrary

/// The processor time of the current thread. It does not increase while the thread waits.
package struct ThreadTime: Sendable {
  package let nanoseconds: Int64
  /// Identifies the thread; times of two threads cannot be compared.
  private let thread: UInt
  #if os(WASI)
  private static let start = SuspendingClock.now
  #endif

  /// The time now.
  package static var now: ThreadTime {
    #if os(WASI)
    // One thread; without a clock of it, that of the machine.
    let (seconds, attoseconds) = start.duration(to: .now).components
    return ThreadTime(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, thread: 0)
    #else
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadTime(
      nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), thread: bits(pthread_self()))
    #endif
  }

  private init(nanoseconds: Int64, thread: UInt) {
    self.nanoseconds = nanoseconds
    self.thread = thread
  }

  /// Nanoseconds since an earlier time; 0 if that is the time of another thread.
  package func since(_ earlier: ThreadTime) -> Int64 {
    thread == earlier.thread ? max(0, nanoseconds - earlier.nanoseconds) : 0
  }

  #if !os(WASI)
  /// The bits of a thread's handle, which is a number or a pointer.
  private static func bits<Handle>(_ handle: Handle) -> UInt { unsafeBitCast(handle, to: UInt.self) }
  #endif
}
