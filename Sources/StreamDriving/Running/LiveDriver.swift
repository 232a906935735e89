internal import StreamEngine
internal import StreamKit

/// Runs a stream by the clock of the machine: values are sent when they are read, timers fire when they are due. Lines that
/// were read at once may share an instant.
struct LiveDriver {
  let session: RunSession
  let clock: LiveClock
  /// Speed of time relative to the clock.
  let speed: Double

  /// The time of the stream when the run began.
  private let start: StreamTime

  /// - Parameter waited: How long a stream that continues had waited since its latest event.
  init(session: RunSession, clock: LiveClock, speed: Double, waited: Interval = Interval(nanoseconds: 0)) {
    (self.session, self.clock, self.speed) = (session, clock, speed)
    start = session.stream.latestTime + waited
  }

  /// Maximum number of lines taken from one file before the others have their turn.
  private static let batch = 1024
  /// Maximum number of lines that share one instant if the output depends on the clock.
  private static let timedBatch = 64
  /// Nanoseconds that output may wait while input keeps coming.
  private static let patience: Int64 = 50_000_000

  private var stream: StreamSession { session.stream }

  func run() throws(RunStop) {
    session.clock = { [clock, speed, start] in Self.present(clock, speed, since: start) }
    try session.start()
    var flushed = clock.now
    while !stream.isEnded {
      try session.checkLimits()
      try session.serve()
      if try session.swapIfChanged() { continue }
      let now = present
      try session.endIfBeyond(now)
      if let deadline = stream.nextWake, deadline <= now { try session.advance(to: now) }
      if try takeLines() { continue }
      let files = session.feeds.filter { !$0.isDone && session.wants($0) }
      if files.isEmpty, stream.nextWake == nil, !session.isWatching, !session.services.holdTime { return }
      try read(files, flushed: &flushed)
    }
  }

  /// Time since the start, as the stream sees it.
  private var present: StreamTime { Self.present(clock, speed, since: start) }

  private static func present(_ clock: LiveClock, _ speed: Double, since start: StreamTime) -> StreamTime {
    let now = clock.now
    let elapsed = speed == 1 ? now : StreamTime(seconds: now.seconds * speed)
    return start + (elapsed - .zero)
  }

  /// Sends lines already read, in turns if there are several files. Returns false if there were none.
  private func takeLines() throws(RunStop) -> Bool {
    if session.feeds.count == 1 { return try takeRound(atMost: Self.batch, at: present) }
    // If the output does not depend on the clock, many lines of each file share one instant.
    var (rounds, instant, found) = (session.looksAtTime ? 1 : Self.batch, present, false)
    while rounds > 0, try takeRound(atMost: 1, at: instant) {
      found = true
      rounds -= 1
    }
    return found
  }

  /// Sends up to `batch` lines of each file. Returns false if no line was available.
  private func takeRound(atMost batch: Int, at instant: StreamTime) throws(RunStop) -> Bool {
    var found = false
    let looksAtTime = session.looksAtTime
    for (place, feed) in session.feeds.enumerated() where place > session.turn && !feed.isDone {
      var count = 0
      reading: while count < batch, session.wants(feed) {
        let now = looksAtTime ? present : instant
        if session.isBeyondEnd(now) { return true }
        let rowCount = try session.takeRows(
          of: feed, atMost: min(batch - count, looksAtTime ? Self.timedBatch : .max), at: now)
        if rowCount > 0 {
          found = true
          count += rowCount
          continue
        }
        switch try feed.next() {
        case .incomplete:
          // Files take turns record by record, wherever their pieces end: a resumed run has the same order.
          guard feed.isRegular, session.feeds.count > 1 else { break reading }
          try session.fillAtOnce(feed)
          continue
        case .record(let value):
          session.turn = place
          try session.send(value, to: feed, at: now)
        case .end:
          try session.finish(feed, at: present)
          found = true
          break reading
        }
        found = true
        count += 1
      }
    }
    session.turn = -1
    return found
  }

  /// Waits for the next timer or for one of the files, and reads the available data.
  private func read(_ files: [FileFeed], flushed: inout StreamTime) throws(RunStop) {
    session.showProgress()
    var isReadable = files.map(\.isReadable)
    if !isReadable.contains(true) {
      try session.flush()
      isReadable = session.wait(for: files.map(\.signal), nanoseconds: wait)
      flushed = clock.now
    } else if (clock.now - flushed).nanoseconds > Self.patience {
      try session.flush()
      flushed = clock.now
    }
    try session.checkLimits()
    for (file, isReadable) in zip(files, isReadable) where isReadable { try session.fillAtOnce(file) }
  }

  /// Nanoseconds of the clock until the next timer, or until the run is over; nil if neither will come.
  private var wait: Int64? {
    guard let deadline = [stream.nextWake, session.until].compactMap(\.self).min() else { return nil }
    // NB: one nanosecond past the end, so that the end is reached.
    let rest = max(1, (deadline + Interval(nanoseconds: 1) - present).nanoseconds)
    return speed == 1 ? rest : Interval(seconds: Double(rest) / 1e9 / speed).nanoseconds
  }
}
