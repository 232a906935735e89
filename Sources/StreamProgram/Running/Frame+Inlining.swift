public import StreamCore

// A run that takes its input as it is, and comes to a plain end, as a part of whoever asks for it: many runs are shorter
// than a call and what that keeps. All else is a call.

/// What a run gave that is not looked at yet: the code of an `End`, or where it paused. See `Handler`.
@usableFromInline
struct RunResult {
  /// NB: a plain end has the number of its `ProgramOutcome`.
  @usableFromInline let code: Int

  @inlinable @inline(__always)
  init(code: Int) { self.code = code }

  /// Whether the run has ended without a value, and nothing else is to be done.
  @inlinable @inline(__always)
  var isDropped: Bool { code == 0 }

  /// Whether the run has ended with a value, and nothing else is to be done.
  @inlinable @inline(__always)
  var isEmitted: Bool { code == 1 }
}

extension Frame {
  /// Runs the program from its beginning; nil where that fails. Then the failure is to be taken before the next run.
  ///
  /// NB: one kind after the other, the likeliest first; a switch would be a jump that is hard to foretell.
  @inlinable @inline(__always)
  public func attempt(_ input: Value) -> ProgramOutcome? {
    if case .int(let number) = input, case .int = entry { return run(scalarBits: number) }
    if case .double(let number) = input, case .double = entry {
      return run(scalarBits: Int64(bitPattern: number.bitPattern))
    }
    return attemptOther(input)
  }

  @inlinable @inline(__always)
  func run(scalarBits bits: Int64) -> ProgramOutcome? {
    slots[0] = bits
    let result = runFromStart()
    if result.isDropped { return .dropped }
    return result.isEmitted ? .emitted : outcome(of: result, scalarBits: bits)
  }

  @usableFromInline @inline(never)
  func attemptOther(_ input: Value) -> ProgramOutcome? {
    if case .lent = entry {
      copyBits(of: input)
      let result = runFromStart()
      return result.isDropped ? .dropped : outcome(of: result)
    }
    let end = execute(begin(input))
    return end.isPlain ? end.outcome : finish(end, input)
  }

  @inlinable @inline(__always)
  func runFromStart() -> RunResult {
    let first = program.code
    return RunResult(code: first.pointee.handler(first, slots, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Lends a boxed input's bits to its register, see `lend`.
  @inline(__always)
  func copyBits(of input: Value) {
    UnsafeMutableRawPointer(values + program.inputHome)
      .storeBytes(of: unsafeBitCast(input, to: (UInt64, UInt64, UInt8).self), as: (UInt64, UInt64, UInt8).self)
  }

  /// What became of such a run; nil where it failed, as `attempt` has it.
  ///
  /// - Parameter bits: what went into the first slot, if anything did.
  @usableFromInline @inline(never)
  func outcome(of result: RunResult, scalarBits bits: Int64 = 0) -> ProgramOutcome? {
    let end = goOn(result.code)
    if end.isPlain { return end.outcome }
    return finish(end, program.entry.scalar?.value(bits) ?? values[program.inputHome])
  }
}
