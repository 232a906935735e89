internal import StreamCore

// A value goes from stage to stage for as long as nothing but one value comes of it: nothing else can be done before
// what comes of that, so it need not be noted what is to be done.

extension Execution {
  /// How many stages a value passes in one piece of work.
  private static let carryLimit = 256

  /// Hands a value to a stage, and what that makes of it to the next, on and on.
  ///
  /// Afterwards what follows is on the stack, which had `mark` items.
  ///
  /// - Parameter event: what the host is to hear, if anything. NB: not given back, since most often it is nothing, and
  ///   copying that takes a while.
  @inline(__always)
  func carry(
    _ value: consuming Value, to stage: Unmanaged<Stage>, on port: Int, _ mark: Int, _ event: inout ExecutionEvent?
  ) {
    do throws(StreamFailure) {
      let relayed = try stage.use { stage throws(StreamFailure) in
        try stage.forward(&value, on: port, effects(for: stage))
      }
      // The most that ever comes of most values.
      if relayed == .nothing, stack.count == mark { return }
      carryOn(value, from: stage, relayed, mark, &event)
    } catch {
      event = refuse(error, at: stage.takeUnretainedValue(), from: port, mark)
    }
  }

  /// Goes on with what a stage hands on of a value.
  @inline(never)
  func carryOn(
    _ value: consuming Value, from first: Unmanaged<Stage>, _ relayed: Forwarding, _ mark: Int,
    _ event: inout ExecutionEvent?
  ) {
    // NB: not counted: a stage that ends is kept until nothing that is to be done refers to it.
    var reference = first
    var (relayed, mark, passed) = (relayed, mark, 0)
    while true {
      if relayed == .nothing {
        guard stack.count > mark, takeSaid(by: reference, &value, &mark) else { return }
      }
      passed += 1
      if relayed != .done, passed == Self.carryLimit || isWatched {
        return pushPublication(value, of: reference.takeUnretainedValue())
      }
      let (next, port) = reference._withUnsafeGuaranteedRef { ($0.downstreamReference, $0.port) }
      guard let next else {
        event = .value(value)
        return
      }
      let isDone = relayed == .done
      reference = next
      do throws(StreamFailure) {
        relayed = try reference.use { stage throws(StreamFailure) in
          let effects = effects(for: stage)
          if isDone { return try unsafeDowncast(stage, to: SegmentStage.self).takeUpJoined(&value, effects) }
          return try stage.forward(&value, on: port, effects)
        }
      } catch {
        event = refuse(error, at: reference.takeUnretainedValue(), from: port, mark)
        return
      }
    }
  }

  /// Takes up what a stage has said, where that is one value; else it is put in its order.
  @inline(never)
  private func takeSaid(by reference: Unmanaged<Stage>, _ value: inout Value, _ mark: inout Int) -> Bool {
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

  /// Goes on with what a stage has just said, where that is one value and nothing else.
  @inline(__always)
  func goOn(from stage: Stage, _ mark: Int, _ event: inout ExecutionEvent?) {
    guard !isWatched, let value = stack.takePublication(of: stage, since: mark) else { return }
    noteHeard(stage)
    if let next = stage.downstreamReference {
      carry(value, to: next, on: stage.port, stack.count, &event)
    } else {
      event = .value(value)
    }
  }
}
