internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

// Live inputs that are silent: without records, the clock of the data does not move.

extension RecordQueue: ArrivingInput {
  /// Nanoseconds without records after which the input is idle; nil if the other inputs wait for it however long it is silent.
  ///
  /// No input waits for a live one without a clock: its records happen when they arrive.
  package var patience: Int64? {
    if feed.isRegular { return nil }
    guard let clock = order.clock else { return 0 }
    return clock.time.idle.map { Interval(seconds: $0).nanoseconds }
  }

  package var arrivalCount: Int { feed.count }
}

extension VirtualDriver {
  /// Handles inputs whose next record is not known: waits for it, or moves the time without them.
  ///
  /// - Parameter choice: The next input among the others.
  func pass(without silent: [RecordQueue], _ choice: NextInput) throws(RunStop) -> Next {
    let now = queues.machineClock.now
    let others = next(choice)
    switch queues.step(without: silent, hasOthers: others != nil, at: now) {
    case .wait(let time): return try wait(for: silent, until: time, now)
    case .proceed: return others ?? .unknown
    case .release: return .unknown
    case .pass(let instant, let release):
      guard let origin = queues.origin else { return try wait(for: silent, until: nil, now) }
      let reached = instant.streamTime(since: origin)
      try session.endIfBeyond(reached)
      if let deadline = stream.nextWake, deadline <= reached {
        try session.advanceToNextTimer()
        return .unknown
      }
      // The next timer, or the next value that is held, is due when the machine's clock has advanced by the rest.
      let timer = [stream.nextWake, session.until].compactMap(\.self).min()
        .map { max(1, ($0 + Interval(nanoseconds: 1) - reached).nanoseconds) }
      let rest = [timer, release].compactMap(\.self).min()
      return try wait(for: silent, until: rest.map { now + Interval(nanoseconds: $0) }, now)
    }
  }

  /// Waits until one of the inputs can be read, and reads the available data.
  private func wait(for silent: [RecordQueue], until time: StreamTime?, _ now: StreamTime) throws(RunStop) -> Next {
    session.showProgress()
    try session.flush()
    let isReadable = session.wait(for: silent.map(\.feed.signal), nanoseconds: time.map { ($0 - now).nanoseconds })
    if Interruption.hasHappened { throw .interrupted }
    for (queue, isReadable) in zip(silent, isReadable) where isReadable {
      queues.noteArrival(for: queue)
      try session.fillAtOnce(queue.feed)
    }
    return .unknown
  }
}
