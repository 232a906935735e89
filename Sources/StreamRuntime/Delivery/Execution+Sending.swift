public import StreamCore
internal import StreamProgram

// A value that is sent goes straight on where nothing else is to be done.

extension Execution {
  /// Sends a value and returns the next event: `send` and `next` in one call, with less overhead.
  public func next(sending value: Value, to input: Int, at time: StreamTime) -> ExecutionEvent? {
    var event: ExecutionEvent?
    guard hand(value, to: input, at: time, &event) else {
      send(value, to: input, at: time)
      return next()
    }
    return event == nil && mayGoOn ? next() : event
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

  /// Hands a value straight on; false where it has to be delivered. Nothing else is to be done.
  @inline(__always)
  func hand(_ value: Value, fromInput input: Int, at time: StreamTime, _ event: inout ExecutionEvent?) -> Bool {
    if hasElidedInput {
      guard input == 0, let root = rootReference else { return false }
      move(to: time)
      run(root, for: value, &event)
      return true
    }
    guard let route = route(from: input) else { return false }
    move(to: time)
    if let program = route.pointee.program {
      run(program, for: value, &event)
    } else if let tuple = route.pointee.tuple {
      combine(value, into: tuple, on: route, &event)
    } else if let hearer = route.pointee.hearer {
      tell(hearer, value, on: route.pointee.port, &event)
    } else {
      event = .value(value)
    }
    return true
  }

  /// Runs the program of a segment that has asked for everything.
  @inline(__always)
  private func run(_ segment: Unmanaged<Stage>, for value: Value, _ event: inout ExecutionEvent?) {
    let outcome = segment._withUnsafeGuaranteedRef { stage in
      _ = effects(for: stage)
      return unsafeDowncast(stage, to: SegmentStage.self).attempt(value)
    }
    // The most that ever comes of most values.
    if outcome != .dropped { conclude(outcome, at: segment, &event) }
  }

  /// Tells the next of a value that has run a segment's program, or failed in it.
  @inline(never)
  private func conclude(_ outcome: ProgramOutcome?, at reference: Unmanaged<Stage>, _ event: inout ExecutionEvent?) {
    let segment = unsafeDowncast(reference.takeUnretainedValue(), to: SegmentStage.self)
    if outcome == .emitted, segment.downstreamReference == nil {
      event = .value(segment.output)
      return
    }
    materializeInput()
    if let outcome {
      event = settle(outcome, at: segment, from: 0, 0)
    } else {
      event = refuse(segment.takeFailure(), at: segment, from: 0, 0)
    }
  }

  /// Hands a value to who is no such segment.
  ///
  /// NB: a stage is not counted: it is gone at the earliest when the event has been told.
  @inline(never)
  private func tell(_ hearer: Unmanaged<Stage>, _ value: Value, on port: Int, _ event: inout ExecutionEvent?) {
    carry(value, to: hearer, on: port, 0, &event)
  }

  // MARK: Joins

  /// Hands a value to an expression over several streams, past the join that it comes to.
  ///
  /// NB: the route is read before anything but the program has run, which may end it.
  @inline(never)
  private func combine(
    _ value: Value, into tuple: Unmanaged<JoinProgramInstance>, on route: UnsafePointer<DirectRoute>,
    _ event: inout ExecutionEvent?
  ) {
    if let join = route.pointee.hearer { _ = join._withUnsafeGuaranteedRef { effects(for: $0) } }
    let intake = tuple._withUnsafeGuaranteedRef { $0.take(value, at: route.pointee.port, route.pointee.use) }
    if intake != .nothing { goOn(with: value, taken: intake, on: route.pointee, &event) }
  }

  /// Goes on with a value that an expression over several streams has taken, or declined.
  @inline(never)
  private func goOn(
    with value: Value, taken intake: JoinProgramInstance.Intake, on route: DirectRoute, _ event: inout ExecutionEvent?
  ) {
    guard let tuple = route.tuple?.takeUnretainedValue(), let join = route.hearer else { return }
    switch intake {
    case .nothing: return
    case .declined: return carry(value, to: join, on: route.port, 0, &event)
    case .failed:
      do throws(StreamFailure) {
        try tuple.takeFailure(of: value, at: route.port)
      } catch {
        event = refuse(error, at: join.takeUnretainedValue(), from: route.port, 0)
        return
      }
    case .done: break
    }
    carryOn(value, from: join, .done, 0, &event)
  }
}
