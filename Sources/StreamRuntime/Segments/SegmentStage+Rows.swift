internal import StreamCore
internal import StreamProgram

extension SegmentStage {
  /// The fields that it looks at of rows, if it takes them now; nil where its program does more with its input than to
  /// look at fields.
  var rowFields: [String]? {
    guard run.takesRows, !isJoined else { return nil }
    if let fields = run.rowFields { return fields }
    if let more, more.withoutRows === run { return nil }
    guard let next = run.readingRows() else {
      moreMade.withoutRows = run
      return nil
    }
    replaceRun(by: next)
    return run.rowFields
  }

  /// Keeps rows that are handed to it: the program looks at the one at work for as long as its output is of use.
  func keep(_ rows: LineRows) {
    if let more, more.rows === rows, more.withRows === run { return }
    (moreMade.rows, moreMade.withRows) = (rows, run)
  }

  /// The rows that were handed to it and that it has not taken, if they are for the program at work.
  var restOfRows: LineRows? {
    guard let more, let rows = more.rows, rows.current < rows.count, more.withRows === run, run.takesRows else {
      return nil
    }
    return rows
  }

  /// Runs the program for rows, from the one at work on, until something comes of one.
  func take(_ rows: LineRows) -> Taken {
    let first = rows.current
    do throws(ProgramFailure) {
      let outcome = try run.run(rows)
      return (rows.current - first + (outcome == .dropped ? 0 : 1), .success(outcome))
    } catch {
      run.tellInput(rows.record().pointee)
      return (rows.current - first + 1, .failure(failure(error)))
    }
  }
}
