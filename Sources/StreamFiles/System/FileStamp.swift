internal import CLibrary

/// The status of a file that changes when the file is replaced or written to.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64
  /// Whether it is a regular file, and not a directory, terminal or pipe.
  package let isRegular: Bool

  /// The stamp of the file at a path, or of the file that a link leads to; nil if there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The stamp of an open file.
  package init?(_ file: FileDescriptor) {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both stamps belong to the same file, regardless of its content.
  func isSameFile(as other: FileStamp) -> Bool { device == other.device && node == other.node }

  /// Whether a file was changed after another one.
  package func isLater(than other: FileStamp) -> Bool {
    (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
  }

  /// The stamp as numbers, with which another process can make it again.
  package var numbers: [Int64] {
    [Int64(bitPattern: device), Int64(bitPattern: node), size, seconds, nanoseconds, isRegular ? 1 : 0]
  }

  package init?(numbers: [Int64]) {
    guard numbers.count == 6 else { return nil }
    (device, node) = (UInt64(bitPattern: numbers[0]), UInt64(bitPattern: numbers[1]))
    (size, seconds, nanoseconds) = (numbers[2], numbers[3], numbers[4])
    isRegular = numbers[5] == 1
  }

  private init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
    let changed = status.st_mtimespec
    #else
    let changed = status.st_mtim
    #endif
    seconds = Int64(changed.tv_sec)
    nanoseconds = Int64(changed.tv_nsec)
  }
}
