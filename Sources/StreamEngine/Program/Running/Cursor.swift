import StreamCore

/// The state of a run: the current operation of a program, and the slots and the frame that it accesses.
///
/// A handler ends with a call of the next handler, which the compiler turns into a jump that needs no stack.
/// NB: All pointers are valid as long as the frame, which outlives the run; jumps lead forward to operations of the
/// program.
struct Cursor {
  let operation: UnsafePointer<Operation>
  let slots: UnsafeMutablePointer<Int64>
  let frame: Unmanaged<ProgramInstance>

  @inline(__always)
  private init(
    _ operation: UnsafePointer<Operation>, _ slots: UnsafeMutablePointer<Int64>, _ frame: Unmanaged<ProgramInstance>
  ) {
    self.operation = operation
    self.slots = slots
    self.frame = frame
  }

  /// Creates a cursor from the arguments of a handler.
  @inline(__always)
  init(_ operation: UnsafeRawPointer, _ slots: UnsafeMutableRawPointer, _ frame: UnsafeRawPointer) {
    self.operation = operation.assumingMemoryBound(to: Operation.self)
    self.slots = slots.assumingMemoryBound(to: Int64.self)
    self.frame = Unmanaged.fromOpaque(frame)
  }

  // MARK: The operation

  @inline(__always) var a: Int { Int(operation.pointee.a) }
  @inline(__always) var b: Int { Int(operation.pointee.b) }
  @inline(__always) var c: Int { Int(operation.pointee.c) }
  @inline(__always) var immediate: Int64 { operation.pointee.immediate }

  /// The contents of the slots that the operation reads.
  @inline(__always) var left: Int64 { slots[b] }
  @inline(__always) var right: Int64 { slots[c] }

  // MARK: Dispatch

  /// The cursor at the next operation.
  @inline(__always) var next: Cursor { Cursor(operation + 1, slots, frame) }

  /// Runs the operation and those that follow.
  @inline(__always)
  func run() -> Int { operation.pointee.handler(operation, slots, frame.toOpaque()) }

  /// Continues at the next operation.
  @inline(__always)
  func proceed() -> Int { next.run() }

  /// Runs the operation, without dispatch if it is an end.
  @inline(__always)
  func runOrEnd() -> Int { operation.pointee.opcode == .end ? end() : run() }

  @inline(__always)
  func jump() -> Int { Cursor(operation + c, slots, frame).runOrEnd() }

  /// Takes the side exit to the generic half.
  @inline(never)
  func leave() -> Int { Int(bitPattern: frame._withUnsafeGuaranteedRef { $0.leave(operation) }) }

  /// Ends the run with a failure.
  @inline(__always)
  func fail() -> Int { Int(End.failed.code) }

  /// Ends the run with the failure that the operation has set. In the typed half, takes the side exit instead: the
  /// generic half fails in the same way.
  @inline(never)
  func failHere() -> Int {
    if frame._withUnsafeGuaranteedRef({ $0.isGeneric }) { return fail() }
    frame._withUnsafeGuaranteedRef { $0.failure = nil }
    return leave()
  }

  // MARK: Results

  /// Writes a result to the operation's slot, and continues.
  @inline(__always)
  func write(_ bits: Int64) -> Int {
    slots[a] = bits
    return proceed()
  }

  @inline(__always)
  func write(_ flag: Bool) -> Int { write((flag ? 1 : 0) as Int64) }

  /// Writes a result, and continues; takes the side exit if it is nil.
  @inline(__always)
  func write(ifAny bits: Int64?) -> Int {
    guard let bits else { return leave() }
    return write(bits)
  }

  // MARK: Ends

  @inline(__always)
  func end() -> Int { c }

  @inline(__always)
  func emit() -> Int {
    frame._withUnsafeGuaranteedRef { frame in
      frame.outputBits = slots[a]
      frame.outputKind = UInt8(truncatingIfNeeded: operation.pointee.b)
    }
    return c
  }

  @inline(__always)
  func emitValue() -> Int {
    frame._withUnsafeGuaranteedRef { $0.emitValue(a) }
    return c
  }

  @inline(__always)
  func emitRecord() -> Int {
    frame._withUnsafeGuaranteedRef { $0.emitRecord(immediate) }
    return c
  }
}
