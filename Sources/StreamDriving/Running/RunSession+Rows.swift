internal import StreamCore
internal import StreamFiles
internal import StreamKit
internal import StreamProgram
internal import StreamRuntime

extension RunSession {
  /// Sends lines already read to the stream as rows, as long as possible; the remaining lines must be taken one by one.
  /// Returns the number of lines taken.
  ///
  /// - Parameter queue: Checks and notes the event times of the rows. Default none: the rows have the time `time`.
  func takeRows(
    of feed: FileFeed, atMost count: Int, at time: StreamTime, timedBy queue: RecordQueue? = nil
  ) throws(RunStop) -> Int {
    guard let path = rowPath(for: feed), path.open(at: time),
      let rows = feed.rows(of: queue?.rowFields(with: path.fields) ?? path.fields)
    else { return 0 }
    let first = feed.count
    while feed.count - first < count, path.isOpen {
      let start = feed.count
      let found = feed.readRows(rows, atMost: min(first + count - start, queue?.rowTimes.limit ?? .max))
      if found == 0 { break }
      queue?.readTimes(of: rows)
      defer { queue?.noteTimes(ofFirst: feed.count - start, of: found) }
      try take(rows, of: feed, through: path)
      if rows.current < found { break }
    }
    rowCount += feed.count - first
    stream.noteEvent()
    return feed.count - first
  }

  /// Sends rows while the first program accepts them. `rows.current` is then the first row not taken.
  private func take(_ rows: LineRows, of feed: FileFeed, through path: InputFastPath) throws(RunStop) {
    while rows.current < rows.count, path.isOpen {
      if Interruption.hasHappened { break }
      switch path.hand(rows, whole: { rows.record().pointee }) {
      case .dropped: break
      case .emitted:
        do throws(RunStop) {
          try writeOutput(of: path, rows, feed)
        } catch {
          feed.take(rows, through: rows.current)
          throw error
        }
        rows.current += 1
      case .said:
        feed.take(rows, through: rows.current)
        rows.current += 1
        stream.noteEvent()
        if let event = path.event { try handle(event) }
        try drain()
      }
    }
    feed.take(rows, through: rows.current - 1)
  }

  /// Sends rows of a source to the stream as long as only values are published.
  func takeRows(through path: SourceFastPath) throws(RunStop) {
    while let rows = path.open() {
      defer { path.close(rows) }
      while rows.current < rows.count, path.isOpen {
        if Interruption.hasHappened { throw .interrupted }
        switch path.hand(rows, whole: { rows.record().pointee }) {
        case .dropped: break
        case .emitted:
          defer { rows.current += 1 }
          try writeOutput(of: path, rows)
        case .said:
          if let event = path.event { try handle(event) }
          return
        }
      }
      stream.noteEvent()
      try checkLimits()
    }
  }

  /// Writes the output for the current row.
  ///
  /// - Parameter feed: The feed of the row; nil for a row of a source.
  @inline(__always)
  private func writeOutput(of path: RowFastPath, _ rows: LineRows, _ feed: FileFeed? = nil) throws(RunStop) {
    if let record = path.outputRecord { return try write(record) }
    feed?.take(rows, through: rows.current)
    switch path.output {
    case .record(let record): try write(record)
    case .input: try writeRow(rows) { rows.record().pointee }
    case .value(let value): try write(value)
    }
  }
}
