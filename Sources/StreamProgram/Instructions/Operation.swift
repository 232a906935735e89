/// Carries out an operation and whatever follows it, as far as an end or a pause.
///
/// It is given the operation, the slots and the frame, and gives the code of an `End`, or the address of the operation
/// with which to go on.
@usableFromInline
typealias Handler = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer) -> Int

/// An instruction as a frame runs it, in 32 bytes: with what carries it out, alone or together with those behind it.
@usableFromInline
struct Operation {
  @usableFromInline private(set) var handler: Handler
  let opcode: Opcode
  /// By how many bits a quotient is shifted.
  private(set) var shift: UInt8 = 0
  let a: UInt16
  let b: UInt16
  /// Of a jump, how many operations farther it leads.
  let c: UInt16
  private(set) var immediate: Int64
  /// What follows from a constant and is not computed each time.
  private(set) var detail: Int64 = 0

  /// - Parameter place: where it stands among the others.
  init(_ instruction: Instruction, at place: Int) {
    opcode = instruction.opcode
    a = instruction.a
    b = instruction.b
    c = opcode.access.contains(.jumps) ? instruction.c - UInt16(place) : instruction.c
    immediate = instruction.immediate
    handler = opcode.handler
    switch opcode {
    case .branchUnlessDivisible, .branchIfDivisible:
      let test = DivisibilityTest(immediate)
      (immediate, detail, shift) = (test.inverse, test.bound, test.shift)
    case .divideIntK, .remainderIntK:
      guard let reciprocal = Reciprocal(of: immediate) else { break }
      (detail, shift) = (reciprocal.factor, reciprocal.shift)
      handler = opcode == .divideIntK ? Cursor.dividing : Cursor.takingRemainder
    case .branchUnlessLessIntK, .branchUnlessLessOrEqualIntK, .branchUnlessGreaterIntK,
      .branchUnlessGreaterOrEqualIntK, .branchUnlessEqualIntK, .branchUnlessUnequalIntK:
      guard let range = opcode.range(of: immediate) else {
        handler = { Cursor.at($0, $1, $2) { $0.jump() } }
        break
      }
      (immediate, detail) = (range.lowerBound, range.upperBound &- range.lowerBound)
    default: break
    }
  }

  /// An operation's handlers call each other; where that is no jump, the stack grows. So it is given up now and then.
  static let stretch = 64

  /// The operations of a program, in memory that whoever asks deallocates.
  static func all(_ instructions: [Instruction]) -> UnsafePointer<Operation> {
    let operations = UnsafeMutablePointer<Operation>.allocate(capacity: max(instructions.count, 1))
    for place in instructions.indices {
      var operation = Operation(instructions[place], at: place)
      if place > 0, place % stretch == 0 {
        operation.handler = { place, _, _ in Int(bitPattern: place) }
      } else if let handler = fusedHandler(instructions, at: place) {
        operation.handler = handler
      }
      (operations + place).initialize(to: operation)
    }
    return UnsafePointer(operations)
  }
}
