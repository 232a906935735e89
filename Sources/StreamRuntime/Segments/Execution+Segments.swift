internal import StreamCore
internal import StreamProgram

extension Execution {
  /// Passes a source's next values to a segment that has requested all of them, until one has an effect.
  ///
  /// Leaves the same pending work as if the values had arrived one by one: the source continues, or ends, after the
  /// effects of the segment for the last value.
  func hand(_ values: UpcomingValues, of source: Stage, to segment: SegmentStage) -> ExecutionEvent? {
    // Loads the variables of its frame.
    _ = effects(for: segment)
    let firstRow = values.rows?.current ?? 0
    let taken = segment.take(values, sink(of: segment))
    allowance &-= taken.count
    source.advance(by: taken.count, effects(for: source))
    let event = settle(taken.outcome, at: segment, from: source.port, stack.count)
    // NB: Not earlier, because the result of the current row may be a part of the row.
    if let rows = values.rows, rows.current < rows.count { rows.current = firstRow + taken.count }
    return event
  }

  /// Processes the result of a segment that has run for a value or has refused it.
  func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, at segment: SegmentStage, from port: Int, _ mark: Int
  ) -> ExecutionEvent? {
    switch outcome {
    case .success(.dropped): nil
    case .success(let outcome): settle(outcome, at: segment, from: port, mark)
    case .failure(let failure): refuse(failure, at: segment, from: port, mark)
    }
  }

  /// Processes the outcome of a segment that has run for a value.
  func settle(
    _ outcome: ProgramOutcome, at segment: SegmentStage, from port: Int, _ mark: Int
  ) -> ExecutionEvent? {
    if outcome == .emitted, !isWatched {
      guard let next = segment.downstreamReference else { return .value(segment.output) }
      var event: ExecutionEvent?
      carry(segment.output, to: next, on: segment.port, mark, &event)
      return event
    }
    do throws(StreamFailure) {
      try segment.handle(outcome, effects(for: segment))
      stack.arrange(since: mark)
      return nil
    } catch {
      return refuse(error, at: segment, from: port, mark)
    }
  }
}
