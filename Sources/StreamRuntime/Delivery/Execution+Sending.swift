public import StreamCore
internal import StreamProgram

// A value that is sent goes straight on where nothing else is to be done. What is likeliest is done on the spot: that a
// program takes an int or a double, and gives nothing or such a one. All else is a call that ends the function: what others
// keep in registers is what they need themselves.

extension Execution {
  /// Sends a value and returns the next event: `send` and `next` in one call, with less overhead.
  public func next(sending value: Value, to input: Int, at time: StreamTime) -> ExecutionEvent? {
    var due = time
    if stack.count > 0 { return nextByLongWay(sending: value, to: input, at: time) }
    if let coldStateReference {
      guard let instant = coldStateReference._withUnsafeGuaranteedRef({ $0.plainInstant(ofSending: time) }) else {
        return nextByLongWay(sending: value, to: input, at: time)
      }
      due = instant
    }
    let segment: Unmanaged<Stage>
    if isFolded {
      guard input == 0, let root = rootReference else { return nextByLongWay(sending: value, to: input, at: time) }
      if due > self.time { self.time = due }
      segment = root
    } else {
      guard let way = ways.way(from: input, in: epoch) else {
        return nextByLongWay(sending: value, to: input, at: time)
      }
      if due > self.time { self.time = due }
      guard let program = way.pointee.program else { return next(handing: value, on: way) }
      segment = program
    }
    return next(inside: segment, with: value)
  }

  /// Runs the program of a segment that has asked for everything, on the spot where it takes the value right away.
  @inline(__always)
  private func next(inside segment: Unmanaged<Stage>, with value: Value) -> ExecutionEvent? {
    let bits = segment._withUnsafeGuaranteedRef {
      $0.frameNumber == loadedFrame ? unsafeDowncast($0, to: SegmentStage.self).scalarBits(of: value) : nil
    }
    guard let bits else { return next(running: segment, with: value) }
    let result = segment._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: SegmentStage.self).run(scalarBits: bits)
    }
    if result.isDropped { return nil }
    if result.isEmitted,
      let output = segment._withUnsafeGuaranteedRef({ unsafeDowncast($0, to: SegmentStage.self).scalarOutput })
    {
      return .value(output)
    }
    return next(after: result, of: bits, at: segment)
  }

  /// Hands a value to who is no segment.
  @inline(__always)
  private func next(handing value: Value, on way: UnsafePointer<Way>) -> ExecutionEvent? {
    if let tuple = way.pointee.tuple {
      return tuple._withUnsafeGuaranteedRef { combine(value, into: $0, on: way, of: self) }
    }
    return next(telling: way.pointee.hearer, value, on: way.pointee.port)
  }

  /// Runs the program of a segment for a value that is none of those.
  @inline(never)
  private func next(running segment: Unmanaged<Stage>, with value: Value) -> ExecutionEvent? {
    let takesBoxed = segment._withUnsafeGuaranteedRef {
      $0.frameNumber == loadedFrame && unsafeDowncast($0, to: SegmentStage.self).takesBoxed
    }
    // Another function, so that this one need not keep the value.
    guard takesBoxed else { return next(preparing: segment, for: value) }
    let result = segment._withUnsafeGuaranteedRef { unsafeDowncast($0, to: SegmentStage.self).run(boxed: value) }
    return result.isDropped ? nil : next(after: result, of: 0, at: segment)
  }

  @inline(never)
  private func next(preparing segment: Unmanaged<Stage>, for value: Value) -> ExecutionEvent? {
    let outcome = segment._withUnsafeGuaranteedRef {
      _ = effects(for: $0)
      return unsafeDowncast($0, to: SegmentStage.self).attempt(value)
    }
    return next(after: outcome, at: segment)
  }

  /// What a segment has to say of a run, for a scalar by its bits or for any value, and what else there is.
  @inline(never)
  private func next(after result: RunResult, of bits: Int64, at segment: Unmanaged<Stage>) -> ExecutionEvent? {
    let outcome = segment._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: SegmentStage.self).outcome(of: result, scalarBits: bits)
    }
    return next(after: outcome, at: segment)
  }

  /// Tells a stage, or the host where there is none.
  @inline(never)
  private func next(telling hearer: Unmanaged<Stage>?, _ value: Value, on port: Int) -> ExecutionEvent? {
    guard let hearer else { return .value(value) }
    var event: ExecutionEvent?
    carry(value, to: hearer, on: port, 0, &event)
    return event == nil && mayGoOn ? next() : event
  }

  /// What a segment has to say of a run, and what else there is; nil is a run that failed.
  @inline(never)
  private func next(after outcome: ProgramOutcome?, at segment: Unmanaged<Stage>) -> ExecutionEvent? {
    if outcome == .dropped { return nil }
    if outcome == .emitted, segment._withUnsafeGuaranteedRef({ $0.downstreamReference }) == nil {
      return segment._withUnsafeGuaranteedRef { .value(unsafeDowncast($0, to: SegmentStage.self).output) }
    }
    let event = segment._withUnsafeGuaranteedRef { stage in
      let segment = unsafeDowncast(stage, to: SegmentStage.self)
      unfold()
      guard let outcome else { return refuse(segment.takeFailure(), at: segment, from: 0, 0) }
      return settle(outcome, at: segment, from: 0, 0)
    }
    return event == nil && mayGoOn ? next() : event
  }

  @inline(never)
  private func nextByLongWay(sending value: Value, to input: Int, at time: StreamTime) -> ExecutionEvent? {
    var event: ExecutionEvent?
    guard hand(value, to: input, at: time, &event) else {
      send(value, to: input, at: time)
      return next()
    }
    if event == nil, mayGoOn { return next() }
    return event
  }

  /// Whether something may be left to do after a value that was handed on. False while timers only wait for their
  /// deadlines.
  @inline(__always)
  package var mayGoOn: Bool {
    stack.count > 0 || !ended.isEmpty || coldStateReference?._withUnsafeGuaranteedRef { $0.mayGoOn } == true
  }

  /// Hands a value that is sent straight on, where nothing else is to be done; false where it has to be sent.
  ///
  /// - Parameter event: what the host is to hear first, if anything; `step` tells the rest.
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

  /// Hands a value on its way. Nothing else is to be done.
  @inline(__always)
  func hand(_ value: Value, on way: Way, _ event: inout ExecutionEvent?) {
    guard let hearer = way.hearer else { return event = .value(value) }
    // NB: not counted: a stage is gone at the earliest when the event has been told.
    if let tuple = way.tuple {
      _ = hearer._withUnsafeGuaranteedRef { effects(for: $0) }
      let intake = tuple._withUnsafeGuaranteedRef { $0.take(value, at: way.port, way.use) }
      if intake != .nothing { goOn(with: value, taken: intake, on: way, &event) }
    } else if hearer._withUnsafeGuaranteedRef({ $0.isSegment }) {
      hearer._withUnsafeGuaranteedRef { hand(value, to: unsafeDowncast($0, to: SegmentStage.self), 0, &event) }
    } else {
      carry(value, to: hearer, on: way.port, 0, &event)
    }
  }

  /// Hands a value to a segment. Afterwards what follows is on the stack, which had `mark` items.
  @inline(__always)
  func hand(_ value: Value, to segment: SegmentStage, _ mark: Int, _ event: inout ExecutionEvent?) {
    _ = effects(for: segment)
    do throws(StreamFailure) {
      let outcome = try segment.take(value)
      if outcome == .dropped, segment.isUnlimited(0) { return }
      if outcome == .emitted, segment.downstreamReference == nil {
        event = .value(segment.output)
      } else {
        unfold()
        event = settle(outcome, at: segment, from: 0, mark)
      }
    } catch {
      unfold()
      event = refuse(error, at: segment, from: 0, mark)
    }
  }
}
