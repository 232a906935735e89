internal import StreamFiles

/// A thread for work that blocks, so that tasks continue.
enum RunThread {
  /// Runs the work and returns its result.
  static func run(_ work: @escaping @Sendable () -> Int32) async -> Int32 {
    await withCheckedContinuation { continuation in
      let thread = SystemThread { continuation.resume(returning: work()) }
      // If no thread can be created, the work runs on this one.
      if thread == nil { continuation.resume(returning: work()) }
    }
  }
}
