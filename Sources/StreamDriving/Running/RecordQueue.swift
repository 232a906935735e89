package import StreamCore
internal import StreamEngine
package import StreamKit

/// The records of a file: the record that comes next is known, and when it happened if the run follows event time.
package final class RecordQueue {
  let feed: FileFeed
  let order: RecordOrder
  /// The times of the rows read last.
  @exclusivity(unchecked) var rowTimes = RowTimes()
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
  var takesRows: Bool { order.isPlain && (!hasTimes || order.clock?.field != nil) }

  /// Reads the next record, unless it has been read already or there is none. May block.
  ///
  /// - Parameter fill: reads more of the file; false where something else is to be done first.
  func read(_ fill: (FileFeed) throws(RunStop) -> Bool) throws(RunStop) {
    while head == nil, !feed.isDone {
      switch try feed.next() {
      case .incomplete: guard try fill(feed) else { return }
      case .end: break
      case .record(let value): try keep(value)
      }
      release()
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
      fate = try order.offer(value)
    } catch {
      return try feed.refuseLatest(error)
    }
    if fate == .output { try lateOutput?.writeAtOnce(value, feed.latestLine) }
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
  /// The clock of the data; nil in virtual time.
  let clock: EventClock?
  let watermark: Watermark
  private let lateOutput: RunOutput?
  @exclusivity(unchecked) private var known: [RecordQueue] = []
  /// The place of the input that was read last in virtual time; -1 before the first record.
  @exclusivity(unchecked) var latest = -1
  /// Time zero of the stream, once it is known.
  private(set) var origin: Timestamp?

  /// - Parameters:
  ///   - clock: The clock of the data; nil in virtual time.
  ///   - stream: The stream. Its partition defines which records are late.
  package init(_ clock: EventClock?, of stream: StreamFile, lateOutput: RunOutput? = nil) {
    self.clock = clock
    self.watermark = Watermark(of: stream.model)
    self.lateOutput = lateOutput
  }

  package func queue(of feed: FileFeed) -> RecordQueue {
    for queue in known where queue.feed === feed { return queue }
    let origin = known.lazy.compactMap(\.order.origin).first
    let queue = RecordQueue(
      feed, RecordOrder(clock, watermark: watermark, origin: origin), lateOutput: lateOutput)
    known.append(queue)
    return queue
  }

  /// Reads the first record of each file by the clock of the data, and returns when the first of all happened: time zero
  /// of the stream, and 1970 if there is none. Later than 292 years after it no record may happen.
  package func origin(of feeds: [FileFeed]) throws(RunStop) -> Timestamp {
    let zero = Timestamp(seconds: 0)
    origin = zero
    guard clock != nil else { return zero }
    let queues = feeds.map(queue)
    for queue in queues {
      try queue.read { feed throws(RunStop) in
        try feed.waitAndFill { () throws(RunStop) in }
        return true
      }
    }
    let origin = queues.compactMap { $0.head?.time }.min() ?? zero
    for queue in queues { try queue.begin(at: origin) }
    self.origin = origin
    return origin
  }

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
  var newest: Timestamp? { known.compactMap(\.order.latest).max() }

  /// Returns the warnings about the times of records.
  ///
  /// - Parameter output: The name of the output for late values.
  package func warnings(output: String?) -> [Diagnostic] {
    watermark.warnings(lateCount: lateCount, latest: known.compactMap(\.order.latest).max(), output: output)
  }

  /// Number of records that are held until the watermark has passed them.
  var heldCount: Int { known.reduce(0) { $0 + $1.heldCount } }
}
