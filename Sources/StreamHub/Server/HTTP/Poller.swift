internal import CLibrary

#if os(Linux)
internal import CEventPoll
#endif

/// Waits for sockets that can be read or written: epoll(7) on Linux, poll(2) elsewhere.
final class Poller {
  /// The states of a socket that end the wait. Without any, only a broken connection does.
  struct Interest: OptionSet {
    let rawValue: UInt8
    static let read = Interest(rawValue: 1)
    static let write = Interest(rawValue: 2)
  }

  struct Event {
    let socket: Int32
    let isReadable: Bool
    let isWritable: Bool
    /// Whether the connection is broken.
    let isBroken: Bool
  }

  /// Maximum number of events of one wait.
  private static let eventCount = 512

  #if os(Linux)
  private let queue: Int32
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Poller.eventCount)

  init?() {
    queue = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard queue >= 0 else { return nil }
  }

  deinit {
    close(queue)
    events.deallocate()
  }

  /// Begins to wait for a socket. Returns false if the system has no room for it.
  func add(_ socket: Int32, _ interest: Interest) -> Bool { control(EPOLL_CTL_ADD, socket, interest) }

  func change(_ socket: Int32, to interest: Interest) { _ = control(EPOLL_CTL_MOD, socket, interest) }

  /// Stops waiting for a socket, which is still open.
  func remove(_ socket: Int32) { _ = control(EPOLL_CTL_DEL, socket, []) }

  private func control(_ operation: Int32, _ socket: Int32, _ interest: Interest) -> Bool {
    var event = epoll_event()
    if interest.contains(.read) { event.events |= EPOLLIN.rawValue }
    if interest.contains(.write) { event.events |= EPOLLOUT.rawValue }
    event.data.fd = socket
    return epoll_ctl(queue, operation, socket, &event) == 0
  }

  /// Waits until something happens or time is over.
  func wait(milliseconds: Int32, _ body: (Event) -> Void) {
    let count = epoll_wait(queue, events, Int32(Self.eventCount), milliseconds)
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let event = events[index]
      body(
        Event(
          socket: event.data.fd, isReadable: event.events & EPOLLIN.rawValue != 0,
          isWritable: event.events & EPOLLOUT.rawValue != 0,
          isBroken: event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0))
    }
  }
  #else
  private var requests: [Int32: Int16] = [:]

  init?() {}

  func add(_ socket: Int32, _ interest: Interest) -> Bool {
    change(socket, to: interest)
    return true
  }

  func change(_ socket: Int32, to interest: Interest) {
    requests[socket] =
      (interest.contains(.read) ? Int16(POLLIN) : 0) | (interest.contains(.write) ? Int16(POLLOUT) : 0)
  }

  func remove(_ socket: Int32) { requests[socket] = nil }

  func wait(milliseconds: Int32, _ body: (Event) -> Void) {
    var list = requests.map { pollfd(fd: $0.key, events: $0.value, revents: 0) }
    guard poll(&list, nfds_t(list.count), milliseconds) > 0 else { return }
    for request in list where request.revents != 0 {
      body(
        Event(
          socket: request.fd, isReadable: request.revents & Int16(POLLIN) != 0,
          isWritable: request.revents & Int16(POLLOUT) != 0,
          isBroken: request.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0))
    }
  }
  #endif
}
