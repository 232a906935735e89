internal import StreamKit
internal import StreamRuntime

/// Runs a stream in virtual time: inputs are read as they are wanted, and when nothing is wanted time jumps on.
package struct VirtualDriver {
  let session: RunSession

  package init(session: RunSession) {
    self.session = session
  }

  /// Maximum number of consecutive lines taken at once.
  private static let batch = 1024

  private var stream: StreamSession { session.stream }

  package func run() throws(RunStop) {
    try session.start()
    while !stream.isEnded {
      try session.checkLimits()
      if try session.swapIfChanged() { continue }
      if try takeLines() { continue }
      guard let deadline = stream.nextWake else {
        if try session.waitForChange() { continue }
        return
      }
      if session.isBeyondEnd(deadline) { throw .enough }
      try session.advanceToNextTimer()
    }
  }

  /// Sends a line of each input with demand, in order. Returns false if there was none.
  private func takeLines() throws(RunStop) -> Bool {
    var found = false
    let batch = session.feeds.count == 1 ? Self.batch : 1
    for feed in session.feeds where !feed.isDone && session.wants(feed) {
      found = true
      if try session.takeRows(of: feed, atMost: batch, at: stream.time) > 0 { continue }
      reading: while true {
        switch try feed.next() {
        case .incomplete:
          while try !session.fill(feed) { if try session.swapIfChanged() { return true } }
          continue
        case .record(let value): try session.send(value, to: feed, at: stream.time)
        case .end: try session.finish(feed, at: stream.time)
        }
        break reading
      }
    }
    return found
  }
}
