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
    guard let path = directPath(from: sentInput) else { return false }
    // NB: a path is forgotten before a stage on it can go, so neither is counted here.
    guard path.input._withUnsafeGuaranteedRef({ $0.passesOn() }) else { return false }
    move(to: sentTime)
    sentInput = -1
    let value = sentValue
    sentValue = .null
    path.segment._withUnsafeGuaranteedRef { segment in
      _ = answers(for: segment)
      do throws(StreamFailure) {
        let outcome = try segment.take(value)
        event =
          outcome == .dropped && segment.isUnlimited(0) ? nil : settle(outcome, at: segment, from: Int(path.port), 0)
      } catch {
        event = refuse(error, at: segment, from: Int(path.port), 0)
      }
    }
    return true
  }

  /// Where what is sent to an input goes straight on; nil where it does not.
  @inline(__always)
  private func directPath(from input: Int) -> DirectPath? {
    if let directPath, directPath.number == Int32(truncatingIfNeeded: input) { return directPath }
    return findDirectPath(from: input)
  }

  private func findDirectPath(from number: Int) -> DirectPath? {
    guard let input = inputs[number].only, !pipeline.inputs[number].isCurrent else { return nil }
    guard !input.isEnded, let downstream = input.downstream, downstream.isSegment else { return nil }
    let path = DirectPath(
      input: Unmanaged.passUnretained(input),
      segment: Unmanaged.passUnretained(unsafeDowncast(downstream, to: SegmentStage.self)),
      number: Int32(truncatingIfNeeded: number), port: Int32(truncatingIfNeeded: input.port))
    directPath = path
    return path
  }
}

/// An input's only subscriber and the segment that hears it. Forgotten when somebody joins an input or leaves one.
struct DirectPath {
  let input: Unmanaged<InputStage>
  let segment: Unmanaged<SegmentStage>
  /// The input's number, and the port of the segment that it feeds.
  let number: Int32
  let port: Int32
}
