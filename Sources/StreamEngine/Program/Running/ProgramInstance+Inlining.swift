public import StreamCore

// Runs with an int or a double as input and a plain end are inlined into the caller: many runs are shorter than a call
// and the registers that it saves. All other runs are calls.

/// The raw result of a run: the code of an `End`, or the address of the operation where it paused. See `Handler`.
@usableFromInline
struct RunResult {
  /// NB: The code of a plain end is the raw value of its `ProgramOutcome`.
  @usableFromInline let code: Int

  @inlinable @inline(__always)
  init(code: Int) { self.code = code }

  /// Whether the run has a plain end without a value.
  @inlinable @inline(__always)
  var isDropped: Bool { code == 0 }

  /// Whether the run has a plain end with a value.
  @inlinable @inline(__always)
  var isEmitted: Bool { code == 1 }
}

@_spi(Engine) extension ProgramInstance {
  /// Runs the program from its beginning. Returns nil if the run fails; the caller must then take the failure before
  /// the next run.
  ///
  /// NB: Tests one kind after the other, the likeliest first; a switch would be a jump that is hard to predict.
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

  /// Lends the bits of a boxed input to its register. See `borrow`.
  @inline(__always)
  func copyBits(of input: Value) {
    // Two words and a byte are copied in registers. NB: The compiler decides which branch there is.
    typealias Bits = (UInt64, UInt64, UInt8)
    let register = UnsafeMutableRawPointer(values + program.inputRegister)
    if MemoryLayout<Value>.size == MemoryLayout<Bits>.size {
      register.storeBytes(of: unsafeBitCast(input, to: Bits.self), as: Bits.self)
    } else {
      withUnsafeBytes(of: input) { register.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
    }
  }

  /// Returns the outcome of such a run; nil if it failed, like `attempt`.
  ///
  /// - Parameter bits: The bits of a scalar input.
  @usableFromInline @inline(never)
  func outcome(of result: RunResult, scalarBits bits: Int64 = 0) -> ProgramOutcome? {
    let end = proceed(result.code)
    if end.isPlain { return end.outcome }
    return finish(end, program.entry.scalar?.value(bits) ?? values[program.inputRegister])
  }
}
