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

/// A batch of inputs: numbers, values, or structs of the host.
protocol Batch {
  var count: Int { get }
  /// Fills the columns of the program's inputs, beginning with one of the batch, as far as the inputs are of the
  /// expected types. Returns their number.
  func fill(_ columns: Columns, from first: Int, for frame: Frame) -> Int
  /// Stores an input for a single run. Returns the operation where the run begins; nil if there are no single runs.
  func begin(_ place: Int, in frame: Frame) -> UnsafePointer<Operation>?
  /// Returns an input.
  func value(at place: Int) -> Value
}

extension Frame {
  /// Runs the program for each integer of a sequence until a run fails, or does more than drop its input. Equivalent to
  /// single runs.
  public func run(from first: Int64, by step: Int64, count: Int) -> RunProgress {
    run(NumberBatch(first: first, step: step, count: count))
  }

  /// Runs the program for each value until a run fails, or does more than drop its input. Equivalent to single runs.
  public func run(_ inputs: UnsafeBufferPointer<Value>) -> RunProgress {
    guard let first = inputs.baseAddress else { return RunProgress() }
    return run(ValueBatch(first: first, count: inputs.count))
  }

  @inline(__always)
  func run(_ batch: some Batch) -> RunProgress {
    var progress = RunProgress()
    if let code = columnCode(for: batch.count) {
      withColumns(code, batch.count) { columns in
        while batch.count - progress.consumed >= ColumnCode.least {
          let rows = batch.fill(columns, from: progress.consumed, for: self)
          guard rows >= ColumnCode.least, run(&columns, rows, code, &progress) else { break }
        }
      }
    }
    var isOver = progress.isOver
    while progress.consumed < batch.count, !isOver, let operation = batch.begin(progress.consumed, in: self) {
      progress.consumed += 1
      let end = execute(operation)
      if end.code != ProgramOutcome.dropped.rawValue {
        isOver = conclude(end, batch.value(at: progress.consumed - 1), &progress)
      }
    }
    returnInput()
    return progress
  }

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

/// An arithmetic sequence of integers.
private struct NumberBatch: Batch {
  let first: Int64
  let step: Int64
  let count: Int

  @inline(__always)
  private func number(_ place: Int) -> Int64 { first &+ Int64(place) &* step }

  func fill(_ columns: Columns, from first: Int, for frame: Frame) -> Int {
    guard frame.entry == .int else { return 0 }
    let rows = min(count - first, Columns.limit)
    columns.fill(from: number(first), by: step, count: rows)
    return rows
  }

  @inline(__always)
  func begin(_ place: Int, in frame: Frame) -> UnsafePointer<Operation>? {
    guard frame.entry == .int else { return frame.begin(.int(number(place))) }
    frame.slots[0] = number(place)
    return frame.code
  }

  func value(at place: Int) -> Value { .int(number(place)) }
}

/// Values in memory.
private struct ValueBatch: Batch {
  let first: UnsafePointer<Value>
  let count: Int

  func fill(_ columns: Columns, from first: Int, for frame: Frame) -> Int {
    columns.fill(from: self.first + first, count: count - first, frame.entry)
  }

  /// NB: Each case reads the input in place; a switch over both would copy it.
  @inline(__always)
  func begin(_ place: Int, in frame: Frame) -> UnsafePointer<Operation>? {
    let input = first + place
    if frame.entry == .int, case .int(let number) = input.pointee {
      frame.slots[0] = number
    } else if frame.entry == .double, case .double(let number) = input.pointee {
      frame.slots[0] = number.bits
    } else if frame.entry == .lent {
      frame.copyBits(input)
    } else {
      return frame.begin(at: input)
    }
    return frame.code
  }

  func value(at place: Int) -> Value { first[place] }
}
