internal import StreamCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The right to replace a file. It is taken before the file is read and given back when the lock is released, so that
/// several runs of the program edit one file one after the other and none loses the change of another.
///
/// The lock is advisory (`flock`): only this program asks for it. What another program writes in between is noticed by
/// the file's stamp, and the file is then left as that program wrote it.
final class FileLock: Sendable {
  /// The state of the file when it was locked, before it was read.
  let stamp: FileStamp
  private let file: FileDescriptor

  private init(_ file: FileDescriptor, _ stamp: FileStamp) {
    self.file = file
    self.stamp = stamp
  }

  deinit { file.close() }

  /// Locks the file at a path, or the one that a link there leads to; waits while another process holds the lock.
  ///
  /// - Returns: nil where there is no regular file, or none that may be read: whoever reads it next says why.
  static func take(_ path: String) throws(SystemError) -> FileLock? {
    while true {
      guard let stamp = FileStamp(path), stamp.isRegular, let file = try? FileDescriptor.open(path) else { return nil }
      do throws(SystemError) {
        try file.lock()
      } catch {
        file.close()
        throw error
      }
      // Whoever held the lock may have replaced the file: then the lock is on the old one, which has no name any more.
      if let current = FileStamp(path), let locked = FileStamp(file), current.isSameFile(as: locked) {
        return FileLock(file, current)
      }
      file.close()
    }
  }

  /// Locks a file that is going to be edited.
  ///
  /// - Parameter output: where the outcome is written; nil for the file itself.
  /// - Returns: nil where the outcome does not take the file's place.
  /// - Throws: a diagnostic that names the path.
  static func take(editing path: String, into output: String? = nil) throws(Diagnostics) -> FileLock? {
    guard path != StandardInput.argument else { return nil }
    if let output {
      guard output != StandardInput.argument, let target = FileStamp(output), let source = FileStamp(path),
        target.isSameFile(as: source)
      else { return nil }
    }
    do throws(SystemError) {
      return try take(path)
    } catch {
      throw Diagnostics([error.diagnostic(reading: path)])
    }
  }
}

extension FileDescriptor {
  /// Waits for the file's lock. A file system without locks lets everyone through; the stamp is compared there too.
  fileprivate func lock() throws(SystemError) {
    while flock(number, LOCK_EX) != 0 {
      let error = SystemError.latest
      switch error.number {
      case EINTR where !Interruption.hasHappened: continue
      case EINTR: throw error
      default: return
      }
    }
  }
}
