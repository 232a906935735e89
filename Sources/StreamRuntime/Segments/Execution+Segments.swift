internal import StreamCore
internal import StreamProgram

extension Execution {
  /// Hands a source's next values to a segment that has asked for all of them, until something comes of one.
  ///
  /// Afterwards is to be done what would be if the values had come one by one: the source goes on, or ends, after what
  /// the segment says of the last.
  func hand(_ values: UpcomingValues, of source: Stage, to segment: SegmentStage) -> ExecutionEvent? {
    // For the variables of its frame.
    _ = effects(for: segment)
    return settle(segment.take(values), of: source, at: segment)
  }

  /// The same with rows.
  func hand(_ rows: LineRows, of source: Stage, to segment: SegmentStage) -> ExecutionEvent? {
    _ = effects(for: segment)
    segment.keep(rows)
    let first = rows.current
    let taken = segment.take(rows)
    let event = settle(taken, of: source, at: segment)
    // NB: not before, for what came of the row at work may be a part of it.
    if rows.current < rows.count { rows.current = first + taken.count }
    return event
  }

  /// A segment has taken some of what a source publishes.
  private func settle(_ taken: SegmentStage.Taken, of source: Stage, at segment: SegmentStage) -> ExecutionEvent? {
    allowance &-= taken.count
    source.skip(taken.count, effects(for: source))
    return settle(taken.outcome, at: segment, from: source.port, stack.count)
  }

  /// A segment has run for a value, or has refused it.
  func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, at segment: SegmentStage, from port: Int, _ mark: Int
  ) -> ExecutionEvent? {
    switch outcome {
    case .success(.dropped): nil
    case .success(let outcome): settle(outcome, at: segment, from: port, mark)
    case .failure(let failure): refuse(failure, at: segment, from: port, mark)
    }
  }

  /// A segment has run for a value.
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
      try segment.hear(outcome, effects(for: segment))
      stack.arrange(since: mark)
      return nil
    } catch {
      return refuse(error, at: segment, from: port, mark)
    }
  }

  // MARK: Input elision

  /// Lets the stage of the only input go, where the whole stream is a segment over it that has asked for everything: all
  /// there is to know of it is known then.
  func elideInput() {
    guard !hasElidedInput, !isWatched, pipeline.inputs.count == 1, !pipeline.inputs[0].isCurrent, let root,
      root.isSegment, let input = inputs[0].only, input.downstream === root, input.isUnlimited, root.isUnlimited(0)
    else { return }
    hasElidedInput = true
    inputs[0].leave(input)
    root.replaceUpstream(by: nil)
  }

  /// Makes that stage again, as soon as anything but a value has to do with it.
  @inline(__always)
  func materializeInput() { if hasElidedInput { makeInput() } }

  @inline(never)
  private func makeInput() {
    hasElidedInput = false
    endRoutes()
    guard let root, let node = root.node.upstreams.first else { return }
    let stage = node.makeStage(downstream: root, port: 0, frame: root.frame, self)
    root.replaceUpstream(by: stage)
    guard let input = stage as? InputStage else { return }
    input.expectEverything()
    inputs[0].join(input)
  }
}
