internal import CLibrary

/// A socket in the file system, through which processes of one user talk to each other.
package enum LocalSocket {
  /// Begins to listen at a path; only the user can connect. A socket that a process has left there is replaced.
  ///
  /// The directory is made if it does not exist.
  ///
  /// - Throws: `SystemError.isInUse` if a process listens there.
  package static func listen(at path: String) throws(SystemError) -> FileDescriptor {
    try Directory.create(Path.directory(of: path), isPrivate: true)
    do throws(SystemError) {
      let other = try connect(to: path)
      other.close()
      throw SystemError.isInUse
    } catch {
      switch error.number {
      case ENOENT: break
      case ECONNREFUSED: remove(path)
      default: throw error
      }
    }
    let file = try open()
    do throws(SystemError) {
      // NB: Before the name exists, so that no other user can connect in between. Not every system supports this.
      _ = SystemCalls.changeMode(file.number, 0o600)
      try with(path) { CLibrary.bind(file.number, $0, $1) }
      guard chmod(path, 0o600) == 0, CLibrary.listen(file.number, 16) == 0 else { throw SystemError.latest }
      prepare(file)
      return file
    } catch {
      file.close()
      throw error
    }
  }

  /// Connects to the process that listens at a path.
  package static func connect(to path: String) throws(SystemError) -> FileDescriptor {
    let file = try open()
    do throws(SystemError) {
      try with(path) { CLibrary.connect(file.number, $0, $1) }
      return file
    } catch {
      file.close()
      throw error
    }
  }

  /// Removes the name of a socket that is no longer listened at.
  package static func remove(_ path: String) { try? Directory.remove(path) }

  /// Accepts a connection that waits, and is never waited for; nil if there is none.
  package static func accept(_ listener: FileDescriptor) -> FileDescriptor? {
    let number = CLibrary.accept(listener.number, nil, nil)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(number: number)
    prepare(file)
    return file
  }

  /// Sends as many bytes as the connection takes without a wait. Returns their number; nil if it is closed.
  package static func send(_ bytes: [UInt8], to file: FileDescriptor) -> Int? {
    #if os(Linux)
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #else
    let flags = Int32(MSG_DONTWAIT)
    #endif
    let count = CLibrary.send(file.number, bytes, bytes.count, flags)
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Receives the bytes that have come; none if there are none. Nil if the other end has closed the connection.
  package static func receive(_ file: FileDescriptor, atMost limit: Int = 65_536) -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initializedCount in
      count = recv(file.number, buffer.baseAddress, limit, Int32(MSG_DONTWAIT))
      initializedCount = max(0, count)
    }
    if count > 0 { return bytes }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
  }

  private static func open() throws(SystemError) -> FileDescriptor {
    #if os(Linux)
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let number = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard number >= 0 else { throw SystemError.latest }
    let file = FileDescriptor(number: number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return file
  }

  private static func prepare(_ file: FileDescriptor) {
    _ = fcntl(file.number, F_SETFL, fcntl(file.number, F_GETFL) | O_NONBLOCK)
    _ = fcntl(file.number, F_SETFD, FD_CLOEXEC)
  }

  /// Calls a function of the system with the address of a path.
  ///
  /// An address holds about a hundred bytes. On Linux, a longer path is reached through its open directory.
  private static func with(
    _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) {
    guard !path.utf8.contains(0) else { throw SystemError.invalid }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
    var name = path
    var directory: FileDescriptor?
    defer { directory?.close() }
    if name.utf8.count > capacity {
      #if os(Linux)
      let folder = try FileDescriptor.open(Path.directory(of: path))
      directory = folder
      name = "/proc/self/fd/\(folder.number)/\(Path.name(of: path))"
      #endif
      guard name.utf8.count <= capacity else { throw SystemError(number: ENAMETOOLONG) }
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
    #if canImport(Darwin)
    address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw SystemError.latest }
  }
}

extension SystemError {
  /// Another process listens at the path.
  package static let isInUse = SystemError(number: EADDRINUSE)

  /// Whether no process listens at a path: there is no such file, or its process has ended.
  package var isUnheard: Bool { number == ENOENT || number == ECONNREFUSED }
}
