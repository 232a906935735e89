@_spi(Engine) package import StreamCore
package import StreamEngine
internal import StreamKit

extension RunSession {
  /// Sends lines already read to the stream as rows, as long as possible; the remaining lines must be taken one by one.
  /// Returns the number of lines taken.
  ///
  /// - Parameter queue: Checks and notes the event times of the rows. Default none: the rows have the time `time`.
  func takeRows(
    of feed: FileFeed, atMost count: Int, at time: StreamTime, timedBy queue: RecordQueue? = nil
  ) throws(RunStop) -> Int {
    guard !isWatching, !feed.isRetired, execution.takesRows(at: time), let fields = feed.rowFields(of: stream),
      let rows = feed.rows(of: queue?.rowFields(with: fields) ?? fields)
    else { return 0 }
    let first = feed.count
    while feed.count - first < count {
      let start = feed.count
      let found = feed.readRows(rows, atMost: min(first + count - start, queue?.rowTimes.limit ?? .max))
      if found == 0 { break }
      queue?.readTimes(of: rows)
      defer { queue?.noteTimes(ofFirst: feed.count - start, of: found) }
      try send(rows, of: feed, at: time)
      if rows.current < found { break }
    }
    rowCount += feed.count - first
    return feed.count - first
  }

  /// Sends rows while the stream takes them. `rows.current` is then the first row not taken.
  private func send(_ rows: LineRows, of feed: FileFeed, at time: StreamTime) throws(RunStop) {
    while rows.current < rows.count {
      let first = rows.current
      let effect = stream.send(rows, to: feed.number, at: time)
      feed.take(rows, through: rows.current - 1)
      try noteRows()
      if rows.current == first { return }
      if let effect { try handle(effect) }
      if execution.mayProceed { try drain() }
      try checkInterruption()
    }
  }

  /// Notes the outputs for rows, and ends the run if one of them has ended it.
  func noteRows() throws(RunStop) {
    if hasWrittenRows {
      hasWrittenRows = false
      stream.noteEvent()
    }
    if let rowStop { throw rowStop }
  }
}

extension RunSession: RowSink {
  package func take(_ record: RowOutput, of rows: LineRows) -> Bool {
    takes { () throws(RunStop) in
      switch record {
      case .record(let record): try write(record)
      case .input: try writeRow(rows) { rows.record().pointee }
      }
    }
  }

  package func take(_ value: Value) -> Bool { takes { () throws(RunStop) in try write(value) } }

  /// Returns whether more output may follow.
  @inline(__always)
  private func takes(_ output: () throws(RunStop) -> Void) -> Bool {
    do throws(RunStop) {
      try output()
      if !savesState { try checkInterruption() }
    } catch {
      rowStop = error
      return false
    }
    hasWrittenRows = true
    return true
  }
}
