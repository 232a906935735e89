internal import CLibrary

/// A socket that accepts connections.
struct ListeningSocket {
  let number: Int32
  /// The port, which the system has chosen if 0 was asked for.
  let port: UInt16

  /// Begins to listen at an address.
  init(host: String, port: UInt16) throws(ServerError) {
    var hints = addrinfo()
    hints.ai_flags = Int32(AI_PASSIVE)
    hints.ai_family = AF_UNSPEC
    #if os(Linux)
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
    hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      throw ServerError("there is no host '\(host)'")
    }
    defer { freeaddrinfo(address) }
    let socket = CLibrary.socket(address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
    guard socket >= 0 else { throw ServerError("a socket cannot be opened") }
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0, listen(socket, 4_096) == 0 else {
      let reason = errno == EADDRINUSE ? "another program listens there" : "the system does not allow it"
      close(socket)
      throw ServerError("no server can listen at \(host), port \(port): \(reason)")
    }
    Self.prepare(socket)
    number = socket
    self.port = Self.port(of: socket)
  }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
        getsockname(socket, pointer, &size) == 0
      else { return 0 }
      // The port follows the family in both kinds of addresses.
      return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }

  enum Acceptance {
    case connection(Int32, peer: String)
    /// No connection waits.
    case none
    /// The process has too many open files.
    case full
  }

  /// Accepts a connection that waits.
  func accept() -> Acceptance {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return .none }
      let socket = CLibrary.accept(number, pointer, &size)
      guard socket >= 0 else { return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .full : .none }
      Self.prepare(socket)
      var yes: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      #if canImport(Darwin)
      // `Connection.send` says the same for each call on Linux.
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      #endif
      var name = [CChar](repeating: 0, count: 64)
      getnameinfo(pointer, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
      return .connection(
        socket, peer: String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
  }

  /// The socket does not make the server wait, and other programs that are started do not inherit it.
  private static func prepare(_ socket: Int32) {
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }
}

/// A server that cannot start, with the reason for people.
struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
