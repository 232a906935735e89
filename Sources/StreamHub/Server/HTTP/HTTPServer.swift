internal import CLibrary
internal import StreamFiles
internal import Synchronization

/// An HTTP/1.1 server with one thread for all connections (epoll on Linux).
///
/// Responses that take longer are made on other threads. Events are sent to all their readers from one list of encoded
/// bytes, in which a reader is a position: a reader costs no memory per event, and a slow reader does not delay others.
final class HTTPServer: Sendable {
  /// Messages of other threads to the server's thread.
  struct Mail {
    var responses: [(socket: Int32, number: UInt64, response: HTTPResponse)] = []
    var events: [HTTPLoop.Event] = []
    var isStopping = false
    /// Whether the thread has been woken up for them.
    var isAnnounced = false
  }

  let port: UInt16
  private let mail = Mutex(Mail())
  private let wakeUp: (reader: Int32, writer: Int32)
  private let thread: Mutex<SystemThread?> = Mutex(nil)
  private let counts = Mutex(Counts())

  /// Numbers of connections.
  struct Counts: Sendable {
    var connections = 0
    var eventReaders = 0
    /// Readers of events that were disconnected, since they lagged behind.
    var droppedReaders = 0
    /// Connections that were refused because there were too many.
    var refusedConnections = 0
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - host: A name or an address.
  ///   - port: 0 for one that the system chooses.
  ///   - limits: The bounds of requests and connections.
  ///   - handler: Makes the responses.
  init(host: String, port: UInt16, limits: HTTPLimits = HTTPLimits(), handler: any HTTPHandler) throws(ServerError) {
    let listener = try ListeningSocket(host: host, port: port)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let poller = Poller() else {
      close(listener.number)
      throw ServerError("too many files are open")
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    wakeUp = (ends[0], ends[1])
    self.port = listener.port
    var limits = limits
    limits.connections = min(limits.connections, Self.fileLimit() - 64)
    let start = LoopStart(
      loop: HTTPLoop(server: self, listener: listener, poller: poller, limits: limits, handler: handler))
    let thread = SystemThread { start.loop.run() }
    guard let thread else { throw ServerError("the system cannot start a thread") }
    self.thread.withLock { $0 = thread }
  }

  /// Passes the loop to its thread.
  private struct LoopStart: @unchecked Sendable {  // used by one thread after the other
    let loop: HTTPLoop
  }

  /// Raises the number of files that may be open to the maximum that the system permits, and returns it.
  private static func fileLimit() -> Int {
    var limit = rlimit()
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    limit.rlim_cur = min(limit.rlim_max, 1_048_576)
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }

  var currentCounts: Counts { counts.withLock { $0 } }

  func update(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

  // MARK: Messages

  /// Sends an event to all readers. Events are sent in the order of these calls.
  ///
  /// - Parameter id: Higher than that of all earlier events.
  func send(event bytes: [UInt8], id: Int) { post { $0.events.append(HTTPLoop.Event(id: id, bytes: bytes)) } }

  /// Sends a response that was made on another thread.
  func send(_ response: HTTPResponse, to socket: Int32, number: UInt64) {
    post { $0.responses.append((socket, number, response)) }
  }

  /// Stops: no more connections are accepted, requests and readers of events have some seconds to finish. Returns when
  /// the server's thread has ended.
  func stop() {
    post { $0.isStopping = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func post(_ message: (inout Mail) -> Void) {
    let isFirst = mail.withLock { mail in
      message(&mail)
      defer { mail.isAnnounced = true }
      return !mail.isAnnounced
    }
    guard isFirst else { return }
    var byte: UInt8 = 1
    _ = write(wakeUp.writer, &byte, 1)
  }

  /// The socket that becomes readable when there is mail.
  var mailSocket: Int32 { wakeUp.reader }

  /// Removes all mail.
  func takeMail() -> Mail {
    var bytes = (UInt64(0), UInt64(0))
    _ = read(wakeUp.reader, &bytes, 16)
    return mail.withLock { mail in
      defer { mail = Mail(isStopping: mail.isStopping) }
      return mail
    }
  }

  deinit {
    close(wakeUp.reader)
    close(wakeUp.writer)
  }
}
