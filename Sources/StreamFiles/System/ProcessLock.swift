/// A lock of a process on something that only one process may use, such as a folder with state. It lasts until it is
/// released, or the process ends: a crash leaves none.
///
/// The lock is advisory (`flock`). A file system without locks refuses no process.
package final class ProcessLock: Sendable {
  private let file: FileDescriptor

  /// Locks a file, which is created for its owner if necessary.
  ///
  /// - Returns: nil if another process holds the lock for a second.
  package static func take(_ path: String) throws(SystemError) -> ProcessLock? {
    let file = try FileDescriptor.append(path, isPrivate: true)
    // A process that was killed may still be saving, in a copy of itself that ends at once.
    for attempt in 0..<20 {
      if file.lockIfFree() { return ProcessLock(file) }
      if attempt < 19 { _ = Waiting.readable([], nanoseconds: 50_000_000) }
    }
    file.close()
    return nil
  }

  private init(_ file: FileDescriptor) { self.file = file }

  deinit { file.close() }
}
