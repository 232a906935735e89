#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Runs recursive work on a stack that is large enough for it.
///
/// Threads may have as little as 512 KB of stack, which is Apple's default for secondary threads. Recursion that follows
/// the nesting of a file or of an expression calls `run(needing:_:)` at every level: the work stays on its thread while
/// the stack has room, and continues on a new thread with a larger stack where it does not. The caller waits.
package enum DeepStack {
  /// Bytes of stack for one level of nested streams: reading, compiling, writing or releasing it, without what is
  /// nested in it. Measured: up to 60 KB where the compiler does not optimize.
  package static let levelBytes = 128 * 1024

  /// Bytes of stack for one level of a nested value: comparing, hashing or converting it.
  package static let partBytes = 32 * 1024

  /// Bytes of stack of the threads that are started here.
  private static let threadBytes = 8 * 1024 * 1024

  /// Runs `body` on this thread if at least `bytes` of its stack are free, else on a new thread.
  ///
  /// If the system has no thread to give, `body` runs on this one.
  @inline(__always)
  package static func run<Output: ~Copyable, Failure: Error>(
    needing bytes: Int = levelBytes, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if hasRoom(for: bytes) { return try body() }
    return try runOnThread(bytes, body)
  }

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
    let stackBytes = max(threadBytes, bytes + levelBytes)
    let isDone = onThread(stackBytes: stackBytes) {
      #if canImport(Darwin) || canImport(Musl) || canImport(Glibc)
        noteStack(of: stackBytes)
      #endif
      work()
    }
    if !isDone { work() }
    if let failure { throw failure }
    guard let output = output.take() else { return try body() }
    return output
  }

  /// The stack that a thread is assumed to have at its first call where the system does not tell. A stack has 512 KB at
  /// least; the callers of that first call have used some of them.
  private static let assumedBytes: UInt = 384 * 1024

  // MARK: The free stack

  /// Whether this thread has that many bytes of stack left.
  @inline(never)
  private static func hasRoom(for bytes: Int) -> Bool {
    #if canImport(Darwin) || canImport(Musl) || canImport(Glibc)
      guard let key = lowestKey else { return true }
      var mark: UInt8 = 0
      let address = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
      let lowest: UInt
      if let known = pthread_getspecific(key) {
        lowest = UInt(bitPattern: known)
      } else {
        lowest = lowestAddress(below: address)
        pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: lowest))
      }
      return address > lowest && address - lowest >= UInt(max(bytes, 0))
    #else
      true
    #endif
  }

  #if canImport(Darwin) || canImport(Musl) || canImport(Glibc)
    /// The key under which each thread keeps the lowest address of its stack.
    private static let lowestKey: pthread_key_t? = {
      var key = pthread_key_t()
      return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Notes the size of a thread's stack, at the top of which the caller stands.
    private static func noteStack(of bytes: Int) {
      guard let key = lowestKey else { return }
      var mark: UInt8 = 0
      let address = withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
      // The thread's own data stand above.
      pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: address - UInt(bytes) + 64 * 1024))
    }

    /// The lowest address of this thread's stack. `address` lies in the stack.
    private static func lowestAddress(below address: UInt) -> UInt {
      #if canImport(Darwin)
        let highest = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
        let size = UInt(pthread_get_stacksize_np(pthread_self()))
        return highest > size ? highest - size : 1
      #else
        // The first call on a thread stands near the top of its stack. (`pthread_getattr_np` would be exact; Swift does
        // not import it, and for the first thread it reads /proc.)
        return address > assumedBytes ? address - assumedBytes : 1
      #endif
    }
  #endif

  // MARK: Threads

  /// Runs `body` on a new thread and waits for its end.
  ///
  /// - Returns: whether there was a thread to run it.
  private static func onThread(stackBytes: Int, _ body: () -> Void) -> Bool {
    #if canImport(Darwin) || canImport(Musl) || canImport(Glibc)
      withoutActuallyEscaping(body) { body in
        let work = Unmanaged.passRetained(Work(body))
        defer { work.release() }
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return false }
        #if canImport(Darwin)
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

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeUnretainedValue().body() }
      return nil
    }
  }
}
