internal import CLibrary

/// The calls of the operating system that open, read, write and name files, with its results: a negative one, or nil,
/// leaves the reason in `errno`. No other file of this package makes such calls, which `SystemCallTests` checks.
///
/// A debug build numbers these calls and lets chosen ones fail: see `FaultPlan`. In a release build they are the plain
/// calls.
enum SystemCalls {
  enum Name: String {
    case open, read, write, cut, sync, rename, remove, link, makeFolder, list, changeMode, lock
  }

  /// The file of a call.
  enum Subject {
    case file(Int32)
    case path(String)
    /// A path as seen from an open directory.
    case entry(Int32, String)
    case paths(String, String)
  }

  /// Whether a call that a signal interrupts is made again.
  private enum Repetition {
    case always, never
    /// Until the program is asked to stop: the call may wait, as for the other end of a named pipe.
    case untilStopped
  }

  @inline(__always)
  private static func repeating(_ repetition: Repetition = .always, _ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
      if repetition == .never || repetition == .untilStopped && Interruption.hasHappened { return result }
    }
  }

  @inline(__always)
  private static func perform<Result: SignedInteger>(
    _ name: Name, _ subject: @autoclosure () -> Subject, _ size: Int = 0, writing bytes: UnsafeRawPointer? = nil,
    _ call: (Int) -> Result
  ) -> Result {
    #if DEBUG && os(Linux)
    FaultPlan.perform(name, subject(), size, bytes, call)
    #else
    call(size)
    #endif
  }

  static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    repeating(.untilStopped) { perform(.open, .path(path), Int(flags)) { _ in CLibrary.open(path, flags, mode) } }
  }

  static func open(below directory: Int32, _ path: String, _ flags: Int32) -> Int32 {
    repeating(.untilStopped) {
      perform(.open, .entry(directory, path), Int(flags)) { _ in openat(directory, path, flags) }
    }
  }

  static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    perform(.read, .file(file), count) { CLibrary.read(file, bytes, $0) }
  }

  static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int, at offset: off_t) -> Int {
    perform(.read, .file(file), count) { pread(file, bytes, $0, offset) }
  }

  static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    perform(.write, .file(file), count, writing: bytes) { CLibrary.write(file, bytes, $0) }
  }

  /// Shortens a file, or fills it with zeros, to a length in bytes.
  static func cut(_ file: Int32, _ length: off_t) -> Int32 {
    repeating { perform(.cut, .file(file), Int(length)) { _ in ftruncate(file, length) } }
  }

  static func synchronize(_ file: Int32) -> Int32 { repeating { perform(.sync, .file(file)) { _ in fsync(file) } } }

  static func rename(_ old: String, _ new: String) -> Int32 {
    perform(.rename, .paths(old, new)) { _ in CLibrary.rename(old, new) }
  }

  static func remove(_ path: String) -> Int32 { perform(.remove, .path(path)) { _ in unlink(path) } }

  /// Removes an empty directory.
  static func removeFolder(_ path: String) -> Int32 { perform(.remove, .path(path)) { _ in rmdir(path) } }

  /// Gives a file another name, which must not exist.
  static func link(_ old: String, _ new: String) -> Int32 {
    perform(.link, .paths(old, new)) { _ in CLibrary.link(old, new) }
  }

  static func makeFolder(_ path: String, _ mode: mode_t) -> Int32 {
    perform(.makeFolder, .path(path)) { _ in mkdir(path, mode) }
  }

  /// The names in a directory; nil if it cannot be read.
  static func names(in path: String) -> [String]? {
    var names: [String] = []
    let status = perform(.list, .path(path)) { _ in list(path, &names) }
    return status < 0 ? nil : names
  }

  private static func list(_ path: String, _ names: inout [String]) -> Int32 {
    guard let directory = opendir(path) else { return -1 }
    defer { closedir(directory) }
    while true {
      errno = 0
      guard let entry = readdir(directory) else { return errno == 0 ? 0 : -1 }
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
  }

  static func changeMode(_ file: Int32, _ mode: mode_t) -> Int32 {
    perform(.changeMode, .file(file)) { _ in fchmod(file, mode) }
  }

  static func lock(_ file: Int32, _ operation: Int32) -> Int32 {
    repeating(operation & LOCK_NB != 0 ? .always : .never) {
      perform(.lock, .file(file)) { _ in flock(file, operation) }
    }
  }
}
