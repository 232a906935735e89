package import StreamCore
package import StreamProgram

// The first program of a stream runs for rows of a file, without their records being created.

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
    // Loads the variables of its frame.
    _ = effects(for: segment)
    let (run, epoch) = (segment.run, epoch)
    while rows.current < rows.count, segment.run === run, run.takesRows, self.epoch == epoch, hasNoPendingWork {
      let first = rows.current
      let taken = segment.take(rows, sink(of: segment))
      let event = settle(taken.outcome, at: segment, from: 0, 0)
      // NB: Not earlier, because the result of the current row may be a part of the row.
      rows.current = first + taken.count
      if let event { return event }
    }
    return nil
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
