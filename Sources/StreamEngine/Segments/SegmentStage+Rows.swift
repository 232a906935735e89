@_spi(Engine) internal import StreamCore

extension SegmentStage {
  /// The fields of rows that its program reads; nil if it takes no rows now, or its program does more with its input
  /// than read fields and emit it unchanged.
  var rowFields: [String]? {
    guard run.takesRows else { return nil }
    if let fields = run.rowFields { return fields }
    if let segmentColdState, segmentColdState.withoutRows === run { return nil }
    guard let next = run.readingRows() else {
      ensureSegmentColdState().withoutRows = run
      return nil
    }
    replaceRun(by: next)
    return run.rowFields
  }

  /// Retains rows that are passed to it: the program refers to the current one while its output is in use.
  func keep(_ rows: LineRows) {
    if let segmentColdState, segmentColdState.rows === rows, segmentColdState.withRows === run { return }
    (ensureSegmentColdState().rows, ensureSegmentColdState().withRows) = (rows, run)
  }

  /// The rows that were passed to it, if some are left and the current program takes them.
  var restOfRows: UpcomingValues? {
    guard let segmentColdState, let rows = segmentColdState.rows, rows.current < rows.count,
      segmentColdState.withRows === run, run.takesRows
    else {
      return nil
    }
    return .rows(rows)
  }

  /// Whether its program takes these rows now: their fields begin with those that it reads.
  func takes(_ rows: LineRows) -> Bool {
    guard let fields = rowFields else { return false }
    if let segmentColdState, segmentColdState.rows === rows, segmentColdState.withRows === run { return true }
    return rows.fields.fields.lazy.map(\.name).starts(with: fields)
  }

  private func isTaken(by sink: any RowSink, _ rows: LineRows) -> Bool {
    if let record = run.rowOutput { sink.take(record, of: rows) } else { sink.take(output) }
  }

  /// Runs the program for rows, beginning with the current one, until one has an effect.
  ///
  /// - Parameter sink: Takes the outputs; nil if an output is an effect.
  func take(_ rows: LineRows, _ sink: (any RowSink)?) -> Taken {
    keep(rows)
    let first = rows.current
    do throws(ProgramFailure) {
      while true {
        let outcome = try run.run(rows)
        if outcome == .dropped { return (rows.current - first, .success(outcome)) }
        guard outcome == .emitted, let sink, isTaken(by: sink, rows) else {
          return (rows.current - first + 1, .success(outcome))
        }
        rows.current += 1
      }
    } catch {
      run.setFailedInput(rows.record().pointee)
      return (rows.current - first + 1, .failure(failure(error)))
    }
  }
}
