internal import StreamCore

// A value is carried from stage to stage while each stage emits one value and nothing else: no other work can precede
// the effects of that value, so no work is pushed for it.

extension Execution {
  /// Maximum number of stages that a value passes in one item of work.
  private static let carryLimit = 256

  /// Passes a value to a stage, the stage's output to the next stage, and so on.
  ///
  /// Any work that follows is then on the stack, which had `mark` items.
  ///
  /// - Parameter event: The event for the host, if any. NB: Not a return value, since it is usually nil, and copying it
  ///   takes a while.
  @inline(__always)
  func carry(
    _ value: consuming Value, to stage: Unmanaged<Stage>, on port: Int, _ mark: Int, _ event: inout ExecutionEvent?
  ) {
    do throws(StreamFailure) {
      let forwarding = try stage.use { stage throws(StreamFailure) in
        try stage.forward(&value, on: port, effects(for: stage))
      }
      // The common case: nothing follows from the value.
      if forwarding == .nothing, stack.count == mark { return }
      carryOn(value, from: stage, forwarding, mark, &event)
    } catch {
      event = refuse(error, at: stage.takeUnretainedValue(), from: port, mark)
    }
  }

  /// Carries the output of a stage to the stages downstream.
  @inline(never)
  func carryOn(
    _ value: consuming Value, from first: Unmanaged<Stage>, _ forwarding: Forwarding, _ mark: Int,
    _ event: inout ExecutionEvent?
  ) {
    // NB: Not retained: an ended stage is kept until no pending work refers to it.
    var reference = first
    var (forwarding, mark, passed) = (forwarding, mark, 0)
    while true {
      if forwarding == .nothing {
        guard stack.count > mark, takePublished(by: reference, &value, &mark) else { return }
      }
      passed += 1
      if passed == Self.carryLimit || isWatched {
        return pushPublication(value, of: reference.takeUnretainedValue())
      }
      let (next, port) = reference._withUnsafeGuaranteedRef { ($0.downstreamReference, $0.port) }
      guard let next else {
        event = .value(value)
        return
      }
      reference = next
      do throws(StreamFailure) {
        forwarding = try reference.use { stage throws(StreamFailure) in
          try stage.forward(&value, on: port, effects(for: stage))
        }
      } catch {
        event = refuse(error, at: reference.takeUnretainedValue(), from: port, mark)
        return
      }
    }
  }

  /// Carries the output of a segment that has run for a value to the stages downstream, or skips the value that has made
  /// it fail.
  func carryOn(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of segment: SegmentStage, from port: Int, _ mark: Int,
    _ event: inout ExecutionEvent?
  ) {
    var value = Value.null
    do throws(StreamFailure) {
      let forwarding = try segment.forward(outcome.get(), into: &value, effects(for: segment))
      if forwarding == .nothing, stack.count == mark { return }
      carryOn(value, from: .passUnretained(segment), forwarding, mark, &event)
    } catch {
      event = refuse(error, at: segment, from: port, mark)
    }
  }

  /// Takes the new output of a stage off the stack if it is a single value; otherwise arranges it and returns false.
  @inline(never)
  private func takePublished(by reference: Unmanaged<Stage>, _ value: inout Value, _ mark: inout Int) -> Bool {
    reference._withUnsafeGuaranteedRef { stage in
      guard let said = stack.takePublication(of: stage, since: mark) else {
        stack.arrange(since: mark)
        return false
      }
      value = said
      noteHeard(stage)
      mark = stack.count
      return true
    }
  }

  @inline(never)
  private func pushPublication(_ value: Value, of stage: Stage) {
    stage.unheardCount += 1
    stack.push(Work(.publish, stage, value: value))
  }

  /// Carries the new output of a stage downstream if it is a single value and nothing else.
  @inline(__always)
  func proceed(from stage: Stage, _ mark: Int, _ event: inout ExecutionEvent?) {
    guard !isWatched, let value = stack.takePublication(of: stage, since: mark) else { return }
    noteHeard(stage)
    if let next = stage.downstreamReference {
      carry(value, to: next, on: stage.port, stack.count, &event)
    } else {
      event = .value(value)
    }
  }
}
