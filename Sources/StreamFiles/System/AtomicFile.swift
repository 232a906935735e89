internal import CLibrary
package import StreamCore
internal import Synchronization

/// Replaces files atomically: a reader finds the whole old content or the whole new content, also after a crash.
package enum AtomicFile {
  /// Writes the bytes to a new file beside the target, waits until they are on disk, and renames the new file to the
  /// target.
  ///
  /// Mode, extended attributes (including access control lists) and, if permitted, the owner are preserved. A symbolic
  /// link is kept, and the file it refers to is replaced. A terminal, pipe or other device is opened and written to.
  /// Hard links are broken: the other names of the file keep the old content, and a warning reports it.
  ///
  /// - Parameters:
  ///   - old: The stamp of the input file. If the file has changed since, nothing is written.
  ///   - isPrivate: Whether only the owner may read a new file. Default false.
  /// - Returns: A warning about a file that was written.
  @discardableResult
  package static func write(
    _ bytes: [UInt8], to path: String, replacing old: FileStamp? = nil, isPrivate: Bool = false
  ) throws(Diagnostic) -> Diagnostic? {
    do throws(SystemError) {
      return try write(bytes, following: path, old, isPrivate)
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
    _ bytes: [UInt8], following path: String, _ old: FileStamp?, _ isPrivate: Bool
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
      try replace(target, with: bytes, keeping: nil, old, isPrivate)
      return nil
    }
    guard access(target, W_OK) == 0 else { throw SystemError.latest }
    try replace(target, with: bytes, keeping: status, old, true)
    guard status.st_nlink > 1 else { return nil }
    return Diagnostic(
      .cannotWrite, "'\(path)' had \(status.st_nlink) names (hard links); the others keep the old content",
      severity: .warning, help: "recreate the links, or use symbolic links, which are kept")
  }

  private static func replace(
    _ target: String, with bytes: [UInt8], keeping status: stat?, _ old: FileStamp?, _ isPrivate: Bool
  ) throws(SystemError) {
    let (file, fresh) = try makeNeighbor(of: target, mode: isPrivate ? 0o600 : 0o666)
    do throws(SystemError) {
      defer { file.close() }
      try file.write(bytes)
      if let status {
        // NB: first the owner, since a change of that may take rights away. It is kept where the system allows that.
        _ = fchown(file.number, status.st_uid, status.st_gid)
        guard SystemCalls.changeMode(file.number, status.st_mode & 0o7777) == 0 else { throw SystemError.latest }
        if let original = try? FileDescriptor.open(target) {
          defer { original.close() }
          try ExtendedAttributes.copy(from: original, to: file)
        }
      }
      try file.synchronize()
      if let old, FileStamp(target) != old { throw SystemError.changedMeanwhile }
      try Directory.move(fresh, to: target)
    } catch {
      try? Directory.remove(fresh)
      throw error
    }
    Directory.synchronize(holding: target)
  }

  /// Writes the bytes to a file that must not exist, readable by its owner only, and waits until they are on disk. No
  /// reader finds a part of them, also after a crash.
  ///
  /// - Throws: `EEXIST` if there is a file.
  package static func create(_ bytes: [UInt8], at path: String) throws(SystemError) {
    let (file, fresh) = try makeNeighbor(of: path, mode: 0o600)
    defer {
      file.close()
      try? Directory.remove(fresh)
    }
    try file.write(bytes)
    try file.synchronize()
    if SystemCalls.link(fresh, path) != 0 {
      let error = SystemError.latest
      // Some file systems give a file one name only.
      guard [EPERM, ENOTSUP, EMLINK].contains(error.number), FileStamp(path) == nil else { throw error }
      try Directory.move(fresh, to: path)
    }
    Directory.synchronize(holding: path)
  }

  /// Held while a file is created and locked, so that no other thread takes it for an abandoned one.
  private static let creating = Mutex(())

  /// Creates a new file in the directory of another, and removes those that killed processes have left there.
  ///
  /// The new file is locked (`flock`) until it is closed.
  private static func makeNeighbor(
    of target: String, mode: mode_t
  ) throws(SystemError) -> (FileDescriptor, path: String) {
    let directory = Path.directory(of: target)
    let name = String(decoding: Path.name(of: target).utf8.prefix(200), as: UTF8.self)
    return try creating.withLock { _ throws(SystemError) in
      removeAbandoned(in: directory)
      for number in 0..<1_000 {
        let fresh = Path.join(directory, ".\(name).\(getpid())-\(number).new")
        do throws(SystemError) {
          let file = try FileDescriptor.create(fresh, mode: mode)
          _ = file.lockIfFree()
          return (file, fresh)
        } catch {
          guard error.number == EEXIST else { throw error }
        }
      }
      throw SystemError(number: EEXIST)
    }
  }

  /// Removes the new files of processes that have ended before they renamed them.
  ///
  /// NB: In another container, a process that has not ended may have the number of one that has; its file is locked. A
  /// file that has this process's own number is not its own if it is not locked.
  private static func removeAbandoned(in directory: String) {
    for name in (try? Directory.names(in: directory)) ?? [] {
      guard let process = process(ofNew: name), process == getpid() || isDead(process) else { continue }
      let path = Path.join(directory, name)
      guard let file = try? FileDescriptor.openRegular(name, below: directory) else { continue }
      defer { file.close() }
      if file.lockIfFree() { try? Directory.remove(path) }
    }
  }

  /// The number of the process in the name of a new file; nil for the name of another file.
  private static func process(ofNew name: String) -> pid_t? {
    guard name.utf8.first == UInt8(ascii: "."), name.hasSuffix(".new") else { return nil }
    let parts = name.dropFirst().dropLast(4).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let numbers = parts.last?.split(separator: "-", omittingEmptySubsequences: false),
      numbers.count == 2, let process = pid_t(numbers[0]), process > 0, let number = Int(numbers[1]), number >= 0
    else { return nil }
    return process
  }

  private static func isDead(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

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
