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
  /// When the file was made, in nanoseconds since 1970; 0 where the file system does not say.
  private let birth: Int64
  /// Whether it is a regular file, and not a directory, terminal or pipe.
  package let isRegular: Bool

  /// The stamp of the file at a path, or of the file that a link leads to; nil if there is none.
  package init?(_ path: String) {
    #if canImport(Darwin)
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
    #else
    self.init(currentDirectory, path, flags: 0)
    #endif
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
    (device, node, size, birth, isRegular) = (0, 0, 0, 0, false)
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// A stamp that has nothing but the identity of a file.
  package init(of identity: Identity) {
    (device, node, birth) = (identity.device, identity.node, identity.birth)
    (size, seconds, nanoseconds, isRegular) = (0, 0, 0, true)
  }

  /// The stamp of an open file.
  package init?(_ file: FileDescriptor) {
    #if canImport(Darwin)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return nil }
    self.init(status)
    #else
    self.init(file.number, "", flags: emptyPath)
    #endif
  }

  /// A file among all that there have been: the number of one that is gone is given to a new one.
  package struct Identity: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let node: UInt64
    fileprivate let birth: Int64
  }

  /// Whether both stamps belong to the same file, regardless of its content.
  func isSameFile(as other: FileStamp) -> Bool { identity == other.identity }

  package var identity: Identity { Identity(device: device, node: node, birth: birth) }

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
    [Int64(bitPattern: device), Int64(bitPattern: node), size, seconds, nanoseconds, isRegular ? 1 : 0, birth]
  }

  /// - Parameter numbers: Those of a former version lack the last one.
  package init?(numbers: [Int64]) {
    guard numbers.count == 6 || numbers.count == 7 else { return nil }
    (device, node) = (UInt64(bitPattern: numbers[0]), UInt64(bitPattern: numbers[1]))
    (size, seconds, nanoseconds) = (numbers[2], numbers[3], numbers[4])
    isRegular = numbers[5] == 1
    birth = numbers.count == 7 ? numbers[6] : 0
  }

  private init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
    let (changed, born) = (status.st_mtimespec, status.st_birthtimespec)
    birth = Int64(born.tv_sec) * Self.second + Int64(born.tv_nsec)
    #else
    let changed = status.st_mtim
    birth = 0
    #endif
    seconds = Int64(changed.tv_sec)
    nanoseconds = Int64(changed.tv_nsec)
  }

  #if !canImport(Darwin)
  /// - Parameters:
  ///   - directory: The open directory in which the path is looked up, or with an empty path and its flag any open file.
  ///   - flags: `emptyPath` or 0.
  private init?(_ directory: Int32, _ path: String, flags: Int32) {
    let wanted: UInt32 = 0xfff  // the basic fields, and the birth
    var status = ExtendedStatus()
    if extendedStatus(directory, path, flags, wanted, &status) == 0 {
      self.init(status)
      return
    }
    // Some sandboxes do not know the call.
    guard errno == ENOSYS || errno == EPERM else { return nil }
    var plain = stat()
    guard (flags == 0 ? stat(path, &plain) : fstat(directory, &plain)) == 0 else { return nil }
    self.init(plain)
  }

  private init(_ status: ExtendedStatus) {
    isRegular = mode_t(status.mode) & S_IFMT == S_IFREG
    let (major, minor) = (UInt64(status.deviceMajor), UInt64(status.deviceMinor))
    device = (major & ~0xfff) << 32 | (major & 0xfff) << 8 | (minor & ~0xff) << 12 | minor & 0xff
    node = status.node
    size = Int64(clamping: status.size)
    birth = status.mask & 0x800 == 0 ? 0 : status.birth.seconds * Self.second + Int64(status.birth.nanoseconds)
    seconds = status.change.seconds
    nanoseconds = Int64(status.change.nanoseconds)
  }
  #endif
}

#if !canImport(Darwin)
private let currentDirectory: Int32 = -100
private let emptyPath: Int32 = 0x1000

/// The fields of `struct statx`, of `linux/stat.h`.
private struct ExtendedStatus {
  struct Time {
    var seconds: Int64 = 0
    var nanoseconds: UInt32 = 0
    var padding: Int32 = 0
  }
  var mask: UInt32 = 0
  var blockSize: UInt32 = 0
  var attributes: UInt64 = 0
  var linkCount: UInt32 = 0
  var user: UInt32 = 0
  var group: UInt32 = 0
  var mode: UInt16 = 0
  var padding: UInt16 = 0
  var node: UInt64 = 0
  var size: UInt64 = 0
  var blocks: UInt64 = 0
  var attributesMask: UInt64 = 0
  var access = Time()
  var birth = Time()
  var statusChange = Time()
  var change = Time()
  var ownMajor: UInt32 = 0
  var ownMinor: UInt32 = 0
  var deviceMajor: UInt32 = 0
  var deviceMinor: UInt32 = 0
  var rest:
    (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// NB: The modules of the C libraries do not have it.
@_silgen_name("statx")
private func extendedStatus(
  _ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32,
  _ status: UnsafeMutablePointer<ExtendedStatus>
) -> Int32
#endif

extension FileStamp: Codable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(numbers)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let stamp = FileStamp(numbers: try container.decode([Int64].self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "the stamp of a file has seven numbers")
    }
    self = stamp
  }
}
