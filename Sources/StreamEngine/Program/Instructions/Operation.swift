/// Runs an operation and its successors, up to an end or a pause.
///
/// The arguments are the operation, the slots and the frame. Returns the code of an `End`, or the address of the
/// operation at which to continue.
@usableFromInline
typealias Handler = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer) -> Int

/// An instruction in executable form, in 32 bytes.
@usableFromInline
struct Operation {
  @usableFromInline private(set) var handler: Handler
  let opcode: Opcode
  private let shift: UInt8
  let a: UInt16
  let b: UInt16
  /// The operand `c`; for a jump, the distance to its target in operations.
  let c: UInt16
  let immediate: Int64
  private let detail: Int64

  /// - Parameter place: The index of the instruction in the program.
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

  /// Number of operations after which the stack is unwound: handlers call each other, and the stack grows if the
  /// compiler emits no tail call.
  static let stretch = 64

  /// Returns the operations of a program, in memory that the caller deallocates.
  static func all(_ instructions: [Instruction]) -> UnsafePointer<Operation> {
    let operations = UnsafeMutablePointer<Operation>.allocate(capacity: max(instructions.count, 1))
    for place in instructions.indices {
      var operation = Operation(instructions[place], at: place)
      if place > 0, place % stretch == 0 {
        operation.handler = { place, _, _ in Int(bitPattern: place) }
      }
      (operations + place).initialize(to: operation)
    }
    return UnsafePointer(operations)
  }
}
