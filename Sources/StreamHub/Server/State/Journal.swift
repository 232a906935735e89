@_spi(Engine) internal import StreamCore
internal import StreamFiles

/// A file of JSON values, one per line, to which lines are appended.
///
/// A line that a crash has cut off is dropped when the file is opened. Not thread-safe.
struct Journal: ~Copyable {
  let path: String
  private var file: FileDescriptor
  private(set) var lineCount: Int

  /// Opens a journal, and creates it if necessary, readable by its owner only.
  ///
  /// - Parameter line: Called for each line, in order.
  init(_ path: String, _ line: (Value) -> Void) throws(ServerError) {
    var bytes: [UInt8] = []
    do throws(Diagnostic) {
      bytes = try FileContents.read(path, name: path, limit: 1 << 30)
    } catch {
      guard error.code == .fileNotFound else { throw ServerError(error.message) }
    }
    let end = bytes.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    var reader = JSONReader()
    var count = 0
    for part in bytes[..<end].split(separator: lineFeed) {
      guard let value = try? reader.read(Array(part)) else { continue }
      line(value)
      count += 1
    }
    let file = try Self.open(path)
    if end < bytes.count { try? file.truncate(to: end) }
    self.path = path
    self.file = file
    lineCount = count
  }

  private static func open(_ path: String) throws(ServerError) -> FileDescriptor {
    do throws(SystemError) {
      return try FileDescriptor.append(path, isPrivate: true)
    } catch {
      throw ServerError(error.diagnostic(writing: path).message)
    }
  }

  /// Appends values.
  ///
  /// - Parameter isSafe: Whether to wait until they are on disk.
  /// - Returns: Whether they were written.
  mutating func append(_ values: [Value], isSafe: Bool) -> Bool {
    var bytes: [UInt8] = []
    for value in values { bytes += Array(JSONWriter.compact(value).utf8) + [lineFeed] }
    do throws(SystemError) {
      let size = try file.status().size
      do throws(SystemError) {
        try file.write(bytes)
        if isSafe { try file.synchronize() }
      } catch {
        // Half a line would spoil the next one.
        try? file.truncate(to: size)
        throw error
      }
      lineCount += values.count
      return true
    } catch {
      return false
    }
  }

  /// Replaces all lines: a reader, also after a crash, finds the old ones or the new ones.
  mutating func replace(_ values: [Value]) throws(ServerError) {
    var bytes: [UInt8] = []
    for value in values { bytes += Array(JSONWriter.compact(value).utf8) + [lineFeed] }
    do throws(Diagnostic) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw ServerError(error.message)
    }
    file.close()
    file = try Self.open(path)
    lineCount = values.count
  }

  deinit { file.close() }
}
