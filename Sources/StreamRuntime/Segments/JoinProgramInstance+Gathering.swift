public import StreamCore
internal import StreamProgram

// Values that bypass the join, and values that wait for each other.

extension JoinProgramInstance {
  /// The result of a value that bypassed the join.
  enum Intake {
    /// No work follows.
    case nothing
    /// The segment's program has run; `joinedOutcome` is its outcome.
    case done
    /// The run has failed.
    case failed
    /// The join has to receive it.
    case declined
  }

  /// Takes a value without the join.
  ///
  /// NB: `stream` is valid, which was checked when the route was found.
  @inline(__always)
  func take(_ value: Value, at stream: Int, _ use: DirectRoute.Use) -> Intake {
    if use != .combined {
      if use == .kept {
        reference._withUnsafeGuaranteedRef { $0.put(value, in: inputs[stream]) }
        return .nothing
      }
      let place = 1 as UInt64 &<< UInt64(truncatingIfNeeded: stream)
      if waiting & place != 0 { return .declined }
      if waiting | place != everyPlace {
        waiting |= place
        reference._withUnsafeGuaranteedRef { $0.put(value, in: inputs[stream]) }
        return .nothing
      }
    }
    guard let segment, segment._withUnsafeGuaranteedRef({ $0.runs(reference) }), mismatchCount < Self.patience else {
      return .declined
    }
    guard let outcome = attempt(value, at: stream) else { return .failed }
    waiting = 0
    if outcome == .dropped { return .nothing }
    segment._withUnsafeGuaranteedRef { $0.joinedOutcome = outcome }
    return .done
  }

  /// Processes the failure of the run for a value that bypassed the join.
  func takeFailure(of value: Value, at stream: Int) throws(StreamFailure) {
    if let segment { try takeFailure(of: value, at: stream, through: segment) }
  }
}

// MARK: Gathering

extension JoinProgramInstance {
  /// The bits of all streams.
  private var everyPlace: UInt64 { UInt64.max &>> UInt64(truncatingIfNeeded: 64 - count) }

  /// Whether values can wait here for those of the other streams.
  public var canGather: Bool { count <= UInt64.bitWidth }

  /// Stores a value until there is one of each stream, then forwards the result of the expression for all of them. If
  /// the expression fails, the other values continue to wait.
  ///
  /// - Returns: nil if a value of the stream is already waiting, or `canGather` is false.
  public func gather(
    _ value: inout Value, at stream: Int, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding? {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    let place = 1 as UInt64 &<< UInt64(truncatingIfNeeded: stream)
    guard canGather, waiting & place == 0 else { return nil }
    if waiting | place != everyPlace {
      waiting |= place
      put(value, at: stream)
      return .nothing
    }
    let relayed = try forward(&value, at: stream, effects)
    waiting = 0
    return relayed
  }

  /// The values that wait for those of the other streams, by their streams.
  public var gathered: [(stream: Int, value: Value)] {
    guard waiting != 0 else { return [] }
    return reference._withUnsafeGuaranteedRef { frame in
      (0..<count).filter { waiting & (1 as UInt64 &<< UInt64($0)) != 0 }.map { ($0, frame.content(of: inputs[$0])) }
    }
  }

  /// Returns the waiting values, and removes them.
  public func takeGathered() -> [(stream: Int, value: Value)] {
    defer { waiting = 0 }
    return gathered
  }
}
