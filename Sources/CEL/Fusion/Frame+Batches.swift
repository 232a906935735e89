public import StreamCore

/// What came of runs for one value after the other.
public struct BatchOutcome: Sendable {
  /// How many inputs have been taken; with a failure, those before the one that failed.
  public internal(set) var consumed = 0
  /// How many outputs there are.
  public internal(set) var produced = 0
  /// Whether there shall be no more.
  public internal(set) var isFinished = false
  /// Why it went no further.
  public internal(set) var failure: ProgramFailure?
}

extension Frame {
  /// Runs the program for one input after the other, until there are no more, a run fails, or one finishes: the same as
  /// single runs, without what each of them takes to begin.
  ///
  /// - Parameter outputs: uninitialised memory for as many values as there are inputs; the first `produced` of them are
  ///   initialised.
  public func run(
    _ inputs: UnsafeBufferPointer<Value>, initializing outputs: UnsafeMutablePointer<Value>
  ) -> BatchOutcome {
    guard let first = inputs.baseAddress else { return BatchOutcome() }
    var outcome = BatchOutcome()
    var runs = BatchRuns(input: first, end: first + inputs.count, output: outputs)
    while runs.input < runs.end, !outcome.isFinished {
      runs.isNoted = false
      let end = execute(runs.take(self) ? code : lend(runs.input), &runs)
      if runs.isNoted { continue }
      do throws(ProgramFailure) {
        let last = end.isPlain ? end.outcome : try finish(end, runs.input.pointee)
        outcome.isFinished = last == .finished || last == .emittedLast
        if last == .emitted || last == .emittedLast { runs.add(self) }
        runs.input += 1
      } catch {
        outcome.failure = error
        break
      }
    }
    giveBack()
    outcome.consumed = runs.input - first
    outcome.produced = runs.output - outputs
    return outcome
  }

  @inline(__always)
  fileprivate func take(_ bits: Int64) -> Bool {
    slots[0] = bits
    return true
  }
}

/// How far runs for one value after the other have come.
public struct RunProgress: Sendable {
  /// How many inputs have been taken, the one of the last run included.
  public internal(set) var consumed = 0
  /// How the last run ended: those before it dropped their inputs.
  public internal(set) var outcome = ProgramOutcome.dropped
  /// Why it failed, if it did.
  public internal(set) var failure: ProgramFailure?
}

extension Frame {
  /// Runs the program for one whole number after the other until something comes of a run, or there are no more: the
  /// same as single runs.
  public func run(from first: Int64, by step: Int64, count: Int) -> RunProgress {
    var runs = NumberRuns(number: first, step: step, remaining: count)
    return run(&runs, count) { runs in .int(runs.number) }
  }

  /// The same for values, of which there is one at least.
  public func run(_ inputs: UnsafeBufferPointer<Value>) -> RunProgress {
    guard let first = inputs.baseAddress else { return RunProgress() }
    var runs = ValueRuns(input: first, remaining: inputs.count)
    return run(&runs, inputs.count) { runs in runs.input.pointee }
  }

  @inline(__always)
  private func run<Runs: DroppingRuns>(_ runs: inout Runs, _ count: Int, _ input: (Runs) -> Value) -> RunProgress {
    var progress = RunProgress()
    while runs.remaining > 0 {
      runs.isNoted = false
      let end = runs.take(self) ? execute(code, &runs) : runs.lend(to: self)
      if runs.isNoted { continue }
      do throws(ProgramFailure) {
        progress.outcome = end.isPlain ? end.outcome : try finish(end, input(runs))
      } catch {
        progress.failure = error
      }
      runs.advance()
      if progress.outcome != .dropped || progress.failure != nil { break }
    }
    giveBack()
    progress.consumed = count - runs.remaining
    return progress
  }
}

/// Runs that go on as long as inputs are dropped.
private protocol DroppingRuns: RunDelivery {
  /// How many inputs there are still, the present one included.
  var remaining: Int { get set }
  /// Whether the last run is done with, and the next input is not taken yet.
  var isNoted: Bool { get set }
  mutating func advance()
  /// Gives the frame the input as the typed half takes it, if it does.
  func take(_ frame: Frame) -> Bool
  /// A run of an input that has to be boxed.
  mutating func lend(to frame: Frame) -> End
}

extension DroppingRuns {
  @inline(__always)
  mutating func goesOn(after end: End, _ frame: Frame) -> Bool {
    guard end.code == ProgramOutcome.dropped.rawValue else { return false }
    advance()
    if remaining > 0 && take(frame) { return true }
    isNoted = true
    return false
  }
}

private struct NumberRuns: DroppingRuns {
  var number: Int64
  let step: Int64
  var remaining: Int
  var isNoted = false

  @inline(__always)
  mutating func advance() {
    number &+= step
    remaining -= 1
  }

  @inline(__always)
  func take(_ frame: Frame) -> Bool { frame.entry == .int && frame.take(number) }

  @inline(never)
  mutating func lend(to frame: Frame) -> End {
    let value = Value.int(number)
    return withUnsafePointer(to: value) { pointer in
      var single = SingleRun()
      return frame.execute(frame.lend(pointer), &single)
    }
  }
}

private struct ValueRuns: DroppingRuns {
  var input: UnsafePointer<Value>
  var remaining: Int
  var isNoted = false

  @inline(__always)
  mutating func advance() {
    input += 1
    remaining -= 1
  }

  /// NB: each case looks at the input where it lies; a switch over both would copy it.
  @inline(__always)
  func take(_ frame: Frame) -> Bool {
    if frame.entry == .int, case .int(let number) = input.pointee { return frame.take(number) }
    if frame.entry == .double, case .double(let number) = input.pointee { return frame.take(number.bits) }
    if frame.entry == .lent { return frame.takeLent(input) }
    return frame.takeOther(input)
  }

  @inline(never)
  mutating func lend(to frame: Frame) -> End {
    var single = SingleRun()
    return frame.execute(frame.lend(input), &single)
  }
}

/// What happens at the end of a run: whether another one begins at once.
protocol RunDelivery {
  /// Takes the output, and gives the frame its next input.
  mutating func goesOn(after end: End, _ frame: Frame) -> Bool
}

/// One run.
struct SingleRun: RunDelivery {
  @inline(__always)
  func goesOn(after end: End, _ frame: Frame) -> Bool { false }
}

/// One run after the other.
private struct BatchRuns: RunDelivery {
  /// The run's input.
  var input: UnsafePointer<Value>
  let end: UnsafePointer<Value>
  /// Where the next output comes.
  var output: UnsafeMutablePointer<Value>
  /// Whether what came of the last run is in `output`, and `input` is the next.
  var isNoted = false

  @inline(__always)
  mutating func goesOn(after end: End, _ frame: Frame) -> Bool {
    guard end.code <= ProgramOutcome.emitted.rawValue else { return false }
    if end.code == ProgramOutcome.emitted.rawValue { add(frame) }
    input += 1
    if input < self.end && take(frame) { return true }
    isNoted = true
    return false
  }

  @inline(__always)
  mutating func add(_ frame: Frame) {
    // The kinds of the cheapest outputs are told apart here.
    switch frame.outputKind {
    case Scalar.int.rawValue: output.initialize(to: .int(frame.outputBits))
    case Scalar.double.rawValue: output.initialize(to: Scalar.double.value(frame.outputBits))
    default: output.initialize(to: frame.output)
    }
    output += 1
  }

  /// Gives the frame an input that its typed half takes as it is.
  ///
  /// NB: each case looks at the input where it lies; a switch over both would copy it.
  @inline(__always)
  func take(_ frame: Frame) -> Bool {
    if frame.entry == .int, case .int(let number) = input.pointee { return frame.take(number) }
    if frame.entry == .double, case .double(let number) = input.pointee { return frame.take(number.bits) }
    if frame.entry == .lent { return frame.takeLent(input) }
    return frame.takeOther(input)
  }
}

extension Frame {
  @inline(__always)
  fileprivate func takeLent(_ input: UnsafePointer<Value>) -> Bool {
    copyBits(input)
    return true
  }

  @inline(never)
  fileprivate func takeOther(_ input: UnsafePointer<Value>) -> Bool {
    switch (entry, input.pointee) {
    case (.uint, .uint(let number)): take(Int64(bitPattern: number))
    case (.bool, .bool(let flag)): take(flag ? 1 : 0)
    default: false
    }
  }
}
