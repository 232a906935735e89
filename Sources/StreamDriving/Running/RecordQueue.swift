@_spi(Engine) package import StreamCore
internal import StreamEngine
internal import StreamFiles
package import StreamKit

/// The records of a file: the record that comes next is known, and when it happened if the run follows event time.
package final class RecordQueue {
  let feed: FileFeed
  package let order: RecordOrder
  /// The times of the rows read last.
  @exclusivity(unchecked) var rowTimes = RowTimes()
  /// Since when no record has arrived, of an input that may be silent.
  @exclusivity(unchecked) package var silence = Silence()
  private let lateOutput: RunOutput?

  init(_ feed: FileFeed, _ order: RecordOrder, lateOutput: RunOutput?) {
    self.feed = feed
    self.order = order
    self.lateOutput = lateOutput
  }

  /// The record that comes next, if it has been read.
  var head: RecordOrder.Record? { order.head }

  /// The latest time so far, in the stream's time.
  var present: StreamTime { order.present }

  /// Whether records have times.
  var hasTimes: Bool { order.clock != nil }

  /// Whether rows of the file can be taken without creating their values.
  var takesRows: Bool { order.takesRows && (!hasTimes || order.clock?.reader.field != nil) }

  /// Reads the next record, unless it has been read already or there is none. May block.
  ///
  /// - Parameter fill: reads more of the file; false where something else is to be done first.
  func read(_ fill: (FileFeed) throws(RunStop) -> Bool) throws(RunStop) {
    // One record can release several: none of them waits for more of the file.
    if !order.isPlain {
      release()
      try handleSettled()
    }
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: guard try fill(feed) else { return }
      case .end: break
      case .record(let value): try keep(value)
      }
      release()
      try handleSettled()
    }
    // At the end, those that are held follow one after another.
    if head == nil { release() }
  }

  /// Number of records that have been read, but are held until the watermark has passed them.
  var heldCount: Int { order.isPlain ? 0 : order.heldCount + (order.head == nil ? 0 : 1) }

  /// Whether there are no more records.
  var isDone: Bool { feed.isDone && order.isEmpty }

  private func release() {
    order.isFinished = feed.isDone
    order.release()
  }

  private func keep(_ value: Value) throws(RunStop) {
    let fate: Watermark.Fate
    do throws(Diagnostic) {
      fate = try order.offer(value, from: feed.latestPlace)
    } catch {
      return try feed.refuseLatest(error)
    }
    if let problem = order.overflow { throw .refused(problem, nil) }
    if fate == .output { try lateOutput?.writeAtOnce(value, feed.latestLine?.bytes) }
  }

  /// Handles the values whose times are confirmed or refused by now.
  private func handleSettled() throws(RunStop) {
    for settled in order.takeSettled() {
      switch settled.handling {
      case .failure(let problem): try feed.refuse(problem, at: settled.place)
      case .success(.output): try lateOutput?.writeAtOnce(settled.value, feed.line(at: settled.place))
      case .success: break
      }
    }
  }

  /// Time zero of the stream is known from now on; refuses the next record if its time is out of range then.
  func begin(at origin: Timestamp) throws(RunStop) {
    do throws(Diagnostic) {
      try order.begin(at: origin)
    } catch {
      try feed.refuseLatest(error)
    }
  }

  /// Takes the next record off.
  func pop() -> RecordOrder.Record? { order.pop() }
}

/// The inputs of a stream, by the files that feed them.
package final class RecordQueues {
  /// The clocks of the data; empty in virtual time.
  private(set) var clocks: InputClocks
  private let lateOutput: RunOutput?
  @exclusivity(unchecked) private var known: [RecordQueue] = []
  /// The clock of the machine, by which inputs are silent.
  let machineClock = LiveClock()
  /// The silence of inputs.
  @exclusivity(unchecked) private var silences = Silences()
  /// The place of the input that was read last in virtual time; -1 before the first record.
  @exclusivity(unchecked) var latest = -1
  /// Time zero of the stream, once it is known.
  private(set) var origin: Timestamp?

  /// - Parameters:
  ///   - clocks: The clocks of the inputs; empty in virtual time.
  ///   - lateOutput: Receives the values that are too late, if a clock has `late: output`.
  package init(_ clocks: InputClocks, lateOutput: RunOutput? = nil) {
    self.clocks = clocks
    self.lateOutput = lateOutput
  }

  /// Whether time follows the data.
  var hasTimes: Bool { !clocks.isEmpty }

  /// Continues by the clocks of another version of the stream.
  func use(_ clocks: InputClocks) throws(Diagnostic) {
    self.clocks = clocks
    for queue in known { try queue.order.use(clocks[queue.feed.name]) }
  }

  package func queue(of feed: FileFeed) -> RecordQueue {
    for queue in known where queue.feed === feed { return queue }
    let origin = known.lazy.compactMap(\.order.origin).first
    let queue = RecordQueue(
      feed, RecordOrder(clocks[feed.name], origin: origin ?? self.origin), lateOutput: lateOutput)
    known.append(queue)
    return queue
  }

  /// Reads the first record of each file by the clock of the data, and returns when the first of all happened: time zero
  /// of the stream, and 1970 if there is none. Later than 292 years after it no record may happen.
  package func origin(of feeds: [FileFeed]) throws(RunStop) -> Timestamp {
    let zero = Timestamp(seconds: 0)
    origin = zero
    guard hasTimes else { return zero }
    self.origin = nil
    let queues = feeds.map(queue).filter(\.hasTimes)
    let passed = try readFirst(queues)
    let origin = queues.compactMap { $0.head?.time }.min() ?? passed ?? zero
    for queue in queues { try queue.begin(at: origin) }
    self.origin = origin
    return origin
  }

  /// Reads the first record of each file. One that is idle does not hold the others.
  ///
  /// - Returns: The time of the calendar at which all inputs were idle without having spoken; nil if one has.
  private func readFirst(_ queues: [RecordQueue]) throws(RunStop) -> Timestamp? {
    while true {
      var silent: [RecordQueue] = []
      for queue in queues {
        try queue.read { feed throws(RunStop) in
          guard queue.patience == nil || feed.isReadable else { return false }
          try feed.waitAndFill { () throws(RunStop) in }
          return true
        }
        if queue.head == nil, !queue.isDone { silent.append(queue) }
      }
      if silent.isEmpty { return nil }
      let now = machineClock.now
      var rest: Int64?
      switch step(without: silent, hasOthers: queues.contains { $0.head != nil }, at: now) {
      case .wait(let time): rest = time.map { ($0 - now).nanoseconds }
      case .proceed: return nil
      case .release: continue
      case .pass(let instant, nil): return instant
      case .pass(_, let release): rest = release
      }
      _ = StreamFiles.Waiting.readable(silent.map(\.feed.signal), nanoseconds: rest)
      if Interruption.hasHappened { throw .interrupted }
    }
  }

  /// Returns the next step of a run in which these inputs have no record to offer.
  func step(without silent: [RecordQueue], hasOthers: Bool, at now: StreamTime) -> Silences.Step {
    silences.step(
      without: silent, hasOthers: hasOthers, newest: newest, at: now,
      calendar: Timestamp(
        seconds: machineClock.origin.seconds, nanoseconds: Int64(machineClock.origin.nanoseconds) + now.nanoseconds))
  }

  /// Notes that more of the file of a silent input can be read.
  func noteArrival(for queue: RecordQueue) { silences.noteArrival(for: queue, at: machineClock.now) }

  /// The queues of the files that have been asked for.
  var all: [RecordQueue] { known }

  /// Continues from a saved state.
  ///
  /// - Throws: A diagnostic if a time is out of range.
  func restore(_ content: SavedRun.Content, _ feeds: [FileFeed]) throws(Diagnostic) {
    origin = content.clock.origin
    latest = content.turn ?? -1
    for saved in content.records {
      guard let feed = feeds.first(where: { $0.name == saved.input }) else { continue }
      try queue(of: feed).order.restore(saved, origin: content.clock.origin)
    }
  }

  /// The records of each input that have been read and not delivered.
  func saved(_ feeds: [FileFeed]) -> [SavedOrder] {
    feeds.map { queue(of: $0).order.saved(for: $0.name) }
  }

  /// Number of records behind the watermark.
  var lateCount: Int { known.reduce(0) { $0 + $1.order.lateCount } }

  /// The newest time of a record; nil before the first one.
  var newest: Timestamp? { known.compactMap(\.order.newest).max() }

  /// Returns the warnings about the times of records: one for all inputs that have the same clock.
  ///
  /// - Parameter output: The name of the output for late values.
  package func warnings(output: String?) -> [Diagnostic] {
    var (warnings, seen): ([Diagnostic], Set<InputTime>) = ([], [])
    for clock in known.compactMap(\.order.clock) where seen.insert(clock.time).inserted {
      let orders = known.map(\.order).filter { $0.clock?.time == clock.time }
      warnings += clock.warnings(
        lateCount: orders.reduce(0) { $0 + $1.lateCount }, latest: orders.compactMap(\.latest).max(), output: output)
    }
    return warnings
  }

  /// Number of records that are held until the watermark has passed them.
  var heldCount: Int { known.reduce(0) { $0 + $1.heldCount } }

  /// The member of the clocks that causes records to be held.
  var holdingMember: String {
    let members = known.filter { $0.heldCount > 0 }.compactMap(\.order.clock?.holdingMember)
    return members.contains("lateness") ? "lateness" : members.first ?? "lateness"
  }
}
