internal import CLibrary

/// Waits until files are readable, a time has passed, or the program is asked to stop.
package enum Waiting {
  /// Returns for each file whether it can be read now: for none after the timeout or an interruption.
  ///
  /// - Parameters:
  ///   - writable: files that end the wait when they can be written to.
  ///   - nanoseconds: the longest wait, rounded up to milliseconds; nil is without a limit, 0 does not wait.
  package static func readable(
    _ files: [FileDescriptor], writable: [FileDescriptor] = [], nanoseconds: Int64?
  ) -> [Bool] {
    var requests = files.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    requests += writable.map { pollfd(fd: $0.number, events: Int16(POLLOUT), revents: 0) }
    requests.append(pollfd(fd: Interruption.descriptor.number, events: Int16(POLLIN), revents: 0))
    let milliseconds =
      nanoseconds.map { Int32(clamping: $0 / 1_000_000 + ($0 % 1_000_000 > 0 ? 1 : 0)) } ?? -1
    let count = poll(&requests, nfds_t(requests.count), milliseconds)
    guard count > 0 else { return files.map { _ in false } }
    return requests.prefix(files.count).map { $0.revents != 0 }
  }

  /// Whether a file can be read without a wait.
  package static func isReadable(_ file: FileDescriptor) -> Bool {
    var request = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Waits until a file is readable. Returns false if all writers of a pipe close it before that.
  static func readable(_ file: FileDescriptor, unlessClosed pipe: FileDescriptor) -> Bool {
    while true {
      var requests = [
        pollfd(fd: file.number, events: Int16(POLLIN), revents: 0), pollfd(fd: pipe.number, events: 0, revents: 0),
      ]
      let count = poll(&requests, nfds_t(requests.count), -1)
      if count > 0 { return requests[1].revents == 0 }
      if count < 0, errno != EINTR { return true }
    }
  }
}
