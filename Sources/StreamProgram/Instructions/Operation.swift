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
  private let shift: UInt8
  let a: UInt16
  let b: UInt16
  /// Of a jump, how many operations farther it leads.
  let c: UInt16
  let immediate: Int64
  private let detail: Int64

  /// - Parameter place: where it stands among the others.
  init(_ instruction: Instruction, at place: Int) {
    let constant = Constant(of: instruction)
    opcode = instruction.opcode
    shift = constant.shift
    a = instruction.a
    b = instruction.b
    c = opcode.access.contains(.jumps) ? instruction.c - UInt16(place) : instruction.c
    immediate = constant.immediate
    detail = constant.detail
    handler = opcode.handler
  }

  @inline(__always)
  var constant: Constant { Constant(immediate: immediate, detail: detail, shift: shift) }

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
