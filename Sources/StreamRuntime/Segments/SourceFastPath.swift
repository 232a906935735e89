package import StreamCore
internal import StreamProgram

/// Sends rows of a source directly to the program that is the rest of the stream.
package final class SourceFastPath: RowFastPath {
  @exclusivity(unchecked) private var source: Stage?
  /// The first row that was not taken when the path was opened.
  @exclusivity(unchecked) private var first = 0

  package override init(_ execution: Execution) { super.init(execution) }

  /// Returns the next rows of the source if no other work is pending. The caller closes the path when it has taken some
  /// of them.
  package func open() -> LineRows? {
    guard let source = execution.stack.onlyResumed, !execution.isWatched, execution.coldState?.isWaiting != true,
      let root = execution.root, root.isSegment, source.downstream === root, root.isUnlimited(source.port)
    else { return nil }
    let segment = unsafeDowncast(root, to: SegmentStage.self)
    guard let rows = source.upcoming({ segment.rowFields })?.rows else { return nil }
    if !leads(to: segment) { lead(to: segment) }
    // Loads the variables of its frame.
    _ = execution.effects(for: segment)
    segment.keep(rows)
    first = rows.current
    self.source = source
    return rows
  }

  /// Closes the path: the rows from the current one on remain for the source.
  package func close(_ rows: LineRows) { pass(rows, through: rows.current - 1) }

  /// Advances the source past a row.
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
