public import StreamCore

/// The progress of the runs for a batch of inputs.
public struct RunProgress: Sendable {
  /// Number of inputs consumed, including that of the last run.
  public internal(set) var consumed = 0
  /// The outcome of the last run; the runs before it dropped their inputs.
  public internal(set) var outcome = ProgramOutcome.dropped
  /// The failure of the last run; nil if it did not fail.
  public internal(set) var failure: ProgramFailure?

  /// Whether the last run ended the batch: it failed, or did more than drop its input.
  var isOver: Bool { outcome != .dropped || failure != nil }
}

extension Frame {
  /// Runs the program for each integer of a sequence until a run fails, or does more than drop its input. Equivalent to
  /// single runs.
  public func run(from first: Int64, by step: Int64, count: Int) -> RunProgress {
    var progress = RunProgress()
    if entry == .int, let code = columnCode(for: count) {
      withColumns(code, count) { columns in
        while count - progress.consumed >= ColumnCode.least {
          let rows = min(count - progress.consumed, Columns.limit)
          columns.fill(from: first &+ Int64(progress.consumed) &* step, by: step, count: rows)
          guard run(&columns, rows, code, &progress) else { break }
        }
      }
    }
    var (number, isOver) = (first &+ Int64(progress.consumed) &* step, progress.isOver)
    while progress.consumed < count, !isOver {
      progress.consumed += 1
      let end: End
      if entry == .int {
        slots[0] = number
        end = execute(code)
      } else {
        end = runBoxed(.int(number))
      }
      if end.code != ProgramOutcome.dropped.rawValue { isOver = conclude(end, .int(number), &progress) }
      number &+= step
    }
    giveBack()
    return progress
  }

  /// Runs the program for each value until a run fails, or does more than drop its input. Equivalent to single runs.
  public func run(_ inputs: UnsafeBufferPointer<Value>) -> RunProgress {
    var progress = RunProgress()
    guard let first = inputs.baseAddress else { return progress }
    if let code = columnCode(for: inputs.count) {
      withColumns(code, inputs.count) { columns in
        while inputs.count - progress.consumed >= ColumnCode.least {
          let rows = columns.fill(from: first + progress.consumed, count: inputs.count - progress.consumed, entry)
          guard rows >= ColumnCode.least, run(&columns, rows, code, &progress) else { break }
        }
      }
    }
    var isOver = progress.isOver
    while progress.consumed < inputs.count, !isOver {
      let input = first + progress.consumed
      progress.consumed += 1
      let end = execute(take(input))
      if end.code != ProgramOutcome.dropped.rawValue { isOver = conclude(end, input.pointee, &progress) }
    }
    giveBack()
    return progress
  }

  /// Stores an input for the next run. Returns the operation where the run begins.
  ///
  /// NB: Each case reads the input in place; a switch over both would copy it.
  @inline(__always)
  private func take(_ input: UnsafePointer<Value>) -> UnsafePointer<Operation> {
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
  }

  @inline(never)
  private func runBoxed(_ input: Value) -> End { withUnsafePointer(to: input) { execute(begin(at: $0)) } }

  /// Records the end of a run that did more than drop its input. Returns whether the batch ends.
  @inline(never)
  func conclude(_ end: End, _ input: Value, _ progress: inout RunProgress) -> Bool {
    if let outcome = end.isPlain ? end.outcome : finish(end, input) {
      progress.outcome = outcome
    } else {
      progress.failure = takeFailure()
    }
    return progress.isOver
  }
}
