internal import CLibrary

/// A connected stream socket that never blocks. The code that opens it closes it.
struct RedisSocket {
  private let number: Int32

  /// The result of an attempt to move bytes.
  enum Transfer {
    case bytes(Int)
    /// Nothing can be moved without a wait.
    case wouldBlock
    /// The other side has closed the connection, or it is broken.
    case closed
  }

  /// Connects to the first address of the endpoint that accepts.
  ///
  /// - Parameter milliseconds: the longest wait for all addresses together. The resolution of a name is not bounded.
  /// - Throws: `RedisError.refused`.
  static func connect(to address: RedisAddress, milliseconds: Int) throws(RedisError) -> RedisSocket {
    let deadline = MonotonicTime.milliseconds + milliseconds
    var reason = "there is no such host"
    for candidate in try candidates(address) {
      switch open(candidate, deadline) {
      case .success(let socket): return socket
      case .failure(let failure): reason = failure.reason
      }
    }
    throw .refused(address: address.description, reason: reason)
  }

  func close() { closeSocket(number) }

  /// Sends bytes from an index on, without waiting.
  func send(_ bytes: [UInt8], from start: Int) -> Transfer {
    while true {
      let count = bytes.withUnsafeBytes { sendBytes(number, $0.baseAddress?.advanced(by: start), $0.count - start) }
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK, ENOBUFS: return .wouldBlock
      default: return .closed
      }
    }
  }

  /// Receives the available bytes, without waiting.
  func receive(into reader: inout RESPReader) -> Transfer {
    while true {
      let count = reader.append(32 << 10) { receiveBytes(number, $0.baseAddress, $0.count) }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: return .closed
      }
    }
  }

  /// Waits until bytes can be received or, if asked for, sent. Returns false when the deadline has passed.
  ///
  /// - Parameter deadline: by `MonotonicTime`.
  func wait(sending: Bool, until deadline: Int) -> Bool {
    while true {
      var request = pollfd(fd: number, events: Int16(sending ? POLLIN | POLLOUT : POLLIN), revents: 0)
      let rest = deadline - MonotonicTime.milliseconds
      let count = poll(&request, 1, Int32(clamping: max(0, rest)))
      if count > 0 { return true }
      if count == 0, rest <= 0 { return false }
      if count < 0, errno != EINTR { return true }
    }
  }

  // MARK: - Connecting

  /// An address of the system.
  private struct Candidate {
    let family: Int32
    let bytes: [UInt8]
  }

  private struct Failure: Error {
    let reason: String
  }

  private static func candidates(_ address: RedisAddress) throws(RedisError) -> [Candidate] {
    switch address.endpoint {
    case .path(let path):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      let capacity = MemoryLayout.size(ofValue: name.sun_path)
      guard path.utf8.count < capacity else {
        throw .invalid("the path of a Unix socket is at most \(capacity - 1) bytes long")
      }
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      #if canImport(Darwin)
      name.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
      #endif
      return [Candidate(family: AF_UNIX, bytes: withUnsafeBytes(of: &name) { Array($0) })]
    case .host("localhost", let port):
      // Needs no resolver, which a statically linked program should not depend on.
      return resolved("127.0.0.1", port, isNumeric: true) + resolved("::1", port, isNumeric: true)
    case .host(let host, let port):
      let numeric = resolved(host, port, isNumeric: true)
      return numeric.isEmpty ? resolved(host, port, isNumeric: false) : numeric
    }
  }

  private static func resolved(_ host: String, _ port: UInt16, isNumeric: Bool) -> [Candidate] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = streamType
    hints.ai_flags = isNumeric ? Int32(AI_NUMERICHOST) : 0
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var candidates: [Candidate] = []
    var next = found
    while let info = next?.pointee {
      if let name = info.ai_addr {
        let bytes = UnsafeRawBufferPointer(start: name, count: Int(info.ai_addrlen))
        candidates.append(Candidate(family: info.ai_family, bytes: Array(bytes)))
      }
      next = info.ai_next
    }
    return candidates
  }

  private static func open(_ candidate: Candidate, _ deadline: Int) -> Result<RedisSocket, Failure> {
    let number = socket(candidate.family, streamType, 0)
    guard number >= 0 else { return .failure(Failure(reason: explanation(errno))) }
    let opened = RedisSocket(number: number)
    opened.prepare(isLocal: candidate.family == AF_UNIX)
    var status = candidate.bytes.withUnsafeBytes { bytes in
      connectSocket(number, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
    if status != 0, errno == EINPROGRESS || errno == EINTR {
      guard opened.waitForConnection(until: deadline) else {
        opened.close()
        return .failure(Failure(reason: "it does not answer"))
      }
      status = opened.pendingError
      errno = status
    }
    guard status == 0 else {
      let reason = explanation(errno)
      opened.close()
      return .failure(Failure(reason: reason))
    }
    return .success(opened)
  }

  /// Waits until the connection is made or has failed. Returns false when the deadline has passed.
  private func waitForConnection(until deadline: Int) -> Bool {
    while true {
      var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      let rest = deadline - MonotonicTime.milliseconds
      let count = poll(&request, 1, Int32(clamping: max(0, rest)))
      if count > 0 { return true }
      if count == 0, rest <= 0 { return false }
    }
  }

  private var pendingError: Int32 {
    var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
  }

  private func prepare(isLocal: Bool) {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    if !isLocal {
      setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    #if canImport(Darwin)
    setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The system's own words.
  private static func explanation(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0).lowercased() } ?? "error \(number)"
  }

  private static var streamType: Int32 {
    #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
    #else
    SOCK_STREAM
    #endif
  }
}

// System functions under names that the methods above do not hide.
private func closeSocket(_ socket: Int32) { _ = close(socket) }
private func connectSocket(_ socket: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
  guard let address else { return -1 }
  return connect(socket, address, size)
}
private func receiveBytes(_ socket: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  recv(socket, bytes, count, 0)
}
private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
  send(socket, bytes, count, 0)
  #else
  // A connection that the server has closed must not end the process by a signal.
  send(socket, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
