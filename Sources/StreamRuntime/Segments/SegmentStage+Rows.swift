internal import StreamCore
internal import StreamProgram

extension SegmentStage {
  /// The fields of rows that its program reads; nil if it takes no rows now, or its program does more with its input
  /// than read fields and emit it unchanged.
  var rowFields: [String]? {
    guard run.takesRows, !isJoined else { return nil }
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

  /// Runs the program for rows, beginning with the current one, until one has an effect.
  func take(_ rows: LineRows) -> Taken {
    keep(rows)
    let first = rows.current
    do throws(ProgramFailure) {
      let outcome = try run.run(rows)
      return (rows.current - first + (outcome == .dropped ? 0 : 1), .success(outcome))
    } catch {
      run.setFailedInput(rows.record().pointee)
      return (rows.current - first + 1, .failure(failure(error)))
    }
  }
}
