import StreamCore

/// Where a run is: at an operation of a program, with what the operation works on.
///
/// A handler ends with the call of the next one, which the compiler makes a jump: nothing of it is on the stack then.
/// NB: all pointers are of one frame, which lives as long as the run; jumps go forward to operations of the program.
struct Cursor {
  let operation: UnsafePointer<Operation>
  let slots: UnsafeMutablePointer<Int64>
  let frame: Unmanaged<Frame>

  @inline(__always)
  private init(_ operation: UnsafePointer<Operation>, _ slots: UnsafeMutablePointer<Int64>, _ frame: Unmanaged<Frame>) {
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

  /// The same after the count at the operation, if there is one.
  @inline(__always)
  init(counting operation: UnsafeRawPointer, _ slots: UnsafeMutableRawPointer, _ frame: UnsafeRawPointer) {
    let cursor = Cursor(operation, slots, frame)
    self = cursor.isCount ? cursor.counted : cursor
  }

  // MARK: The operation

  @inline(__always) var a: Int { Int(operation.pointee.a) }
  @inline(__always) var b: Int { Int(operation.pointee.b) }
  @inline(__always) var c: Int { Int(operation.pointee.c) }
  @inline(__always) var immediate: Int64 { operation.pointee.immediate }

  /// The slots that it reads.
  @inline(__always) var left: Int64 { slots[b] }
  @inline(__always) var right: Int64 { slots[c] }

  // MARK: Going on

  /// At the next operation.
  @inline(__always) var next: Cursor { Cursor(operation + 1, slots, frame) }

  /// Carries out the operation and what follows.
  @inline(__always)
  func run() -> Int { operation.pointee.handler(operation, slots, frame.toOpaque()) }

  /// Goes on at the next operation.
  @inline(__always)
  func goOn() -> Int { next.run() }

  /// Carries out what may well be an end, or something else.
  @inline(__always)
  func runOrEnd() -> Int { operation.pointee.opcode == .end ? end() : run() }

  @inline(__always)
  func jump() -> Int { Cursor(operation + c, slots, frame).runOrEnd() }

  /// Goes on in the generic half.
  @inline(never)
  func leave() -> Int { Int(bitPattern: frame._withUnsafeGuaranteedRef { $0.leave(operation) }) }

  /// The run has failed.
  @inline(__always)
  func fail() -> Int { Int(End.failed.code) }

  /// The same at an operation that tells its failure; what the generic half needs has to be where it looks for it.
  @inline(never)
  func failHere() -> Int {
    frame._withUnsafeGuaranteedRef { frame in if !frame.isGeneric { _ = frame.leave(operation) } }
    return fail()
  }

  // MARK: Results

  /// Puts a result where the operation wants it, and goes on.
  @inline(__always)
  func write(_ bits: Int64) -> Int {
    slots[a] = bits
    return goOn()
  }

  @inline(__always)
  func write(_ flag: Bool) -> Int { write((flag ? 1 : 0) as Int64) }

  /// The same for a result that there may not be.
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
}
