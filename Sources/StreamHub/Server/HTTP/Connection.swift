internal import CLibrary
internal import StreamDriving
internal import StreamFiles

/// A connection of a server, used only on the server's thread.
final class Connection {
  enum Phase {
    /// The head of a request arrives, or the connection is idle.
    case head
    /// The body of a request arrives.
    case body
    /// A response is made or sent.
    case response
    /// Events are sent.
    case events
    /// A response was sent before the request was read. Arriving bytes are dropped, so that the client reads the
    /// response.
    case lingering
  }

  let socket: Int32
  /// Distinguishes connections that have used the same socket.
  let number: UInt64
  let peer: String
  var phase = Phase.head
  var interest: Poller.Interest = .read
  /// The time at which the connection is closed, in milliseconds.
  var deadline: Int64

  // A request.
  /// Bytes that have arrived and are not yet read.
  var input: [UInt8] = []
  /// The number of bytes of the input that were searched for the end of a head.
  var searched = 0
  var request: PendingRequest?

  // A response.
  var isHeadRequest = false
  var closes = false
  /// Bytes to send.
  var output: [UInt8] = []
  /// The number of bytes of the output that were sent.
  var sent = 0
  /// Bytes to send after the output.
  var file: (file: FileDescriptor, count: Int)?

  // Events.
  /// The number of the next event to send, in the server's list.
  var cursor = 0
  /// The number of bytes of that event that were sent.
  var eventSent = 0
  var isQueued = false

  init(socket: Int32, number: UInt64, peer: String, deadline: Int64) {
    self.socket = socket
    self.number = number
    self.peer = peer
    self.deadline = deadline
  }

  /// A request whose body arrives.
  struct PendingRequest {
    let head: HTTPRequestHead
    let bodyLimit: Int
    let respond: (HTTPRequest) -> Answer
    var chunked: ChunkedBody?
  }

  enum Progress {
    case done, blocked, broken
  }

  /// Sends as much of the output, and of the file after it, as the system takes.
  func flush() -> Progress {
    while true {
      if sent < output.count {
        switch Self.send(output, from: sent, to: socket) {
        case .some(let count) where count > 0: sent += count
        case .some: return .blocked
        case nil: return .broken
        }
        continue
      }
      (output, sent) = ([], 0)
      guard let next = file else { return .done }
      guard next.count > 0 else {
        next.file.close()
        file = nil
        return .done
      }
      guard let bytes = try? next.file.read(atMost: min(next.count, 128 * 1024)), !bytes.isEmpty else { return .broken }
      output = bytes
      file = (next.file, next.count - bytes.count)
    }
  }

  /// Sends bytes. Returns their number, 0 if the system takes none at present, nil if the connection is broken.
  static func send(_ bytes: [UInt8], from start: Int, to socket: Int32) -> Int? {
    let count = bytes.withUnsafeBytes { buffer in
      #if os(Linux)
      CLibrary.send(socket, buffer.baseAddress?.advanced(by: start), buffer.count - start, Int32(MSG_NOSIGNAL))
      #else
      CLibrary.send(socket, buffer.baseAddress?.advanced(by: start), buffer.count - start, 0)
      #endif
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Closes the socket and the file.
  func close() {
    CLibrary.close(socket)
    file?.file.close()
    file = nil
  }
}
