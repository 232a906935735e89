package import StreamCore
package import StreamEngine
internal import StreamFiles
internal import StreamKit
internal import Synchronization

/// The bound of reading and compiling stream files, in addition to those that depend on the files alone.
package struct CompileBound: Sendable {
  /// Maximum memory of the process.
  package var memory: ByteCount
  /// Maximum processor time; nil for none.
  package var time: Interval?

  /// The processor time that a server takes for one stream. The largest files that people write take less than a second.
  private static let serverTime = Interval(seconds: 10)

  package init(memory: ByteCount = .standardMemoryFromNow, time: Interval? = nil) {
    (self.memory, self.time) = (memory, time)
  }

  /// The bound of one stream in a server, which continues after an error.
  package static var ofServer: CompileBound { CompileBound(time: serverTime) }

  /// Returns a check that a loader and a compiler call now and then; it returns the error of a stream that takes too
  /// much, and one if the program is asked to stop.
  package var check: @Sendable () -> Diagnostic? {
    let meter = time.map(CompileTime.init)
    return { [memory] in
      if Interruption.hasHappened { return Diagnostic(.streamFailed, "the program was asked to stop") }
      if let excess = ProcessMemory.excess(beyond: memory) {
        return Diagnostic(
          .limitExceeded, "the program uses \(excess) of memory while it compiles the file; the limit is \(memory)",
          help: "divide the file; '--memory' sets the limit of commands that run streams")
      }
      return meter?.problem
    }
  }
}

/// Measures the processor time between the calls of a check.
private final class CompileTime: Sendable {
  private let limit: Interval
  private let state = Mutex<(latest: ThreadTime?, spent: Int64)>((nil, 0))

  init(_ limit: Interval) { self.limit = limit }

  /// The error of a stream that has taken too long.
  var problem: Diagnostic? {
    let spent = state.withLock { state in
      let now = ThreadTime.now
      if let latest = state.latest { state.spent += now.since(latest) }
      state.latest = now
      return state.spent
    }
    guard spent > limit.nanoseconds else { return nil }
    return Diagnostic(
      .workExceeded, "compiling the file takes longer than \(limit.shortText) of processor time",
      help: "divide it into several files")
  }
}
