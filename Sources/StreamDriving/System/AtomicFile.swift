internal import CLibrary
package import StreamCore

/// Replaces files atomically: a reader finds the whole old content or the whole new content, also after a crash.
package enum AtomicFile {
  /// Writes the bytes to a new file beside the target, waits until they are on disk, and renames the new file to the
  /// target.
  ///
  /// Mode, extended attributes (including access control lists) and, if permitted, the owner are preserved. A symbolic
  /// link is kept, and the file it refers to is replaced. A terminal, pipe or other device is opened and written to.
  /// Hard links are broken: the other names of the file keep the old content, and a warning reports it.
  ///
  /// - Parameter old: The stamp of the input file. If the file has changed since, nothing is written.
  /// - Returns: A warning about a file that was written.
  @discardableResult
  package static func write(
    _ bytes: [UInt8], to path: String, replacing old: FileStamp? = nil
  ) throws(Diagnostic) -> Diagnostic? {
    do throws(SystemError) {
      return try write(bytes, following: path, old)
    } catch {
      if error == .changedMeanwhile {
        throw Diagnostic(
          .cannotWrite, "'\(path)' was changed by another program; nothing was written", help: "run the command again")
      }
      if error.isRefusal, access(path, W_OK) == 0 {
        throw Diagnostic(
          .permissionDenied, "'\(path)' cannot be replaced: its directory is not writable",
          help: "the command writes a new file next to it and renames that; use -o to write elsewhere")
      }
      throw error.diagnostic(writing: path)
    }
  }

  private static func write(
    _ bytes: [UInt8], following path: String, _ old: FileStamp?
  ) throws(SystemError) -> Diagnostic? {
    var status = stat()
    // NB: a link of the system such as '/dev/stdout' leads to a pipe that has no path of its own.
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { throw SystemError.isDirectory }
      let device = try FileDescriptor.openDevice(path)
      defer { device.close() }
      try device.write(bytes)
      return nil
    }
    let target = try followed(path)
    guard stat(target, &status) == 0 else {
      guard errno == ENOENT else { throw SystemError.latest }
      if old != nil { throw SystemError.changedMeanwhile }
      try replace(target, with: bytes, keeping: nil, old)
      return nil
    }
    guard access(target, W_OK) == 0 else { throw SystemError.latest }
    try replace(target, with: bytes, keeping: status, old)
    guard status.st_nlink > 1 else { return nil }
    return Diagnostic(
      .cannotWrite, "'\(path)' had \(status.st_nlink) names (hard links); the others keep the old content",
      severity: .warning, help: "recreate the links, or use symbolic links, which are kept")
  }

  private static func replace(
    _ target: String, with bytes: [UInt8], keeping status: stat?, _ old: FileStamp?
  ) throws(SystemError) {
    let (file, fresh) = try makeNeighbor(of: target, mode: status == nil ? 0o666 : 0o600)
    do throws(SystemError) {
      defer { file.close() }
      try file.write(bytes)
      if let status {
        // NB: first the owner, since a change of that may take rights away. It is kept where the system allows that.
        _ = fchown(file.number, status.st_uid, status.st_gid)
        guard fchmod(file.number, status.st_mode & 0o7777) == 0 else { throw SystemError.latest }
        if let original = try? FileDescriptor.open(target) {
          defer { original.close() }
          try ExtendedAttributes.copy(from: original, to: file)
        }
      }
      try file.synchronize()
      if let old, FileStamp(target) != old { throw SystemError.changedMeanwhile }
      guard rename(fresh, target) == 0 else { throw SystemError.latest }
    } catch {
      unlink(fresh)
      throw error
    }
    // The directory's new entry is on the disk, too, where the file system supports that.
    if let directory = try? FileDescriptor.open(Path.directory(of: target)) {
      try? directory.synchronize()
      directory.close()
    }
  }

  /// A new file in the directory of another.
  private static func makeNeighbor(
    of target: String, mode: mode_t
  ) throws(SystemError) -> (FileDescriptor, path: String) {
    let name = String(decoding: Path.name(of: target).utf8.prefix(200), as: UTF8.self)
    // A process that was killed may have left a file of that name.
    for number in 0..<1_000 {
      let fresh = Path.join(Path.directory(of: target), ".\(name).\(getpid())-\(number).new")
      do throws(SystemError) {
        return (try FileDescriptor.create(fresh, mode: mode), fresh)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    throw SystemError(number: EEXIST)
  }

  /// The path that a chain of links leads to, which need not exist yet.
  private static func followed(_ path: String) throws(SystemError) -> String {
    var path = path
    for _ in 0..<40 {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &target, target.count)
      guard count >= 0 else { throw SystemError.latest }
      path = Path.join(
        Path.directory(of: path), String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    throw SystemError(number: ELOOP)
  }
}
