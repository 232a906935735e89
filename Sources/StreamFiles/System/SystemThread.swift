internal import CLibrary

/// A thread of the operating system. The thread that starts it waits for its end.
package struct SystemThread: @unchecked Sendable {  // a thread's ID may be used on any thread
  private let handle: pthread_t

  /// As much stack as the first thread has.
  private static let stackBytes = 8 * 1024 * 1024

  /// Starts a thread; nil if the system cannot create one.
  ///
  /// The thread blocks all signals except those of a crash, so that they interrupt the waiting threads.
  package init?(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    for number in Interruption.crashes { sigdelset(&all, number) }
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
    guard status == 0, let thread else {
      work.release()
      return nil
    }
    handle = thread
    #else
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
    guard status == 0 else {
      work.release()
      return nil
    }
    handle = thread
    #endif
  }

  /// Waits for its end.
  package func join() { pthread_join(handle, nil) }

  /// The work of a thread.
  private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      let stack = Interruption.useHandlerStack()
      defer { Interruption.freeHandlerStack(stack) }
      if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
      return nil
    }
  }
}
