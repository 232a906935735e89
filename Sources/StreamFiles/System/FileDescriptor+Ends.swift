internal import CLibrary

// The ends of files: reading them, and cutting files there.
extension FileDescriptor {
  /// Shortens a file that is open for writing to a length in bytes.
  package func truncate(to length: Int) throws(SystemError) {
    guard SystemCalls.cut(number, off_t(length)) == 0 else { throw SystemError.latest }
  }

  /// Creates a file, or opens an existing one, at whose end everything is written. A regular file can be read as well,
  /// unless that is not permitted.
  package static func appendReadable(_ path: String) throws(SystemError) -> FileDescriptor {
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    if (try? FileStatus(path).kind) ?? .regular == .regular {
      let number = SystemCalls.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
      if number >= 0 { return FileDescriptor(number: number) }
    }
    return try append(path)
  }

  /// Whether everything is written at the end of the file, as after `>>` in a shell.
  package var isAppending: Bool {
    let flags = fcntl(number, F_GETFL)
    return flags >= 0 && flags & O_APPEND != 0
  }

  /// The position of the next read or write, in bytes; nil for a pipe or a terminal.
  package var offset: Int? {
    let offset = lseek(number, 0, SEEK_CUR)
    return offset < 0 ? nil : Int(offset)
  }

  /// Whether the file no longer has a name.
  package var isRemoved: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_nlink == 0
  }

  /// Reads up to `count` bytes before the given offset of the regular file at a path; all bytes between the start of the
  /// file and the offset if there are fewer.
  package static func bytes(before offset: Int, of path: String, atMost count: Int) throws(SystemError) -> [UInt8] {
    let file = try open(path)
    defer { file.close() }
    var rest = min(count, offset)
    try file.seek(to: offset - rest)
    var bytes: [UInt8] = []
    while rest > 0 {
      let piece = try file.read(atMost: rest)
      if piece.isEmpty { break }
      bytes += piece
      rest -= piece.count
    }
    return bytes
  }
}

extension Directory {
  /// Waits until the names in the directory of a file are on disk, where the file system supports that.
  ///
  /// NB: A synchronized file is lost after a power cut if its name is not on disk. Links are followed.
  package static func synchronize(holding path: String) {
    let real = (try? Path.real(path)) ?? path
    guard let directory = try? FileDescriptor.open(Path.directory(of: real)) else { return }
    try? directory.synchronize()
    directory.close()
  }

  /// Waits until the name of an open file is on disk, where the system has names for open files.
  package static func synchronize(holding file: FileDescriptor) {
    if let path = try? Path.real("/dev/fd/\(file.number)") { synchronize(holding: path) }
  }

  /// Renames a file, replacing the file that has the new name.
  package static func move(_ old: String, to new: String) throws(SystemError) {
    guard SystemCalls.rename(old, new) == 0 else { throw SystemError.latest }
  }

  /// Removes a file.
  package static func remove(_ path: String) throws(SystemError) {
    guard SystemCalls.remove(path) == 0 else { throw SystemError.latest }
  }
}
