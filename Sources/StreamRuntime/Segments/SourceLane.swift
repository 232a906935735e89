internal import CEL
package import StreamCore

/// The way of rows from a source to the program that is the rest of the stream.
package final class SourceLane: RowFastPath {
  @exclusivity(unchecked) private var source: Stage?
  /// The first row that was not taken when the lane was opened.
  @exclusivity(unchecked) private var first = 0

  package override init(_ execution: Execution) { super.init(execution) }

  /// The rows that come next, from the one at work on, if nothing else is to be done than to hand them over. Whoever is
  /// done with them closes the lane.
  package func open() -> LineRows? {
    guard let source = execution.stack.onlyResumed, !execution.isWatched, execution.aside?.isWaiting != true,
      let root = execution.root, root.isSegment, source.downstream === root, root.isUnlimited(source.port)
    else { return nil }
    let segment = unsafeDowncast(root, to: SegmentStage.self)
    guard let rows = source.upcomingRows(of: { segment.rowFields }) else { return nil }
    if !leads(to: segment) { lead(to: segment) }
    // For the variables of its frame.
    _ = execution.effects(for: segment)
    segment.keep(rows)
    first = rows.current
    self.source = source
    return rows
  }

  /// Leaves the rows from the one at work on to whoever comes next.
  package func close(_ rows: LineRows) { pass(rows, through: rows.current - 1) }

  /// The source goes on behind a row.
  private func pass(_ rows: LineRows, through row: Int) {
    guard let source else { return }
    self.source = nil
    guard row >= first else { return }
    _ = execution.stack.pop()
    source.skip(row + 1 - first, execution.effects(for: source))
  }

  override func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of rows: LineRows, at segment: SegmentStage
  ) -> ExecutionEvent? {
    let port = source?.port ?? 0
    pass(rows, through: rows.current)
    return execution.settle(outcome, at: segment, from: port, execution.stack.count)
  }
}
