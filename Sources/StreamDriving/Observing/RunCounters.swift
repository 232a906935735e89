package import StreamCore
package import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The counts of a run that its session does not have.
package struct RunCounters {
  /// The state that was saved last.
  package struct SavedState {
    /// When it was saved, by the clock of the run.
    package var time: StreamTime
    /// Seconds that saving it took.
    package var seconds: Double
    package var bytes: Int
    /// Number of states saved so far.
    package var count: Int

    package init(time: StreamTime, seconds: Double, bytes: Int, count: Int) {
      self.time = time
      self.seconds = seconds
      self.bytes = bytes
      self.count = count
    }
  }

  /// Nil before the first one.
  package var savedState: SavedState?
  /// Number of states that could not be saved.
  package var failedSaveCount = 0
  /// Number of restarts of each program that answers calls or takes an output, by its name.
  package var restarts: [String: Int] = [:]
  /// The clock of the run.
  package let clock = LiveClock()
}

/// The figures of a run at one moment.
struct RunFigures {
  struct Input {
    let name: String
    var values: Int
    /// Number of bytes of a regular file that have not been read; nil if unknown.
    var bytesBehind: Int?
    var isDone: Bool
  }

  let uptime: Double
  var inputs: [Input] = []
  /// The number of values written to each output.
  let outputs: [(name: String, values: Int)]
  let skippedLines: Int
  let skippedValues: Int
  /// Number of values that arrived late, and of values held because of lateness; nil without event time.
  let late: Int?
  let held: Int?
  let drops: [Execution.DroppedValues]
  let calls: Int64
  let openCalls: Int
  let residentBytes: Int?
  /// Seconds between the newest event time and the present; nil without event time.
  let lag: Double?
  let time: StreamTime
  /// The calendar time of the stream; nil without event time.
  let eventTime: Timestamp?
  let timers: Int
  let counters: RunCounters

  /// - Parameter feeds: All files that have fed inputs.
  init(_ run: RunSession, feeds: [FileFeed]) {
    let stream = run.stream
    uptime = run.counters.clock.now.seconds
    for feed in feeds {
      if let place = inputs.firstIndex(where: { $0.name == feed.name }) {
        inputs[place].values += feed.count
        if !feed.isRetired { (inputs[place].bytesBehind, inputs[place].isDone) = (feed.bytesBehind, feed.isDone) }
      } else {
        inputs.append(
          Input(name: feed.name, values: feed.count, bytesBehind: feed.bytesBehind, isDone: feed.isDone))
      }
    }
    outputs = run.outputs.counts
    (skippedLines, skippedValues) = (run.report.lineCount, run.report.valueCount)
    let queues = run.queues?.hasTimes == true ? run.queues : nil
    (late, held) = (queues?.lateCount, queues?.heldCount)
    drops = Execution.DroppedValues.sums(of: stream.drops)
    (calls, openCalls) = (stream.madeCallCount, stream.openCallCount)
    residentBytes = ProcessMemory.residentBytes
    time = stream.time
    timers = stream.execution.timerCount
    counters = run.counters
    if let queues {
      let newest = queues.newest
      eventTime = newest
      lag = newest.map { LiveClock().origin.seconds(since: $0) }
    } else {
      (eventTime, lag) = (nil, nil)
    }
  }
}

extension Timestamp {
  package func seconds(since other: Timestamp) -> Double {
    Double(seconds - other.seconds) + (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
  }
}

/// All files that have fed the inputs of a run: those of former versions, too.
struct FeedLog {
  private(set) var all: [FileFeed] = []

  mutating func note(_ feeds: [FileFeed]) {
    for feed in feeds where !all.contains(where: { $0 === feed }) { all.append(feed) }
  }
}
