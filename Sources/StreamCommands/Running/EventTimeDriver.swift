internal import StreamCore
internal import StreamRuntime

/// Runs a stream by the clock of its data: records of all inputs in the order of their times, timers in between.
///
/// As a recording is replayed: a record whose time has come waits until its input is wanted, and one that is older
/// than the present counts as the present. At its end an input finishes, and when all have, the timers run out.
struct EventTimeDriver {
  let session: RunSession
  let queues: RecordQueues
  /// When the first record happened: time zero of the stream.
  let origin: Timestamp
  /// Speed of the run relative to event time; nil runs without waiting.
  let pace: Double?
  let clock = LiveClock()

  private var execution: Execution { session.execution }

  /// When the first record of all happened, which is read for that; 1970 if there is none. Later than 292 years after it
  /// no record may happen.
  static func origin(of queues: [RecordQueue]) throws(RunStop) -> Timestamp {
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

  func run() throws(RunStop) {
    try session.start()
    while !execution.isEnded {
      try session.look()
      if try session.swapIfChanged() { continue }
      let wanted = session.feeds.filter(session.wants).map(queues.queue)
      for queue in wanted { try queue.read(session.fill) }
      // Something else is to be done first.
      if wanted.contains(where: { $0.head == nil && !$0.feed.isDone }) { continue }
      if let finished = wanted.first(where: { $0.head == nil }) {
        try session.finish(finished.feed, at: execution.time)
      } else if try !step(earliest(of: wanted)), try !session.waitForChange() {
        return
      }
    }
  }

  /// Performs the next step: a timer, or this record. Returns false if there was none.
  private func step(_ queue: RecordQueue?) throws(RunStop) -> Bool {
    let time = queue.map(time)
    if let deadline = execution.nextDeadline, time.map({ deadline < $0 }) ?? true {
      if try wait(until: deadline) { try session.advance(to: deadline) }
      return true
    }
    guard let queue, let time, queue.head != nil else { return false }
    guard try wait(until: time), let record = queue.pop() else { return true }
    try session.send(record.value, to: queue.feed, at: time)
    return true
  }

  private func earliest(of queues: [RecordQueue]) -> RecordQueue? {
    queues.count == 1 ? queues.first : queues.min { time(of: $0) < time(of: $1) }
  }

  private func time(of queue: RecordQueue) -> StreamTime {
    max(execution.time, queue.head.map { $0.time.streamTime(since: origin) } ?? .zero)
  }

  /// Waits until the paced clock reaches a time, and ends the run when its time is over. Returns false if the stream
  /// was swapped in the meantime.
  private func wait(until time: StreamTime) throws(RunStop) -> Bool {
    if session.isBeyondEnd(time) { throw .enough }
    try session.look()
    guard let pace else { return true }
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
