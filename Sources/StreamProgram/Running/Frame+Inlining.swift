public import StreamCore

// A run that takes its input as it is, and comes to a plain end, as a part of whoever asks for it: many runs are shorter
// than a call and what that keeps. All else is a call.

/// What a run gave that is not looked at yet: the code of an `End`, or where it paused. See `Handler`.
@usableFromInline
package struct RunResult {
  /// NB: a plain end has the number of its `ProgramOutcome`.
  @usableFromInline let code: Int

  @inlinable @inline(__always)
  init(code: Int) { self.code = code }

  /// Whether the run has ended without a value, and nothing else is to be done.
  @inlinable @inline(__always)
  package var isDropped: Bool { code == 0 }

  /// Whether the run has ended with a value, and nothing else is to be done.
  @inlinable @inline(__always)
  package var isEmitted: Bool { code == 1 }
}

extension Frame {
  /// What a value puts into the first slot, where the next run takes an int or a double as it is; nil for any other.
  @inlinable @inline(__always)
  package func scalarBits(of input: Value) -> Int64? {
    // NB: one after the other, the likeliest first; a switch would be a jump that is hard to foretell.
    if case .int(let number) = input, case .int = entry { return number }
    if case .double(let number) = input, case .double = entry { return Int64(bitPattern: number.bitPattern) }
    return nil
  }

  /// Runs the program for what `scalarBits` has just given.
  @inlinable @inline(__always)
  package func run(scalarBits bits: Int64) -> RunResult {
    slots[0] = bits
    return runFromStart()
  }

  /// Whether the next run takes any value as it is, in its boxed register.
  @inlinable @inline(__always)
  package var takesBoxed: Bool {
    if case .lent = entry { true } else { false }
  }

  /// Runs the program for a value that lives as long as the run.
  ///
  /// NB: `takesBoxed` has just said that it does: then there is a boxed register for it.
  @inlinable @inline(__always)
  package func run(boxed input: Value) -> RunResult {
    copyBits(of: input)
    return runFromStart()
  }

  @inlinable @inline(__always)
  func runFromStart() -> RunResult {
    let first = program.code
    return RunResult(code: first.pointee.handler(first, slots, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Lends a boxed input's bits to its register, see `lend`.
  @inlinable @inline(__always)
  func copyBits(of input: Value) {
    UnsafeMutableRawPointer(values + program.inputHome)
      .storeBytes(of: unsafeBitCast(input, to: (UInt64, UInt64, UInt8).self), as: (UInt64, UInt64, UInt8).self)
  }

  /// What became of such a run; nil where it failed, as `attempt` has it.
  ///
  /// - Parameter bits: what went into the first slot, if anything did.
  @inline(never)
  package func outcome(of result: RunResult, scalarBits bits: Int64 = 0) -> ProgramOutcome? {
    let end = goOn(result.code)
    if end.isPlain { return end.outcome }
    return finish(end, program.entry.scalar?.value(bits) ?? values[program.inputHome])
  }

  /// What the last run that had a value ended with, where that is an int or a double.
  @inlinable @inline(__always)
  package var scalarOutput: Value? {
    if outputKind == Self.intOutput { return .int(outputBits) }
    if outputKind == Self.doubleOutput { return .double(Double(bitPattern: UInt64(bitPattern: outputBits))) }
    return nil
  }

  /// The numbers of the scalars that they are.
  @inlinable static var intOutput: UInt8 { 0 }
  @inlinable static var doubleOutput: UInt8 { 2 }
}
