internal import CLibrary
internal import StreamCore
internal import StreamFiles

/// The loop of a server: accepts, reads, and sends. Used only on the server's thread.
final class HTTPLoop {
  /// Encoded bytes for all readers of events.
  struct Event {
    /// nil for a comment.
    let id: Int?
    let bytes: [UInt8]
  }

  let server: HTTPServer
  let limits: HTTPLimits
  let handler: any HTTPHandler
  let parser: HTTPRequestParser
  private let listener: ListeningSocket
  private let poller: Poller
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  /// The connections by their sockets.
  private var connections: [Connection?] = []
  private var connectionCount = 0
  private var lastNumber: UInt64 = 0
  private var isAccepting = true

  // Events.
  private(set) var readerCount = 0
  /// The newest events. The first has the number `firstEvent`.
  private var events: [Event] = []
  private var firstEvent = 0
  /// Readers that have events to send.
  private var queue: [Connection] = []
  private var queueStart = 0
  private var nextHeartbeat: Int64

  private var nextTick: Int64
  /// The time at which all connections are closed; nil unless the server stops.
  private var end: Int64?
  private var date = (second: Int64(-1), text: "")

  init(
    server: HTTPServer, listener: ListeningSocket, poller: Poller, limits: HTTPLimits, handler: any HTTPHandler
  ) {
    self.server = server
    self.listener = listener
    self.poller = poller
    self.limits = limits
    self.handler = handler
    parser = HTTPRequestParser(limits: limits)
    nextTick = Self.now + limits.tickMilliseconds
    nextHeartbeat = Self.now + limits.heartbeatMilliseconds
  }

  deinit { scratch.deallocate() }

  /// The monotonic time, in milliseconds.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Runs until the server stops.
  func run() {
    _ = poller.add(listener.number, .read)
    _ = poller.add(server.mailSocket, .read)
    while end == nil || connectionCount > 0 {
      let pause = queueStart < queue.count ? 0 : max(0, min(nextTick, end ?? .max) - Self.now)
      var hasMail = false
      poller.wait(milliseconds: Int32(clamping: pause)) { event in
        if event.socket == listener.number {
          accept()
        } else if event.socket == server.mailSocket {
          hasMail = true
        } else if let connection = connection(event.socket) {
          handle(event, of: connection)
        }
      }
      if hasMail { readMail() }
      sendQueuedEvents()
      let now = Self.now
      if now >= nextTick { tick(now) }
      if let end, now >= end { closeAll() }
    }
    if end == nil { close(listener.number) }
  }

  private func connection(_ socket: Int32) -> Connection? {
    Int(socket) < connections.count ? connections[Int(socket)] : nil
  }

  // MARK: Connections

  private func accept() {
    for _ in 0..<64 {
      switch listener.accept() {
      case .none: return
      case .full:
        // Tried again when a second is over, or a connection has closed.
        isAccepting = false
        poller.change(listener.number, to: [])
        return
      case .connection(let socket, let peer):
        guard connectionCount < limits.connections else {
          server.update { $0.refusedConnections += 1 }
          let refusal = handler.response(to: HTTPFailure(503, "the server has too many connections"))
          guard case .bytes(let body) = refusal.body else { continue }
          _ = Connection.send(refusal.head(date: dateText, closes: true) + body, from: 0, to: socket)
          close(socket)
          continue
        }
        guard poller.add(socket, .read) else {
          close(socket)
          continue
        }
        lastNumber += 1
        while connections.count <= Int(socket) { connections.append(nil) }
        connections[Int(socket)] = Connection(
          socket: socket, number: lastNumber, peer: peer, deadline: Self.now + limits.headMilliseconds)
        connectionCount += 1
        server.update { $0.connections += 1 }
      }
    }
  }

  func drop(_ connection: Connection) {
    guard self.connection(connection.socket) === connection else { return }
    if connection.phase == .events { changeReaderCount(by: -1) }
    connections[Int(connection.socket)] = nil
    connectionCount -= 1
    server.update { $0.connections -= 1 }
    poller.remove(connection.socket)
    connection.close()
    resumeAccepting()
  }

  private func resumeAccepting() {
    guard !isAccepting, end == nil else { return }
    isAccepting = true
    poller.change(listener.number, to: .read)
  }

  func setInterest(_ interest: Poller.Interest, of connection: Connection) {
    guard connection.interest != interest else { return }
    connection.interest = interest
    poller.change(connection.socket, to: interest)
  }

  private func handle(_ event: Poller.Event, of connection: Connection) {
    if event.isWritable {
      connection.phase == .events ? sendEvents(to: connection) : send(connection)
    }
    if event.isReadable, connections[Int(event.socket)] === connection { receive(connection) }
    if event.isBroken, connections[Int(event.socket)] === connection { drop(connection) }
  }

  private func receive(_ connection: Connection) {
    let count = recv(connection.socket, scratch.baseAddress, scratch.count, 0)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { drop(connection) }
      return
    }
    switch connection.phase {
    case .head, .body:
      if connection.phase == .head, connection.input.isEmpty {
        connection.deadline = Self.now + limits.headMilliseconds
      }
      connection.input.append(contentsOf: scratch[..<count])
      advance(connection)
    case .response: connection.input.append(contentsOf: scratch[..<count])
    case .events, .lingering: break  // dropped
    }
  }

  // MARK: Time

  /// The field `date` of responses (RFC 9110).
  var dateText: String {
    let second = Int64(time(nil))
    if second != date.second { date = (second, HTTPDate.text(second)) }
    return date.text
  }

  private func tick(_ now: Int64) {
    nextTick = now + limits.tickMilliseconds
    resumeAccepting()
    for connection in connections {
      guard let connection, now >= connection.deadline else { continue }
      let isPartial = (connection.phase == .head && !connection.input.isEmpty) || connection.phase == .body
      if isPartial {
        refuse(connection, HTTPFailure(408, "the request did not arrive in time"))
      } else {
        drop(connection)
      }
    }
    if now >= nextHeartbeat {
      nextHeartbeat = now + limits.heartbeatMilliseconds
      if readerCount > 0 { publish([Event(id: nil, bytes: Array(":\n\n".utf8))]) }
    }
  }

  private func readMail() {
    let mail = server.takeMail()
    for (socket, number, response) in mail.responses {
      guard let connection = connection(socket), connection.number == number else {
        if case .file(let file, _) = response.body { file.close() }
        continue
      }
      respond(response, to: connection)
      if connection.phase == .head { advance(connection) }
    }
    if !mail.events.isEmpty { publish(mail.events) }
    if mail.isStopping, end == nil { stop() }
  }

  // MARK: Events

  func changeReaderCount(by difference: Int) {
    readerCount += difference
    let count = readerCount
    server.update { $0.eventReaders = count }
  }

  private func publish(_ new: [Event]) {
    events += new
    if events.count > 2 * limits.eventLag {
      let surplus = events.count - limits.eventLag
      events.removeFirst(surplus)
      firstEvent += surplus
    }
    for connection in connections {
      guard let connection, connection.phase == .events, !connection.isQueued else { continue }
      connection.isQueued = true
      queue.append(connection)
    }
  }

  /// Starts to send events with higher IDs.
  func follow(_ connection: Connection, after id: Int) {
    let index = events.firstIndex { ($0.id ?? 0) > id } ?? events.count
    connection.cursor = firstEvent + index
    connection.input = []
    connection.request = nil
    connection.phase = .events
    changeReaderCount(by: 1)
    sendEvents(to: connection)
  }

  /// Sends to some of the readers, so that the loop also handles other connections.
  private func sendQueuedEvents() {
    guard queueStart < queue.count else { return }
    let stop = min(queueStart + 256, queue.count)
    for connection in queue[queueStart..<stop] {
      connection.isQueued = false
      if connection.phase == .events { sendEvents(to: connection) }
    }
    queueStart = stop
    if queueStart == queue.count { (queue, queueStart) = ([], 0) }
  }

  private func sendEvents(to connection: Connection) {
    guard self.connection(connection.socket) === connection else { return }
    if !connection.output.isEmpty {
      switch connection.flush() {
      case .done: break
      case .blocked: return wait(for: connection)
      case .broken: return drop(connection)
      }
    }
    while connection.cursor < firstEvent + events.count {
      guard connection.cursor >= firstEvent, events.count - (connection.cursor - firstEvent) <= limits.eventLag else {
        server.update { $0.droppedReaders += 1 }
        return drop(connection)
      }
      let bytes = events[connection.cursor - firstEvent].bytes
      guard let count = Connection.send(bytes, from: connection.eventSent, to: connection.socket) else {
        return drop(connection)
      }
      connection.eventSent += count
      guard connection.eventSent == bytes.count else { return wait(for: connection) }
      connection.cursor += 1
      connection.eventSent = 0
    }
    connection.deadline = .max
    setInterest(.read, of: connection)
  }

  /// Waits until a reader of events reads. It is dropped if it has not caught up in time.
  private func wait(for connection: Connection) {
    if connection.deadline == .max { connection.deadline = Self.now + limits.responseMilliseconds }
    setInterest([.read, .write], of: connection)
  }

  // MARK: Stopping

  /// Whether the server stops.
  var isStopping: Bool { end != nil }

  private func stop() {
    end = Self.now + limits.stopMilliseconds
    poller.remove(listener.number)
    close(listener.number)
    for connection in connections {
      guard let connection else { continue }
      switch connection.phase {
      case .events:
        let comment = Array(": the server stops\n\n".utf8)
        if connection.output.isEmpty, connection.eventSent == 0 {
          _ = Connection.send(comment, from: 0, to: connection.socket)
        }
        drop(connection)
      case .head where connection.input.isEmpty: drop(connection)
      case .head, .body, .response: connection.closes = true
      case .lingering: drop(connection)
      }
    }
  }

  private func closeAll() {
    for connection in connections { if let connection { drop(connection) } }
  }
}
