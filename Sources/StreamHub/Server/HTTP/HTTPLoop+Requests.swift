internal import CLibrary
internal import Dispatch
internal import StreamFiles

/// Requests and their responses.
extension HTTPLoop {
  /// Reads requests from the input until bytes are missing or a response has to be waited for.
  func advance(_ connection: Connection) {
    while true {
      do throws(HTTPFailure) {
        switch connection.phase {
        case .head:
          guard !connection.input.isEmpty, try readHead(connection) else { return }
        case .body:
          guard try readBody(connection) else { return }
        case .response, .events, .lingering: return
        }
      } catch {
        return refuse(connection, error)
      }
    }
  }

  /// Returns whether the head was complete.
  private func readHead(_ connection: Connection) throws(HTTPFailure) -> Bool {
    guard let (head, length) = try parser.parse(connection.input, searched: &connection.searched) else { return false }
    connection.input.removeFirst(length)
    connection.searched = 0
    connection.isHeadRequest = head.method == "HEAD"
    connection.closes = !head.keepsConnection || isStopping
    let hasBody = head.body != .none
    switch handler.screen(head, peer: connection.peer) {
    case .refused(var response):
      // The body of a request that is refused is not read.
      if hasBody { response.closes = true }
      respond(response, to: connection)
    case .accepted(let limit, let respond):
      if case .length(let count) = head.body, count > limit {
        throw HTTPFailure(413, "the body has more than \(limit) bytes")
      }
      connection.request = Connection.PendingRequest(
        head: head, bodyLimit: limit, respond: respond,
        chunked: head.body == .chunked ? ChunkedBody(limit: limit) : nil)
      connection.phase = .body
      guard hasBody else { return true }
      connection.deadline = HTTPLoop.now + limits.bodyMilliseconds
      if let expectation = head["expect"] {
        guard expectation.lowercased() == "100-continue" else {
          throw HTTPFailure(417, "the only expectation that this server knows is '100-continue'")
        }
        if connection.input.isEmpty {
          _ = Connection.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), from: 0, to: connection.socket)
        }
      }
    }
    return true
  }

  /// Returns whether the body was complete.
  private func readBody(_ connection: Connection) throws(HTTPFailure) -> Bool {
    guard let request = connection.request else { return false }
    let body: [UInt8]
    switch request.head.body {
    case .none: body = []
    case .length(let count):
      guard connection.input.count >= count else { return false }
      body = Array(connection.input[..<count])
      connection.input.removeFirst(count)
    case .chunked:
      guard try connection.request?.chunked?.read(&connection.input) ?? false else { return false }
      body = connection.request?.chunked?.bytes ?? []
    }
    connection.request = nil
    connection.phase = .response
    switch request.respond(HTTPRequest(head: request.head, body: body)) {
    case .now(let response): respond(response, to: connection)
    case .later(let queue, let work):
      // No deadline while the server itself works.
      connection.deadline = .max
      setInterest([], of: connection)
      let (server, socket, number) = (server, connection.socket, connection.number)
      queue.async { server.send(work(), to: socket, number: number) }
    }
    return true
  }

  /// Responds to a request that cannot be read. The connection ends, since it is not known where the next request
  /// begins.
  func refuse(_ connection: Connection, _ failure: HTTPFailure) {
    connection.request = nil
    connection.isHeadRequest = false
    var response = handler.response(to: failure)
    response.closes = true
    respond(response, to: connection)
  }

  func respond(_ response: HTTPResponse, to connection: Connection) {
    connection.phase = .response
    if response.closes { connection.closes = true }
    if case .events = response.body { connection.closes = true }
    var output = response.head(date: dateText, closes: connection.closes)
    connection.deadline = HTTPLoop.now + limits.responseMilliseconds + Int64(response.length ?? 0) / 16
    switch response.body {
    case .bytes(let bytes):
      if !connection.isHeadRequest { output += bytes }
    case .file(let file, let count):
      if connection.isHeadRequest { file.close() } else { connection.file = (file, count) }
    case .events(let first, let id):
      if !connection.isHeadRequest, !isStopping {
        connection.output = output + first
        return follow(connection, after: id)
      }
    }
    connection.output = output
    send(connection)
  }

  /// Sends the response, and then continues with the connection.
  func send(_ connection: Connection) {
    switch connection.flush() {
    case .broken: drop(connection)
    case .blocked: setInterest(.write, of: connection)
    case .done:
      guard connection.phase == .response else { return }
      if connection.closes || isStopping {
        linger(connection)
      } else {
        let wasBlocked = connection.interest != .read
        connection.phase = .head
        connection.deadline =
          HTTPLoop.now + (connection.input.isEmpty ? limits.idleMilliseconds : limits.headMilliseconds)
        setInterest(.read, of: connection)
        if wasBlocked, !connection.input.isEmpty { advance(connection) }
      }
    }
  }

  /// Ends a connection such that the client still reads the response, though it may not have sent the whole request.
  private func linger(_ connection: Connection) {
    shutdown(connection.socket, Int32(SHUT_WR))
    connection.input = []
    connection.phase = .lingering
    connection.deadline = HTTPLoop.now + limits.lingerMilliseconds
    setInterest(.read, of: connection)
  }
}
