internal import CLibrary

#if os(Linux)
internal import CProcess
#endif

/// A copy of this process, as `fork` makes it, that does one piece of work with the memory as it is now, while this process
/// continues.
///
/// The system copies a page of memory only when one of both writes to it. The copy has the calling thread alone: the work
/// must not wait for another thread. Only Linux makes such copies; elsewhere `init` returns nil.
///
/// - SeeAlso: `BGSAVE` of Redis, which saves in the same way.
package final class ProcessCopy {
  /// Can be read from when the work is done, or the copy has ended.
  package let signal: FileDescriptor
  private let id: pid_t
  private var isOver = false

  /// Makes a copy that does the work and ends.
  ///
  /// - Parameter work: Returns the report for `result`.
  package init?(_ work: () -> String) {
    #if os(Linux)
    guard let pipe = try? FileDescriptor.pipe() else { return nil }
    let child = copy_process()
    guard child >= 0 else {
      pipe.reader.close()
      pipe.writer.close()
      return nil
    }
    if child == 0 {
      // The signals that ask the program to stop are for the original process.
      for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { signalIgnored(number) }
      try? pipe.writer.write(work())
      _exit(0)
    }
    pipe.writer.close()
    (id, signal) = (child, pipe.reader)
    #else
    return nil
    #endif
  }

  deinit { if !isOver { cancel() } }

  /// The report of the work, for which this waits; nil if the copy has ended without one. To be called once.
  package func result() -> String? {
    var bytes: [UInt8] = []
    while let piece = try? signal.read(atMost: 4096), !piece.isEmpty { bytes += piece }
    let hasEnded = end()
    return hasEnded && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Ends the copy at once.
  package func cancel() {
    #if os(Linux)
    _ = kill(id, SIGKILL)
    #endif
    _ = end()
  }

  /// Waits for the end of the copy. Returns whether it has ended on its own.
  private func end() -> Bool {
    isOver = true
    signal.close()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}

#if os(Linux)
private func signalIgnored(_ number: Int32) { _ = signal(number, SIG_IGN) }
#endif
