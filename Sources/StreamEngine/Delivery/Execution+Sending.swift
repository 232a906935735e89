public import StreamCore

// A value that is sent is delivered directly, without the work stack, if no other work is pending.

extension Execution {
  /// Sends a value and returns the next event: `send` and `next` in one call, with less overhead.
  public func next(sending value: Value, to input: Int, at time: StreamTime) -> ExecutionEvent? {
    var event: ExecutionEvent?
    guard hand(value, to: input, at: time, &event) else {
      send(value, to: input, at: time)
      return next()
    }
    return event == nil && mayProceed ? next() : event
  }

  /// Whether work may be left after a value was delivered directly. False while timers only wait for their deadlines.
  @inline(__always)
  package var mayProceed: Bool {
    stack.count > 0 || !ended.isEmpty || coldStateReference?._withUnsafeGuaranteedRef { $0.mayProceed } == true
  }

  /// Delivers a sent value directly if no other work is pending. Returns false if the value has to be enqueued.
  ///
  /// - Parameter event: The first event for the host, if any; `step` returns the rest.
  @inline(__always)
  package func hand(_ value: Value, to input: Int, at time: StreamTime, _ event: inout ExecutionEvent?) -> Bool {
    guard stack.count == 0 else { return false }
    var due = time
    if let coldStateReference {
      guard let instant = coldStateReference._withUnsafeGuaranteedRef({ $0.instant(ofSending: time) }) else {
        return false
      }
      due = instant
    }
    return hand(value, fromInput: input, at: due, &event)
  }

  /// Delivers a value directly. Returns false if it has to be delivered as work. No other work may be pending.
  @inline(__always)
  func hand(_ value: Value, fromInput input: Int, at time: StreamTime, _ event: inout ExecutionEvent?) -> Bool {
    guard let route = route(from: input) else { return false }
    move(to: time)
    if let program = route.pointee.program {
      run(program, for: value, &event)
    } else if let receiver = route.pointee.receiver {
      // NB: The stage is not retained: it is released after the event is reported, at the earliest.
      carry(value, to: receiver, on: route.pointee.port, 0, &event)
    } else {
      event = .value(value)
    }
    return true
  }

  /// Runs the program of a segment that has requested all values.
  @inline(__always)
  private func run(_ segment: Unmanaged<Stage>, for value: Value, _ event: inout ExecutionEvent?) {
    let outcome = segment._withUnsafeGuaranteedRef { stage in
      _ = effects(for: stage)
      return unsafeDowncast(stage, to: SegmentStage.self).attempt(value)
    }
    // The common case: the program drops the value.
    if outcome != .dropped { conclude(outcome, at: segment, &event) }
  }

  /// Delivers the outcome of a segment's program downstream; a nil outcome is a failure of the run.
  @inline(never)
  private func conclude(_ outcome: ProgramOutcome?, at reference: Unmanaged<Stage>, _ event: inout ExecutionEvent?) {
    let segment = unsafeDowncast(reference.takeUnretainedValue(), to: SegmentStage.self)
    carryOn(outcome.map { .success($0) } ?? .failure(segment.takeFailure()), of: segment, from: 0, 0, &event)
  }
}
