@_spi(Engine) package import StreamCore

// Programs run for batches: numbers and elements that a source publishes next, and rows of a file, without their records
// being created.

/// Takes the outputs of a stream for rows, before their records are created. An output that it does not take is an event.
package protocol RowSink: AnyObject {
  /// Takes the record that is the output for the current row. Returns false if it does not.
  func take(_ record: RowOutput, of rows: LineRows) -> Bool
  /// Takes any other output for the current row. Returns false if it does not.
  func take(_ value: Value) -> Bool
}

extension Execution {
  /// Takes the outputs of the stream for rows; nil, the default, if each of them is an event. Not retained: the host keeps
  /// it as long as the execution.
  package var rowSink: (any RowSink)? {
    get { coldState?.rowSink }
    set { ensureColdState().rowSink = newValue }
  }

  /// Whether rows can be sent at a time: no other work precedes them.
  package func takesRows(at time: StreamTime) -> Bool { instant(ofRowsAt: time) != nil }

  /// The fields of rows that the program of an input reads; nil if it takes no rows now.
  package func rowFields(of input: Int) -> [String]? { program(of: input)?.rowFields }

  /// Sends rows to an input, from the current one on, until one of them has an effect, or the program takes no rows for
  /// the time being. The first row that was not taken becomes the current one.
  ///
  /// - Parameter rows: Rows of the fields that `rowFields` has returned, which other fields may follow.
  /// - Returns: The first event, if any; `step` returns the rest.
  package func send(_ rows: LineRows, to input: Int, at time: StreamTime) -> ExecutionEvent? {
    guard let instant = instant(ofRowsAt: time), let segment = program(of: input), segment.takes(rows) else {
      return nil
    }
    move(to: instant)
    let (run, epoch) = (segment.run, epoch)
    while rows.current < rows.count, segment.run === run, run.takesRows, self.epoch == epoch, hasNoPendingWork {
      if let event = hand(.rows(rows), of: nil, to: segment) { return event }
    }
    return nil
  }

  /// Passes values to a segment that has requested all of them, until one has an effect.
  ///
  /// Leaves the same pending work as if the values had arrived one by one: the source continues, or ends, after the
  /// effects of the segment for the last value.
  ///
  /// - Parameter source: The source that publishes the values; nil for an input.
  func hand(_ values: UpcomingValues, of source: Stage?, to segment: SegmentStage) -> ExecutionEvent? {
    // Loads the variables of its frame.
    _ = effects(for: segment)
    let firstRow = values.rows?.current ?? 0
    let taken = segment.take(values, sink(of: segment))
    if let source {
      allowance &-= taken.count
      source.advance(by: taken.count, effects(for: source))
    }
    var event: ExecutionEvent?
    carryOn(taken.outcome, of: segment, from: source?.port ?? 0, stack.count, &event)
    // NB: Not earlier, because the result of the current row may be a part of the row.
    if let rows = values.rows, rows.current < rows.count { rows.current = firstRow + taken.count }
    return event
  }

  /// The sink for the outputs of a segment; nil if they are not those of the stream.
  func sink(of segment: SegmentStage) -> (any RowSink)? { segment.downstreamReference == nil ? rowSink : nil }

  /// The program that alone receives all values of an input; nil if there is none.
  private func program(of input: Int) -> SegmentStage? {
    guard pipeline.inputs.indices.contains(input), !pipeline.inputs[input].isCurrent,
      inputs.direct(input)?._withUnsafeGuaranteedRef({ $0.isUnlimited }) == true,
      let stage = route(from: input)?.pointee.program, stage._withUnsafeGuaranteedRef({ $0.isSegment })
    else { return nil }
    return unsafeDowncast(stage.takeUnretainedValue(), to: SegmentStage.self)
  }

  /// The instant at which rows sent at a time are processed; nil if other work precedes them.
  private func instant(ofRowsAt time: StreamTime) -> StreamTime? {
    guard hasNoPendingWork, !isWatched else { return nil }
    return coldState.map { $0.instant(ofSending: time) } ?? time
  }

  /// Whether there is nothing to deliver.
  private var hasNoPendingWork: Bool {
    stack.count == 0 && ended.isEmpty && !isEnded && coldState?.isSilent != false
  }
}
