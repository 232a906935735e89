internal import CLibrary
package import StreamCore

/// The right to replace a file. A command takes it before it reads the file and releases it after it has written the
/// file, so that concurrent edits of one file are made one after the other and none is lost.
///
/// The lock is advisory (`flock`): only this program asks for it. The file's stamp shows whether another program has
/// written the file in between; the file is then left as that program wrote it.
package final class FileLock: Sendable {
  /// The state of the file when it was locked, before it was read.
  package let stamp: FileStamp
  private let file: FileDescriptor

  private init(_ file: FileDescriptor, _ stamp: FileStamp) {
    self.file = file
    self.stamp = stamp
  }

  deinit { file.close() }

  /// Locks the file at a path, or the file that a link there leads to; waits while another process holds the lock.
  ///
  /// - Parameter noteWait: called once if the wait takes longer than a second.
  /// - Returns: nil if there is no regular file, or if it may not be read. The command that reads it next reports why.
  /// - Throws: `SystemError.interruption` if the program has been asked to stop.
  static func take(_ path: String, noteWait: @escaping () -> Void = {}) throws(SystemError) -> FileLock? {
    var wait = LockWait(noteWait)
    while true {
      if Interruption.hasHappened { throw .interruption }
      guard let stamp = FileStamp(path), stamp.isRegular, let file = try? FileDescriptor.open(path) else { return nil }
      do throws(SystemError) {
        try wait.lock(file)
      } catch {
        file.close()
        throw error
      }
      // The previous holder may have replaced the file. The lock is then on the old file, which no longer has a name.
      if let current = FileStamp(path), let locked = FileStamp(file), current.isSameFile(as: locked) {
        return FileLock(file, current)
      }
      file.close()
    }
  }

  /// Locks a file that is to be replaced.
  ///
  /// - Parameter say: Reports a wait of more than a second.
  /// - Returns: Nil for standard input.
  /// - Throws: A diagnostic that contains the path.
  package static func take(
    editing path: String, telling say: @escaping (String) -> Void = { _ in }
  ) throws(Diagnostics) -> FileLock? {
    guard path != StandardInput.argument else { return nil }
    do throws(SystemError) {
      return try take(path) { say("waiting for another edit of '\(path)'") }
    } catch {
      throw Diagnostics([error.diagnostic(reading: path)])
    }
  }
}

/// Waits for locks: at first with short pauses, so that a long wait can be reported, then in the system's queue.
private struct LockWait {
  /// Milliseconds of waiting until it is reported.
  private static let patience: Int64 = 1_000
  private static let longestPause: Int64 = 16

  private let note: () -> Void
  private var waited: Int64 = 0
  private var pause: Int64 = 1

  init(_ note: @escaping () -> Void) { self.note = note }

  /// Waits for the file's lock. On a file system without locks there is no wait; the stamp is compared there too.
  mutating func lock(_ file: FileDescriptor) throws(SystemError) {
    while true {
      let isPatient = waited < Self.patience
      if SystemCalls.lock(file.number, isPatient ? LOCK_EX | LOCK_NB : LOCK_EX) == 0 { return }
      let error = SystemError.latest
      guard error.number == EWOULDBLOCK || error.number == EINTR else { return }
      if Interruption.hasHappened { throw .interruption }
      guard isPatient, error.number == EWOULDBLOCK else { continue }
      _ = Waiting.readable([], nanoseconds: pause * 1_000_000)
      waited += pause
      pause = min(2 * pause, Self.longestPause)
      if waited >= Self.patience { note() }
    }
  }
}
