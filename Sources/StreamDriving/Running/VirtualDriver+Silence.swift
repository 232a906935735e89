internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

// Live inputs that are silent: without records, the clock of the data does not move. An input with `idle` holds the
// others no longer than that, and if all of them are silent, time passes by the clock of the machine.

extension RecordQueue {
  /// Nanoseconds without records after which the input is idle; nil if the other inputs wait for it however long it is silent.
  ///
  /// No input waits for a live one without a clock: its records happen when they arrive.
  var patience: Int64? {
    if feed.isRegular { return nil }
    guard let clock = order.clock else { return 0 }
    return clock.time.idle.map { Interval(seconds: $0).nanoseconds }
  }

  /// When the input becomes idle, by the clock of the machine; nil if it does not.
  var idleTime: StreamTime? { patience.map { silence.start + Interval(nanoseconds: $0) } }

  /// Since when an input has been silent.
  struct Silence {
    /// The number of its records when it fell silent.
    var count = 0
    var start = StreamTime.zero
  }
}

extension RecordQueues {
  /// The newest time when the latest of all records arrived, and that moment by the clock of the machine.
  struct Standstill {
    let newest: Timestamp
    let start: StreamTime

    /// How long after the newest record it is by the clock of the machine.
    func present(at now: StreamTime) -> Timestamp {
      Timestamp(seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds) + max(0, (now - start).nanoseconds))
    }
  }

  /// The next step for inputs that are silent.
  enum Waiting {
    /// Wait until one of them speaks, or this time by the clock of the machine; nil for no limit.
    case until(StreamTime?)
    /// All are idle. With a standstill, time passes.
    case idle(Standstill?)
  }

  /// Returns the next step for inputs that have no record to offer now.
  func waiting(for silent: [RecordQueue], at now: StreamTime) -> Waiting {
    for queue in silent where standstill == nil || queue.feed.count != queue.silence.count {
      queue.silence = RecordQueue.Silence(count: queue.feed.count, start: now)
      standstill = newest.map { Standstill(newest: $0, start: now) }
    }
    let times = silent.compactMap { queue -> StreamTime? in
      guard let time = queue.idleTime else { return .distantFuture }
      return time > now ? time : nil
    }
    if let first = times.min() { return .until(first == .distantFuture ? nil : first) }
    return .idle(silent.contains(where: \.hasTimes) ? standstill : nil)
  }

  /// Moves the clocks of idle inputs to the present, and releases values that were held. Returns whether there are some.
  func pass(_ silent: [RecordQueue], to present: Timestamp) -> Bool {
    for queue in silent where queue.hasTimes {
      queue.order.pass(to: present)
      queue.order.release()
      if queue.head != nil { return true }
    }
    return false
  }
}

extension VirtualDriver {
  /// Handles inputs whose next record is not known: waits for it, or moves the time without them.
  ///
  /// - Parameter choice: The next input among the others.
  func pass(without silent: [RecordQueue], _ choice: NextInput) throws(RunStop) -> Next {
    let now = queues.machineClock.now
    let standstill: RecordQueues.Standstill?
    switch queues.waiting(for: silent, at: now) {
    case .until(let time): return try wait(for: silent, until: time, now)
    case .idle(let found): standstill = found
    }
    if let next = next(choice) { return next }
    guard let standstill, let origin = queues.origin else { return try wait(for: silent, until: nil, now) }
    let present = standstill.present(at: now)
    if queues.pass(silent, to: present) { return .unknown }
    let reached = silent.compactMap(\.order.reached).min().map { $0.streamTime(since: origin) } ?? stream.time
    if session.isBeyondEnd(reached) { throw .enough }
    if let deadline = stream.nextWake, deadline <= reached {
      try session.advanceToNextTimer()
      return .unknown
    }
    // The next timer, or the next value that is held, is due when the machine's clock has advanced by the rest.
    let timer = [stream.nextWake, session.until].compactMap(\.self).min().map { ($0 - reached).nanoseconds + 1 }
    let release = silent.compactMap(\.order.releaseTime).min().map { $0.streamTime(since: present).nanoseconds }
    let rest = [timer, release].compactMap(\.self).min().map { Interval(nanoseconds: max(1, $0)) }
    return try wait(for: silent, until: rest.map { now + $0 }, now)
  }

  /// Waits until one of the inputs can be read, and reads the available data.
  private func wait(for silent: [RecordQueue], until time: StreamTime?, _ now: StreamTime) throws(RunStop) -> Next {
    session.showProgress()
    try session.flush()
    let isReadable = session.wait(for: silent.map(\.feed.signal), nanoseconds: time.map { ($0 - now).nanoseconds })
    if Interruption.hasHappened { throw .interrupted }
    for (queue, isReadable) in zip(silent, isReadable) where isReadable { try session.fillAtOnce(queue.feed) }
    return .unknown
  }
}
