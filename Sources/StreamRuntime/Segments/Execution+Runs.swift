public import StreamCore
internal import StreamProgram

extension Execution {
  /// Sends values in order at one instant until the stream publishes an event: equivalent to `next(sending:to:at:)` for
  /// each value, but faster if the whole stream is one program.
  ///
  /// - Parameters:
  ///   - values: Values that have been sent are removed from the front.
  ///   - input: The number of the input.
  ///   - time: The instant of all values.
  /// - Returns: The event for the last value sent; nil if all have been sent without an event.
  public func next(
    sending values: inout ArraySlice<Value>, to input: Int, at time: StreamTime
  ) -> ExecutionEvent? {
    while let value = values.first {
      if hasElidedInput, input == 0, isAtRest, let root {
        if let event = hand(&values, to: unsafeDowncast(root, to: SegmentStage.self), at: time) ?? next() {
          return event
        }
      } else {
        values.removeFirst()
        if let event = next(sending: value, to: input, at: time) { return event }
      }
    }
    return next()
  }

  /// Passes a sequence of values to a segment that receives the only input and has unlimited demand.
  private func hand(_ values: inout ArraySlice<Value>, to segment: SegmentStage, at time: StreamTime) -> ExecutionEvent?
  {
    move(to: coldState.map { max(time, $0.dueTime) } ?? time)
    // Loads the variables of its frame.
    _ = effects(for: segment)
    let (count, outcome) = segment.take(.elements(values.prefix(UpcomingValues.limit)))
    allowance &-= count
    values = values.dropFirst(count)
    switch outcome {
    case .success(.dropped): return nil
    case .success(let outcome):
      if outcome == .emitted, segment.downstream == nil, segment.unheardCount == 0 { return .value(segment.output) }
      materializeInput()
      return settle(outcome, at: segment, from: 0, 0)
    case .failure(let failure):
      materializeInput()
      return refuse(failure, at: segment, from: 0, 0)
    }
  }
}
