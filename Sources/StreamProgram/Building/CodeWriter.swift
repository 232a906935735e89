import CEL
import StreamCore

/// Writes a program's typed half: gives out registers, and computes nothing twice.
///
/// Registers are written once, those of cells and of the two branches of a choice apart. So what was computed with the
/// same operands before, on every way that leads here, need not be computed again.
///
/// NB: `@exclusivity(unchecked)`: it belongs to one builder, and no access goes on while another begins.
final class CodeWriter {
  @exclusivity(unchecked) private(set) var code: [Instruction] = []
  /// The exit of each instruction: a place in the builder's table.
  @exclusivity(unchecked) private(set) var exits: [Int32] = []
  /// The exit of what is written next.
  @exclusivity(unchecked) var exit = 0
  @exclusivity(unchecked) private(set) var slotCount = 0
  @exclusivity(unchecked) private(set) var valueCount = 0
  /// What slots and values hold from the beginning.
  @exclusivity(unchecked) private(set) var slotConstants: [(register: Int, bits: Int64)] = []
  @exclusivity(unchecked) private(set) var valueConstants: [(register: Int, value: Value)] = []
  /// Where each label stands; nil for those that are not placed yet.
  @exclusivity(unchecked) private(set) var labels: [Int?] = []
  /// Parts of expressions that run as their plan.
  @exclusivity(unchecked) private(set) var nodes: [PlanNode] = []
  /// The field of each cache.
  @exclusivity(unchecked) private(set) var fields: [String] = []
  @exclusivity(unchecked) private(set) var records: [RecordParts] = []

  @exclusivity(unchecked) private var slotsByBits: [Int64: Int] = [:]
  @exclusivity(unchecked) private var valuesByKey: [ConstantKey: Int] = [:]
  @exclusivity(unchecked) private var constantRegisters: Set<Int> = []
  @exclusivity(unchecked) private var cachesByField: [FieldKey: Int] = [:]
  /// The labels that are jumped to and not placed yet, and how much was known where the first jump is.
  @exclusivity(unchecked) private var pending: [(label: Int, known: Int)] = []

  /// What was computed, and where it is. In order, so that what is known on one way alone can be forgotten.
  @exclusivity(unchecked) private var known = ComputationTable()

  /// Tells constants apart that `==` does not: 0.0 and -0.0.
  private enum ConstantKey: Hashable {
    case null
    case scalar(Scalar, Int64)
    case text([UInt8])

    init?(_ value: Value) {
      if let scalar = Scalar(value), let bits = value.scalarBits {
        self = .scalar(scalar, bits)
      } else if case .string(let text) = value {
        self = .text(Array(text.utf8))
      } else if case .null = value {
        self = .null
      } else {
        return nil
      }
    }
  }

  private struct FieldKey: Hashable {
    var register: Int
    var field: String
  }

  private typealias Computation = ComputationTable.Computation

  /// The keys of parts that run as their plan, by number, with the registers that they read.
  @exclusivity(unchecked) private var keyNumbers: [String: Int] = [:]
  @exclusivity(unchecked) private var keyRegisters: [Set<Int>] = []
  /// How many parts that run as their plan there are, those included that were computed before.
  @exclusivity(unchecked) private(set) var callCount = 0

  // MARK: Registers

  var registerCount: Int { max(slotCount, valueCount) }

  func newSlot() -> Int {
    slotCount += 1
    return slotCount - 1
  }

  func newValue() -> Int {
    valueCount += 1
    return valueCount - 1
  }

  /// The slot that holds these bits from the beginning.
  func constantSlot(_ bits: Int64) -> Int {
    if let slot = slotsByBits[bits] { return slot }
    let slot = newSlot()
    slotsByBits[bits] = slot
    slotConstants.append((slot, bits))
    return slot
  }

  /// The register that holds this value from the beginning. Equal lists and maps have each their own.
  func constant(_ value: Value) -> Int {
    let key = ConstantKey(value)
    if let key, let register = valuesByKey[key] { return register }
    let register = newValue()
    if let key { valuesByKey[key] = register }
    valueConstants.append((register, value))
    constantRegisters.insert(register)
    return register
  }

  /// The register of a constant of which there is only one; nil for others, as lists.
  func sharedConstant(_ value: Value) -> Int? { ConstantKey(value) == nil ? nil : constant(value) }

  /// Whether the register holds a constant.
  func isConstant(_ register: Int) -> Bool { constantRegisters.contains(register) }

  /// The cache for a field of the records in this register.
  func cache(_ field: String, of register: Int) -> Int {
    let key = FieldKey(register: register, field: field)
    if let cache = cachesByField[key] { return cache }
    fields.append(field)
    cachesByField[key] = fields.count - 1
    return fields.count - 1
  }

  // MARK: Instructions

  func write(_ instruction: Instruction) {
    code.append(instruction)
    exits.append(Int32(truncatingIfNeeded: exit))
  }

  /// Gives the code away, with the exit of each instruction: nothing more is written.
  func take() -> (code: [Instruction], exits: [Int32]) {
    defer { (code, exits) = ([], []) }
    return (code, exits)
  }

  /// Makes room for about so many instructions.
  func reserve(_ count: Int) {
    code.reserveCapacity(count)
    exits.reserveCapacity(count)
    known.reserve(count / 3)
  }

  /// The slot with the result of an instruction, which is only written when the result is not there yet.
  func compute(_ opcode: Opcode, _ b: Int, _ c: Int = 0, _ immediate: Int64 = 0) -> Int {
    let computation = Computation(opcode: opcode, b: b, c: c, immediate: immediate)
    if let known = known.entry(computation) { return known.register }
    let slot = newSlot()
    write(Instruction(opcode, a: slot, b: b, c: c, immediate))
    known.remember(computation, slot)
    return slot
  }

  /// The same for an instruction that writes a value.
  func computeValue(_ opcode: Opcode, _ b: Int, _ immediate: Int64 = 0) -> Int {
    let computation = Computation(opcode: opcode, b: b, c: 0, immediate: immediate)
    if let known = known.entry(computation) { return known.register }
    let register = newValue()
    write(Instruction(opcode, a: register, b: b, immediate))
    known.remember(computation, register)
    return register
  }

  /// The register with the result of a part that runs as its plan: a slot, or for `callValue` a value.
  ///
  /// What the part costs is kept in a slot: when the same part is needed again, it is paid for again and not computed.
  func call(_ opcode: Opcode, _ node: PlanNode, _ key: SharingKey?) -> Int {
    callCount += 1
    let computation = key.map { Computation(opcode: opcode, b: number(of: $0), c: 0, immediate: 0) }
    if let computation, let known = known.entry(computation), let cost = known.cost {
      write(Instruction(.charge, b: cost))
      return known.register
    }
    let register = opcode == .callValue ? newValue() : newSlot()
    let cost = newSlot()
    nodes.append(node)
    write(Instruction(opcode, a: register, c: cost, Int64(nodes.count - 1)))
    if let computation { known.remember(computation, register, cost: cost) }
    return register
  }

  /// The register with the result of a whole expression that runs as its plan.
  func evaluate(_ evaluation: Int, _ key: SharingKey?) -> Int {
    let computation = key.map { Computation(opcode: .callValue, b: number(of: $0), c: 0, immediate: 0) }
    // What was computed before did not cost more than is allowed, and will not now.
    if let computation, let known = known.entry(computation) { return known.register }
    let (register, cost) = (newValue(), newSlot())
    write(Instruction(.evaluate, a: register, c: cost, Int64(evaluation)))
    if let computation { known.remember(computation, register, cost: cost) }
    return register
  }

  private func number(of key: SharingKey) -> Int {
    if let number = keyNumbers[key.text] { return number }
    keyNumbers[key.text] = keyRegisters.count
    keyRegisters.append(key.registers)
    return keyRegisters.count - 1
  }

  /// The register of a record that is made of others.
  func record(_ parts: RecordParts) -> Int {
    let register = newValue()
    records.append(parts)
    write(Instruction(.record, a: register, Int64(records.count - 1)))
    return register
  }

  // MARK: Jumps

  func newLabel() -> Int {
    labels.append(nil)
    return labels.count - 1
  }

  /// A jump, or a branch on `slot`.
  func jump(_ opcode: Opcode, _ slot: Int = 0, to label: Int, _ immediate: Int64 = 0) {
    write(Instruction(opcode, a: slot, c: label, immediate))
    if !pending.contains(where: { $0.label == label }) { pending.append((label, known.count)) }
  }

  /// Places the label here. What is known from now on was known where the first jump to it is.
  func place(_ label: Int) {
    labels[label] = code.count
    guard let place = pending.firstIndex(where: { $0.label == label }) else { return }
    forget(to: pending.remove(at: place).known)
  }

  /// Forgets what came after so much was known: it was computed on one way alone.
  func forget(to count: Int) {
    guard known.count > count else { return }
    known.forget(to: count)
    // What takes the place of the forgotten is not known where the jumps are.
    for place in pending.indices where pending[place].known > count { pending[place].known = count }
  }

  /// Forgets what was computed from this register, because another content comes into it.
  ///
  /// Instructions name slots and values by the same numbers; forgetting more than needed does no harm.
  func forgetUses(of register: Int) {
    known.forget { computation in
      computation.opcode.access.contains(.writesC)
        ? keyRegisters[computation.b].contains(register)
        : computation.b == register || computation.c == register
    }
  }

  // MARK: Attempts

  struct Mark {
    fileprivate let code: Int
    fileprivate let nodes: Int
    fileprivate let known: Int
    fileprivate let calls: Int
  }

  var mark: Mark { Mark(code: code.count, nodes: nodes.count, known: known.count, calls: callCount) }

  /// Takes back what was written since.
  func rewind(to mark: Mark) {
    code.removeLast(code.count - mark.code)
    exits.removeLast(exits.count - mark.code)
    nodes.removeLast(nodes.count - mark.nodes)
    callCount = mark.calls
    forget(to: mark.known)
  }

  /// Puts another instruction in the place of one that was written as nothing, or makes nothing of it.
  func replace(at index: Int, by instruction: Instruction = Instruction(.nop)) { code[index] = instruction }

  /// Whether a part that runs as its plan was written since.
  func hasCalls(since mark: Mark) -> Bool { callCount > mark.calls }
}
