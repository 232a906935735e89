internal import StreamRuntime

/// Notices when files change, however they are written: in place, by renaming another one over them, by appending, or
/// through a link that leads elsewhere.
///
/// Looks at their stamps now and then, rather than to be told by the system: that is the same on every system and every
/// file system (the kernel tells nothing of what other machines write to a shared disk), needs no care for folders that
/// are renamed, and a look at a file takes some microseconds. A change counts once nothing has been written for a while,
/// so that a file is read when whoever writes it has done, and several changes one after the other are one.
struct FileWatch {
  private let clock = LiveClock()
  /// The files as they were when they were read last.
  private var known: [String: FileStamp?] = [:]
  /// The files as they were at the last look, if that was another state.
  private var changing: [String: FileStamp?]?
  private var nextLook: StreamTime

  /// Nanoseconds from look to look.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds for which nothing must have been written.
  private static let silence: Int64 = 50_000_000

  init() { nextLook = clock.now + Interval(nanoseconds: Self.interval) }

  /// Watches these files, and no others: those that are new as they are now.
  mutating func watch(_ paths: [String]) {
    known = Self.stamps(of: paths).merging(known.filter { paths.contains($0.key) }) { $1 }
    changing = nil
  }

  /// Nanoseconds until the next look.
  var untilNextLook: Int64 { max(0, (nextLook - clock.now).nanoseconds) }

  /// Whether the files have changed since this was true last, and are whole again. Looks if it is time to.
  mutating func hasChanged() -> Bool {
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
