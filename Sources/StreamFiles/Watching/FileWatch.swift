internal import StreamEngine

/// Detects changes of files, however they are written: in place, by renaming another file, by appending, or through a
/// link with a new target.
///
/// It polls the files' stamps instead of using notifications of the system. Polling works the same on every system and
/// file system (the kernel reports no changes that other machines make to a shared disk), is robust against renamed
/// directories, and costs microseconds per file. A change counts once the file has not been written for a while, so
/// that a file is read after the writer has finished, and consecutive changes count as one.
package final class FileWatch: ChangeWatch {
  private let clock = LiveClock()
  /// The file whose absence means that there is nothing to run.
  private let file: String
  /// The files as they were when they were read last.
  private var known: [String: FileStamp?] = [:]
  /// The files as they were at the last look, if that was another state.
  private var changing: [String: FileStamp?]?
  private var nextLook: StreamTime

  /// Nanoseconds from look to look.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds for which nothing must have been written.
  private static let silence: Int64 = 50_000_000

  package init(_ file: String) {
    self.file = file
    nextLook = clock.now + Interval(nanoseconds: Self.interval)
  }

  package var exists: Bool { FileStamp(file) != nil }

  package func watch(_ paths: [String]) {
    known = Self.stamps(of: paths).merging(known.filter { paths.contains($0.key) }) { $1 }
    changing = nil
  }

  package var untilNextLook: Int64 { max(0, (nextLook - clock.now).nanoseconds) }

  /// Whether the files have changed, and are whole again.
  package func hasChanged() -> Bool {
    let now = clock.now
    guard now >= nextLook else { return false }
    let found = Self.stamps(of: Array(known.keys))
    guard found != known else {
      changing = nil
      nextLook = now + Interval(nanoseconds: Self.interval)
      return false
    }
    nextLook = now + Interval(nanoseconds: Self.silence)
    guard found == changing else {
      changing = found
      return false
    }
    known = found
    changing = nil
    return true
  }

  private static func stamps(of paths: [String]) -> [String: FileStamp?] {
    Dictionary(paths.map { ($0, FileStamp($0)) }) { first, _ in first }
  }
}
