public import StreamCore

/// The progress of the runs for several inputs.
@_spi(Engine) public struct RunProgress: Sendable {
  /// Number of inputs consumed, including that of the last run.
  public internal(set) var consumed = 0
  /// The outcome of the last run; the runs before it dropped their inputs.
  public internal(set) var outcome = ProgramOutcome.dropped
  /// The failure of the last run; nil if it did not fail.
  public internal(set) var failure: ProgramFailure?
}

@_spi(Engine) extension ProgramInstance {
  /// Runs the program for each integer of a sequence until a run fails, or does more than drop its input. Equivalent to
  /// single runs.
  public func run(from first: Int64, by step: Int64, count: Int) -> RunProgress {
    run(count) { place in
      let number = first &+ Int64(place) &* step
      guard entry == .int else { return begin(.int(number)) }
      slots[0] = number
      return code
    } value: {
      .int(first &+ Int64($0) &* step)
    }
  }

  /// Runs the program for each value until a run fails, or does more than drop its input. Equivalent to single runs.
  public func run(_ inputs: UnsafeBufferPointer<Value>) -> RunProgress {
    guard let first = inputs.baseAddress else { return RunProgress() }
    // NB: Each case reads the input in place; a switch over both would copy it.
    return run(inputs.count) { place in
      let input = first + place
      if entry == .int, case .int(let number) = input.pointee {
        slots[0] = number
      } else if entry == .double, case .double(let number) = input.pointee {
        slots[0] = number.bits
      } else if entry == .lent {
        copyBits(input)
      } else {
        return begin(at: input)
      }
      return code
    } value: {
      first[$0]
    }
  }

  /// - Parameters:
  ///   - begin: Stores the input at a place, and returns the operation where its run begins.
  ///   - value: Returns the input at a place.
  @inline(__always)
  private func run(
    _ count: Int, begin: (_ place: Int) -> UnsafePointer<Operation>, value: (_ place: Int) -> Value
  ) -> RunProgress {
    var progress = RunProgress()
    while progress.consumed < count {
      let end = execute(begin(progress.consumed))
      progress.consumed += 1
      if end.code != ProgramOutcome.dropped.rawValue, conclude(end, value(progress.consumed - 1), &progress) { break }
    }
    returnInput()
    return progress
  }

  /// Records the end of a run that did more than drop its input in the typed half. Returns whether it is the last run.
  @inline(never)
  private func conclude(_ end: End, _ input: Value, _ progress: inout RunProgress) -> Bool {
    if let outcome = end.isPlain ? end.outcome : finish(end, input) {
      progress.outcome = outcome
    } else {
      progress.failure = takeFailure()
    }
    return progress.outcome != .dropped || progress.failure != nil
  }
}
