internal import CLibrary
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The space of the file system that has a folder.
struct DiskSpace: Hashable, Sendable {
  /// The bytes that this process may still write.
  let available: Int64
  /// The bytes of the file system.
  let size: Int64

  init(available: Int64, size: Int64) {
    self.available = available
    self.size = size
  }

  /// Measures the file system of a folder; nil if that is not possible.
  init?(of folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    let unit = Int64(clamping: status.f_frsize)
    available = Int64(clamping: status.f_bavail) * unit
    size = Int64(clamping: status.f_blocks) * unit
  }

  /// Whether less than a tenth, and less than 1 GiB, is left.
  var isNearlyFull: Bool { available < min(1 << 30, size / 10) }

  /// For people, such as `12.5MB of 1GB is left`.
  var text: String {
    let left = available > 0 ? ByteCount(Int(available)).description : "nothing"
    return "\(left) of \(ByteCount(Int(size))) is left"
  }

  // MARK: Writing

  /// The number of bytes that a probe writes.
  static let probeBytes = 16_384

  /// Writes a file to a folder, waits until it is on disk, and removes it.
  ///
  /// - Returns: The reason why that is not possible; nil if it is.
  static func problem(writingTo folder: String) -> String? {
    let path = Path.join(folder, ".probe")
    defer { try? Directory.remove(path) }
    do throws(SystemError) {
      // A process that was killed may have left it.
      try? Directory.remove(path)
      let file = try FileDescriptor.createPrivate(path)
      defer { file.close() }
      try file.write([UInt8](repeating: 0x20, count: probeBytes))
      try file.synchronize()
      return nil
    } catch {
      return error.diagnostic(writing: path).message
    }
  }
}
