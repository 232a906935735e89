internal import CLibrary

/// Runs work on a thread with a small stack and measures the stack used.
package enum SmallStack {
  /// The stack of Apple's secondary threads.
  package static let usualBytes = 512 * 1024

  /// The result of `body`, run on a thread with a stack of that many bytes, and the bytes of the stack that were used.
  ///
  /// The process ends with a signal if the stack overflows: the page below it is protected.
  package static func run<Result: Sendable>(
    bytes: Int = usualBytes, _ body: @escaping @Sendable () throws -> Result
  ) throws -> (result: Result, usedBytes: Int) {
    let page = 64 * 1024
    let size = bytes + page
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), memory != MAP_FAILED
    else { throw Failure.noMemory }
    defer { munmap(memory, size) }
    mprotect(memory, page, PROT_NONE)
    let stack = memory + page
    memset(stack, Int32(paint), bytes)
    let work = Work { Swift.Result(catching: body) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstack(&attributes, stack, bytes) == 0 else { throw Failure.noThread }
    let argument = Unmanaged.passUnretained(work).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    guard pthread_create(&thread, &attributes, { SmallStack.perform($0) }, argument) == 0, let thread else {
      throw Failure.noThread
    }
    #else
    var thread = pthread_t()
    guard pthread_create(&thread, &attributes, { SmallStack.perform($0) }, argument) == 0 else {
      throw Failure.noThread
    }
    #endif
    pthread_join(thread, nil)
    let painted = paintedCount(UnsafeRawBufferPointer(start: stack, count: bytes))
    guard let result = work.result else { throw Failure.noThread }
    return (try result.get(), bytes - painted)
  }

  /// The byte that fills the unused stack.
  private static let paint: UInt8 = 0xA5

  /// The number of painted bytes before the first other one, by bisection: a debug build takes long for each byte.
  private static func paintedCount(_ stack: UnsafeRawBufferPointer) -> Int {
    guard let start = stack.baseAddress, stack.first == paint else { return 0 }
    var (painted, end) = (1, stack.count)
    while painted < end {
      let middle = (painted + end + 1) / 2
      // All of these are equal if each is equal to the next.
      if memcmp(start, start + 1, middle - 1) == 0 { painted = middle } else { end = middle - 1 }
    }
    return painted
  }

  private static func perform(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<AnyWork>.fromOpaque(argument).takeUnretainedValue().perform() }
    return nil
  }

  package enum Failure: Error {
    case noMemory, noThread
  }

  private class AnyWork {
    func perform() {}
  }

  private final class Work<Result>: AnyWork {
    let body: () -> Swift.Result<Result, any Error>
    var result: Swift.Result<Result, any Error>?

    init(_ body: @escaping () -> Swift.Result<Result, any Error>) { self.body = body }

    override func perform() { result = body() }
  }
}
