internal import CLibrary

/// Runs recursive work on a stack that is large enough for it.
///
/// Threads may have as little as 512 KB of stack, Apple's default for secondary threads. Recursion that follows the
/// nesting of a file or of an expression calls `run(needing:_:)` at every level: the work stays on its thread while
/// the stack has room, and otherwise continues on a new thread with a larger stack. The caller waits.
package enum DeepStack {
  /// Bytes of stack for one level of nested streams: for reading, compiling, writing or releasing it without the
  /// streams inside it. Measured: up to 60 KB in a debug build.
  package static let levelBytes = 128 * 1024

  /// Bytes of stack that must be free to release one level of a nested value; a level takes less than 1 KB.
  static let releaseBytes = 32 * 1024

  /// Bytes of stack for one level of a nested value: for comparing, hashing or converting it. Measured: up to 4,120
  /// bytes in a debug build.
  private static let partBytes = 6 * 1024
  /// Bytes of stack for work on a value in addition to its levels.
  private static let reserveBytes = 64 * 1024

  /// Minimum stack size of new threads, in bytes.
  private static let threadBytes = 8 * 1024 * 1024

  /// Runs `body` on this thread if at least `bytes` of its stack are free, otherwise on a new thread.
  ///
  /// If the system cannot create a thread, `body` runs on this one.
  @inline(__always)
  package static func run<Output: ~Copyable, Failure: Error>(
    needing bytes: Int = levelBytes, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if hasRoom(for: bytes) { return try body() }
    return try runOnThread(bytes, body)
  }

  /// Runs recursive work on a value on a stack with room for its levels.
  ///
  /// - Parameter body: Performs the work within the given number of levels, or returns nil if it needs more; it then
  ///   runs again, from its beginning, on a larger stack.
  package static func run<Output, Failure: Error>(
    countingLevels body: (_ levels: Int) throws(Failure) -> Output?
  ) throws(Failure) -> Output {
    if let output = try body(freeLevels) { return output }
    var bytes = threadBytes
    while true {
      let levels = bytes < largestBytes ? (bytes - reserveBytes) / partBytes : .max
      let output = try runOnThread(bytes) { () throws(Failure) -> Output? in try body(levels) }
      if let output { return output }
      bytes *= 8
    }
  }

  /// Runs recursive work on a value on a stack that has room for as many levels as the value has.
  package static func run<Output, Failure: Error>(
    levelsOf value: Value, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if !value.isDeeper(than: freeLevels) { return try body() }
    var bytes = threadBytes
    while bytes < largestBytes, value.isDeeper(than: (bytes - reserveBytes) / partBytes) { bytes *= 8 }
    return try runOnThread(bytes, body)
  }

  /// Maximum size of a stack.
  private static let largestBytes = Int(clamping: 8 * 1024 * 1024 * 1024 as Int64)

  /// Number of levels of a value for which the stack has room.
  private static var freeLevels: Int { max(0, freeBytes - reserveBytes) / partBytes }

  private static func runOnThread<Output: ~Copyable, Failure: Error>(
    _ bytes: Int, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var output: Output?
    var failure: Failure?
    func work() {
      do throws(Failure) {
        output = try body()
      } catch {
        failure = error
      }
    }
    // The size is a multiple of the page size: Apple's systems refuse other sizes.
    let stackBytes = (max(threadBytes, bytes + levelBytes) + 0xFFFF) & ~0xFFFF
    let isDone = onThread(stackBytes: stackBytes) {
      #if !os(WASI)
      noteStack(of: stackBytes)
      #endif
      work()
    }
    if !isDone { work() }
    if let failure { throw failure }
    guard let output = output.take() else { preconditionFailure("the work has neither returned nor thrown") }
    return output
  }

  /// The assumed stack size of a thread at its first call, if the system does not report it. A stack has at least 512
  /// KB; the callers have used a part of it.
  private static let assumedBytes: UInt = 384 * 1024

  // MARK: The free stack

  /// Whether this many bytes are free on the stack of this thread.
  @inline(__always)
  package static func hasRoom(for bytes: Int) -> Bool { freeBytes >= bytes }

  /// Free bytes on the stack of this thread.
  @inline(never)
  private static var freeBytes: Int {
    #if !os(WASI)
    guard let key = lowestKey else { return .max / 2 }
    var mark: UInt8 = 0
    let address = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
    let lowest: UInt
    if let known = pthread_getspecific(key) {
      lowest = UInt(bitPattern: known)
    } else {
      lowest = lowestAddress(below: address)
      pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: lowest))
    }
    return address > lowest ? Int(address - lowest) : 0
    #else
    .max / 2
    #endif
  }

  /// Reports the size of the first thread's stack. A program calls it at its start, on that thread.
  ///
  /// Without this call the thread is assumed to have a stack of 512 KB on systems that do not report the size.
  package static func adoptFirstThread() {
    #if !canImport(Darwin) && !os(WASI)
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    #else
    let resource = RLIMIT_STACK
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    // Arguments and environment are on it too; an unlimited stack is as large as the address space allows.
    let bytes = min(limit.rlim_cur, 64 * 1024 * 1024)
    noteStack(of: max(0, Int(bytes) - 256 * 1024))
    #endif
  }

  #if !os(WASI)
  /// The key under which each thread keeps the lowest address of its stack.
  private static let lowestKey: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Records the size of a thread's stack; called near the top of the stack.
  private static func noteStack(of bytes: Int) {
    guard let key = lowestKey else { return }
    var mark: UInt8 = 0
    let address = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
    // The thread's own data lie above.
    pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: address - UInt(bytes) + 64 * 1024))
  }

  /// Returns the lowest address of this thread's stack, which contains `address`.
  private static func lowestAddress(below address: UInt) -> UInt {
    #if canImport(Darwin)
    let highest = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
    let size = UInt(pthread_get_stacksize_np(pthread_self()))
    return highest > size ? highest - size : 1
    #else
    // The first call on a thread is near the top of its stack. (`pthread_getattr_np` would be exact; Swift does
    // not import it, and for the first thread it reads /proc.)
    return address > assumedBytes ? address - assumedBytes : 1
    #endif
  }
  #endif

  // MARK: Threads

  /// Runs `body` on a new thread and waits for its end.
  ///
  /// - Returns: Whether the thread could be created.
  package static func onThread(stackBytes: Int, _ body: () -> Void) -> Bool {
    #if !os(WASI)
    withoutActuallyEscaping(body) { body in
      let work = Unmanaged.passRetained(Work(body))
      defer { work.release() }
      var attributes = pthread_attr_t()
      guard pthread_attr_init(&attributes) == 0 else { return false }
      defer { pthread_attr_destroy(&attributes) }
      guard pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return false }
      #if canImport(Darwin) || canImport(Musl)
      var thread: pthread_t?
      let status = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
      guard status == 0, let thread else { return false }
      #else
      var thread = pthread_t()
      let status = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
      guard status == 0 else { return false }
      #endif
      pthread_join(thread, nil)
      return true
    }
    #else
    false
    #endif
  }

  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }

    /// - Returns: The argument. NB: Android's headers have had two signatures; in one, neither pointer is optional.
    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
      guard let pointer else { preconditionFailure("a thread has started without its work") }
      Unmanaged<Work>.fromOpaque(pointer).takeUnretainedValue().body()
      return pointer
    }
  }
}
