internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Runs a stream in a time that passes only when no input can proceed: by the clock of its data, or else in virtual time.
///
/// By the clock of the data, records of all inputs come in the order of their times; in virtual time, one of each input
/// in turn. As a recording is replayed, a record whose time has come waits until its input is wanted, and one that is
/// older than the present counts as the present. Timers fire in between. At its end an input finishes, and when all have,
/// the timers run out.
package struct VirtualDriver {
  let session: RunSession
  let queues: RecordQueues
  /// Speed of the run relative to event time; nil runs without waiting.
  let pace: Double?
  let clock = LiveClock()
  /// The time of the stream when the run began.
  private let start: StreamTime

  package init(session: RunSession, queues: RecordQueues, pace: Double? = nil) {
    self.session = session
    self.queues = queues
    self.pace = pace
    start = session.stream.time
  }

  /// Maximum number of consecutive lines taken at once.
  private static let batch = 1024

  var stream: StreamSession { session.stream }

  package func run() throws(RunStop) {
    try session.start()
    while !stream.isEnded {
      try session.checkLimits()
      try session.serve()
      if try session.swapIfChanged() { continue }
      if try takeLines() { continue }
      switch try queues.hasTimes ? nextByTime() : nextInTurn() {
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
    let takesRows = queue.takesRows && !(session.looksAtTime && queue.hasTimes)
    var count = 0
    while count < Self.batch, stream.wants(feed.number) {
      if takesRows, queue.head == nil {
        let rowCount = try session.takeRows(
          of: feed, atMost: Self.batch - count, at: time(of: queue), timedBy: queue.hasTimes ? queue : nil)
        count += rowCount
        if rowCount > 0 { continue }
      }
      try queue.read { _ in false }
      let time = time(of: queue)
      if let deadline = stream.nextWake, deadline < time { break }
      if time > stream.time, session.services.holdTime { break }
      guard !session.isBeyondEnd(time), let record = queue.pop() else { break }
      try session.send(record, of: queue, at: time)
      count += 1
    }
    return count > 0
  }

  /// The next event of the inputs that the stream wants.
  enum Next {
    case record(RecordQueue)
    case end(RecordQueue)
    /// No input is wanted.
    case nothing
    /// Something else is to be done before more is read.
    case unknown
  }

  /// Reads the next record of each input that the stream wants. Returns the end of the first input that has one, or else
  /// the earliest record.
  private func nextByTime() throws(RunStop) -> Next {
    var choice = NextInput()
    var silent: [RecordQueue] = []
    var isKnown = true
    for (place, queue) in wantedQueues {
      // Nothing but the only input that is silent can be waited for alone.
      let waits = queue.patience == nil && silent.isEmpty
      if waits {
        try queue.read(session.fill)
      } else {
        try queue.read { feed throws(RunStop) in
          guard feed.isReadable else { return false }
          try session.fillAtOnce(feed)
          return true
        }
      }
      if queue.head == nil, !queue.isDone {
        if waits { isKnown = false } else { silent.append(queue) }
        continue
      }
      // An end counts as present: nothing of the input is left to wait for.
      choice.consider(place, isEnd: queue.head == nil, at: queue.head == nil ? stream.time : time(of: queue))
      // A record without a time is present, whatever the others bring.
      if !queue.hasTimes, queue.head != nil { return .record(queue) }
    }
    guard isKnown else { return .unknown }
    return try silent.isEmpty ? next(choice) ?? .nothing : pass(without: silent, choice)
  }

  /// The queues of the inputs that the stream wants: first those without a clock, whose values count as present.
  private var wantedQueues: [(place: Int, queue: RecordQueue)] {
    let wanted = session.feeds.enumerated().filter { session.wants($1) }.map { ($0, queues.queue(of: $1)) }
    return wanted.filter { !$1.hasTimes } + wanted.filter { $1.hasTimes }
  }

  /// The event of the input that comes next; nil if there is none.
  func next(_ choice: NextInput) -> Next? {
    guard let (place, _) = choice.next else { return nil }
    let queue = queues.queue(of: session.feeds[place])
    return choice.isEnd ? .end(queue) : .record(queue)
  }

  /// Reads the next record of the input whose turn it is among those that the stream wants.
  private func nextInTurn() throws(RunStop) -> Next {
    let count = session.feeds.count
    for distance in 0..<count {
      let place = (queues.latest + 1 + distance) % count
      let feed = session.feeds[place]
      guard session.wants(feed) else { continue }
      let queue = queues.queue(of: feed)
      try queue.read(session.fill)
      if queue.head == nil, !queue.isDone { return .unknown }
      queues.latest = place
      return queue.head == nil ? .end(queue) : .record(queue)
    }
    return .nothing
  }

  /// Performs the next step: a timer, or this record. Returns false if there was none.
  @discardableResult
  private func step(_ queue: RecordQueue?) throws(RunStop) -> Bool {
    let time = queue.map(time)
    // A result that is awaited counts as present.
    if time.map({ $0 > stream.time }) ?? true, try session.waitForServices() { return true }
    if let deadline = stream.nextWake, time.map({ deadline < $0 }) ?? true {
      if try wait(until: deadline) { try session.advanceToNextTimer() }
      return true
    }
    guard let queue, let time else { return false }
    guard try wait(until: time), let record = queue.pop() else { return true }
    try session.send(record, of: queue, at: time)
    return true
  }

  /// When the record that comes next counts as happened, or the end if there is none.
  private func time(of queue: RecordQueue) -> StreamTime { max(stream.time, queue.present) }

  /// Waits until the paced clock reaches a time, and ends the run when its time is over. Returns false if the stream
  /// was swapped in the meantime.
  private func wait(until time: StreamTime) throws(RunStop) -> Bool {
    try session.endIfBeyond(time)
    guard let pace else { return true }
    try session.checkLimits()
    let due = Interval(seconds: (time - start).seconds / pace)
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

extension RunSession {
  /// Ends the run if its time is over before a time: the stream then has the time at which the run ends, from which
  /// another run continues.
  func endIfBeyond(_ time: StreamTime) throws(RunStop) {
    guard isBeyondEnd(time), let until else { return }
    try advance(to: until)
    throw .enough
  }
}
