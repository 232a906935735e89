#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Runs work whose recursion follows the nesting of an expression on a stack that is large enough for it.
///
/// Threads may have as little as 512 KB of stack, and reading the deepest expression takes some megabytes where the
/// compiler does not optimise. Evaluation needs far less and stays on its thread.
enum DeepStack {
  /// Bytes of stack that a level of nesting takes at most, generously.
  private static let bytesPerLevel = 32 * 1024
  /// Signs that can nest; with so few of them any stack will do.
  private static let harmlessCount = 12

  /// The result of `body`, which runs while the caller waits.
  static func run<Result>(_ text: String, depth: Int, _ body: () -> Result) -> Result {
    if text.utf8.count(where: isNestingSign) <= harmlessCount { return body() }
    var result: Result?
    let isDone = onThread(stackBytes: max(depth, 64) * bytesPerLevel) { result = body() }
    return isDone ? result ?? body() : body()
  }

  private static func isNestingSign(_ byte: UInt8) -> Bool {
    !byte.isNamePart && byte != UInt8(ascii: " ") && byte < 0x80
  }

  /// Whether a thread could be had.
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
