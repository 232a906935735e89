internal import CLibrary
internal import Synchronization

/// A file that shows, to the next process, whether this one has crashed while something was on trial.
///
/// The file is empty while the mark is set. The handler of a crash (SIGSEGV, SIGABRT and the like) writes a byte to it. A
/// process that is killed, stopped or left without power writes nothing.
package final class CrashMark: Sendable {
  private let path: String
  private let descriptor: Int32

  /// The open descriptors; -1 marks a free place. A handler reads them at any time: each is one aligned word.
  nonisolated(unsafe) private static let descriptors = {
    let descriptors = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    descriptors.initialize(repeating: -1, count: capacity)
    return descriptors
  }()
  private static let capacity = 64
  private static let places = Mutex(())

  /// Sets a mark, and handles the signals of crashes from now on. Earlier handlers are called after this one.
  ///
  /// - Returns: nil if the file cannot be written, or if 64 marks are set.
  package init?(_ path: String) {
    let number = SystemCalls.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    let isKept = Self.places.withLock { _ in
      guard let place = (0..<Self.capacity).first(where: { Self.descriptors[$0] < 0 }) else { return false }
      Self.descriptors[place] = number
      return true
    }
    (self.path, descriptor) = (path, number)
    guard isKept else {
      FileDescriptor(number: number).close()
      return nil
    }
    Interruption.watchCrashes()
  }

  /// Removes the mark: no version is on trial.
  package func remove() {
    release()
    try? Directory.remove(path)
  }

  deinit { release() }

  private func release() {
    let isOpen = Self.places.withLock { _ in
      guard let place = (0..<Self.capacity).first(where: { Self.descriptors[$0] == descriptor }) else { return false }
      Self.descriptors[place] = -1
      return true
    }
    if isOpen { FileDescriptor(number: descriptor).close() }
  }

  /// Whether an earlier process has crashed while the mark was set. Removes the mark.
  package static func take(_ path: String) -> Bool {
    guard let status = try? FileStatus(path) else { return false }
    try? Directory.remove(path)
    return status.size > 0
  }

  /// Allocates what the handler of a crash uses, since a handler cannot.
  static func prepare() { _ = descriptors }

  /// Called by the handler of a crash.
  static func note() {
    var byte: UInt8 = 1
    for place in 0..<capacity where descriptors[place] >= 0 { _ = write(descriptors[place], &byte, 1) }
  }
}
