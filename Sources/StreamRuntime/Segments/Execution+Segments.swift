internal import CEL
internal import StreamCore

extension Execution {
  /// Hands a source's next values to a segment that has asked for all of them, until something comes of one.
  ///
  /// Afterwards is to be done what would be if the values had come one by one: the source goes on, or ends, after what
  /// the segment says of the last.
  func hand(_ values: UpcomingValues, of source: Stage, to segment: SegmentStage) -> ExecutionEvent? {
    // For the variables of its frame.
    _ = answers(for: segment)
    let (count, outcome) = segment.take(values)
    source.skip(count, answers(for: source))
    let mark = stack.count
    switch outcome {
    case .success(.dropped): return nil
    case .success(let outcome): return settle(outcome, at: segment, from: source.port, mark)
    case .failure(let failure): return refuse(failure, at: segment, from: source.port, mark)
    }
  }

  /// A segment has run for a value.
  @inline(__always)
  private func settle(
    _ outcome: ProgramOutcome, at segment: SegmentStage, from port: Int, _ mark: Int
  ) -> ExecutionEvent? {
    if outcome == .emitted, segment.downstream == nil, segment.unheardCount == 0 { return .value(segment.run.output) }
    do throws(StreamFailure) {
      try segment.hear(outcome, answers(for: segment))
      stack.arrange(since: mark)
      return nil
    } catch {
      return refuse(error, at: segment, from: port, mark)
    }
  }

  /// Hands what was sent to the one who has subscribed to the input, and on to the segment behind, if there is nothing
  /// else to be done; false where it goes the long way.
  ///
  /// - Parameter event: what the host is to hear.
  func handSent(_ event: inout ExecutionEvent?) -> Bool {
    guard let input = inputs[sentInput].only, !pipeline.inputs[sentInput].isCurrent else { return false }
    guard !input.isEnded, let downstream = input.downstream, downstream.isSegment, input.passesOn() else {
      return false
    }
    let segment = unsafeDowncast(downstream, to: SegmentStage.self)
    move(to: sentTime)
    sentInput = -1
    _ = answers(for: segment)
    do throws(StreamFailure) {
      let outcome = try segment.take(sentValue)
      event = outcome == .dropped && segment.isUnlimited(0) ? nil : settle(outcome, at: segment, from: input.port, 0)
    } catch {
      event = refuse(error, at: segment, from: input.port, 0)
    }
    sentValue = .null
    return true
  }
}
