internal import CLibrary

/// The status of a file that changes when the file is replaced or written to.
///
/// A saved state has it as a list of numbers.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  /// In bytes; meaningful for regular files only.
  package let size: Int64
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

  /// A stamp that no file has: files that are changed from now on are later.
  ///
  /// NB: Systems give files the time of the last tick of their clock.
  package static var ofNoFile: FileStamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = Int64(now.tv_nsec) - tick
    return FileStamp(seconds: Int64(now.tv_sec) - (nanoseconds < 0 ? 1 : 0), (nanoseconds + second) % second)
  }

  private static let second: Int64 = 1_000_000_000
  /// The longest time between two ticks, in nanoseconds.
  private static let tick: Int64 = 20_000_000

  private init(seconds: Int64, _ nanoseconds: Int64) {
    (device, node, size, isRegular) = (0, 0, 0, false)
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// The stamp of an open file.
  package init?(_ file: FileDescriptor) {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both stamps belong to the same file, regardless of its content.
  func isSameFile(as other: FileStamp) -> Bool { identity == other.identity }

  package var identity: FileStatus.Identity { FileStatus.Identity(device: device, node: node) }

  /// Whether a file was changed after another one.
  package func isLater(than other: FileStamp) -> Bool {
    (seconds, nanoseconds) > (other.seconds, other.nanoseconds)
  }

  /// The time between the changes of two files, in seconds, 0 or more.
  package func seconds(to other: FileStamp) -> Double {
    abs(Double(other.seconds) - Double(seconds) + Double(other.nanoseconds - nanoseconds) / 1e9)
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

extension FileStamp: Codable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(numbers)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let stamp = FileStamp(numbers: try container.decode([Int64].self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "the stamp of a file has six numbers")
    }
    self = stamp
  }
}
