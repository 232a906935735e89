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
/// compiler does not optimise. What people write nests a few levels and stays on its thread, as evaluation does, which
/// needs far less.
enum DeepStack {
  /// Bytes of stack that a level of nesting takes at most, generously.
  private static let bytesPerLevel = 48 * 1024
  /// Levels that go on any stack: they take up to 24 KB each where the compiler does not optimise.
  static let harmlessDepth = 12

  /// The result of `body`, whose recursion goes `levels` deep, while the caller waits.
  @inline(__always)
  static func run<Output, Failure: Error>(
    levels: Int, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if levels <= harmlessDepth { return try body() }
    return try runOnThread(levels) { Result(catching: body) }.get()
  }

  private static func runOnThread<Output>(_ levels: Int, _ body: () -> Output) -> Output {
    var output: Output?
    let isDone = onThread(stackBytes: max(levels, 64) * bytesPerLevel) { output = body() }
    return isDone ? output ?? body() : body()
  }

  /// How deep the parser's recursion may go for this text, at most: what brackets and conditionals can nest. Chains of
  /// operators, members and signs are read in loops.
  static func nesting(of text: [UInt8]) -> Int {
    // A byte opens one level at most.
    if text.count <= harmlessDepth { return text.count }
    var open = 0
    var deepest = 0
    var conditionals = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        deepest = max(deepest, open)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      case UInt8(ascii: "?"): conditionals += 1
      default: break
      }
    }
    return deepest + conditionals
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
