public import StreamCore
internal import StreamProgram

extension Execution {
  /// Sends structs as records, in order at one instant, until the stream publishes an event: equivalent to
  /// `next(sending:to:at:)` for each record, but much faster if the stream is one program that aggregates numbers.
  ///
  /// - Parameters:
  ///   - records: Structs that have been sent are removed from the front.
  ///   - layout: The mapping of the struct's properties to the record's fields.
  ///   - input: The number of the input.
  ///   - time: The instant of all structs.
  /// - Returns: The event for the last struct sent; nil if all have been sent without an event.
  public func next<Record>(
    sending records: inout ArraySlice<Record>, as layout: RecordLayout<Record>, to input: Int, at time: StreamTime
  ) -> ExecutionEvent? {
    while !records.isEmpty {
      let taken = take(records, as: layout, from: input, at: time)
      records = records.dropFirst(taken)
      // A record that the program does not take is sent singly, as are the records after it, up to the limit.
      for record in records.prefix(UpcomingValues.limit) {
        records.removeFirst()
        if let event = next(sending: layout.value(of: record), to: input, at: time) { return event }
      }
    }
    return next()
  }

  /// Runs the program of the whole stream for many records at once.
  ///
  /// - Returns: The number of records taken, none of which causes an event.
  private func take<Record>(
    _ records: ArraySlice<Record>, as layout: RecordLayout<Record>, from input: Int, at time: StreamTime
  ) -> Int {
    guard hasElidedInput, input == 0, isAtRest, let root, let first = records.first else { return 0 }
    let segment = unsafeDowncast(root, to: SegmentStage.self)
    move(to: aside.map { max(time, $0.dueTime) } ?? time)
    // Loads the variables of its frame.
    _ = effects(for: segment)
    return segment.take(records, as: layout, first: first)
  }
}

extension SegmentStage {
  fileprivate func take<Record>(_ records: ArraySlice<Record>, as layout: RecordLayout<Record>, first: Record) -> Int {
    if run.needsRespecialization { decide(layout.value(of: first)) }
    return layout.withRows(records) { run.run($0) } ?? 0
  }
}
