package import StreamCore
internal import StreamFiles
internal import StreamKit
internal import StreamRuntime

/// Runs a stream by the clock of its data: records of all inputs in the order of their times, timers in between.
///
/// As a recording is replayed: a record whose time has come waits until its input is wanted, and one that is older
/// than the present counts as the present. At its end an input finishes, and when all have, the timers run out.
package struct EventTimeDriver {
  let session: RunSession
  let queues: RecordQueues
  /// When the first record happened: time zero of the stream.
  let origin: Timestamp
  /// Speed of the run relative to event time; nil runs without waiting.
  let pace: Double?
  let clock = LiveClock()

  package init(session: RunSession, queues: RecordQueues, origin: Timestamp, pace: Double?) {
    self.session = session
    self.queues = queues
    self.origin = origin
    self.pace = pace
  }

  /// Maximum number of consecutive lines taken at once.
  private static let batch = 1024

  private var stream: StreamSession { session.stream }

  /// When the first record of all happened, which is read for that; 1970 if there is none. Later than 292 years after it
  /// no record may happen.
  package static func origin(of queues: [RecordQueue]) throws(RunStop) -> Timestamp {
    for queue in queues {
      try queue.read { feed throws(RunStop) in
        try feed.waitAndFill { () throws(RunStop) in }
        return true
      }
    }
    let origin = queues.compactMap { $0.head?.time }.min() ?? Timestamp(seconds: 0)
    for queue in queues { try queue.begin(at: origin) }
    return origin
  }

  package func run() throws(RunStop) {
    try session.start()
    while !stream.isEnded {
      try session.checkLimits()
      if try session.swapIfChanged() { continue }
      if try takeLines() { continue }
      switch try next() {
      case .unknown: continue
      case .end(let queue): try session.finish(queue.feed, at: time(of: queue))
      case .record(let queue): try step(queue)
      case .nothing: if try !step(nil), try !session.waitForChange() { return }
      }
    }
  }

  /// Sends the lines of the only input that have been read, up to the next timer. Returns false if there were none.
  private func takeLines() throws(RunStop) -> Bool {
    guard pace == nil, !session.isWatching, session.feeds.count == 1 else { return false }
    let (stream, feed) = (stream, session.feeds[0])
    let queue = queues.queue(of: feed)
    let takesRows = queue.takesRows && !session.looksAtTime
    var count = 0
    while count < Self.batch, stream.wants(feed.number) {
      if takesRows, queue.head == nil {
        let rowCount = try session.takeRows(
          of: feed, atMost: Self.batch - count, at: queue.present, timedBy: queue)
        count += rowCount
        if rowCount > 0 { continue }
      }
      try queue.read { _ in false }
      let time = max(stream.time, queue.present)
      if let deadline = stream.nextWake, deadline < time { break }
      guard !session.isBeyondEnd(time), let record = queue.pop() else { break }
      try session.send(record.value, to: feed, at: time)
      count += 1
    }
    return count > 0
  }

  /// The next event of the inputs that the stream wants.
  private enum Next {
    case record(RecordQueue)
    case end(RecordQueue)
    /// No input is wanted.
    case nothing
    /// Something else is to be done before more is read.
    case unknown
  }

  /// Reads the next record of each input that the stream wants. Returns the end of the first input that has one, or else
  /// the earliest record.
  private func next() throws(RunStop) -> Next {
    var choice = NextInput<RecordQueue>()
    var isKnown = true
    for feed in session.feeds where session.wants(feed) {
      let queue = queues.queue(of: feed)
      try queue.read(session.fill)
      if queue.head == nil, !queue.isDone { isKnown = false }
      // An end counts as present: nothing of the input is left to wait for.
      choice.consider(queue, isEnd: queue.head == nil, at: queue.head == nil ? stream.time : time(of: queue))
    }
    guard isKnown else { return .unknown }
    guard let (queue, _) = choice.next else { return .nothing }
    return choice.isEnd ? .end(queue) : .record(queue)
  }

  /// Performs the next step: a timer, or this record. Returns false if there was none.
  @discardableResult
  private func step(_ queue: RecordQueue?) throws(RunStop) -> Bool {
    let time = queue.map(time)
    if let deadline = stream.nextWake, time.map({ deadline < $0 }) ?? true {
      if try wait(until: deadline) { try session.advanceToNextTimer() }
      return true
    }
    guard let queue, let time else { return false }
    guard try wait(until: time), let record = queue.pop() else { return true }
    try session.send(record.value, to: queue.feed, at: time)
    return true
  }

  /// When the record that comes next counts as happened, or the end if there is none.
  private func time(of queue: RecordQueue) -> StreamTime { max(stream.time, queue.present) }

  /// Waits until the paced clock reaches a time, and ends the run when its time is over. Returns false if the stream
  /// was swapped in the meantime.
  private func wait(until time: StreamTime) throws(RunStop) -> Bool {
    if session.isBeyondEnd(time) { throw .enough }
    guard let pace else { return true }
    try session.checkLimits()
    let due = Interval(seconds: time.seconds / pace)
    while true {
      let rest = due.nanoseconds - clock.now.nanoseconds
      guard rest > 0 else { return true }
      try session.flush()
      _ = session.wait(for: [], nanoseconds: rest)
      if Interruption.hasHappened { throw .interrupted }
      if try session.swapIfChanged() { return false }
    }
  }
}
