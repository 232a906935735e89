import CEL
import StreamCore

/// Writes the typed half of a program: allocates registers, and eliminates common subexpressions.
///
/// Registers are written once, except those of cells and of the results of conditionals and logic operators. Thus a
/// computation with the same operands need not be repeated if every path to the current position contains it.
///
/// NB: `@exclusivity(unchecked)`: The writer belongs to one builder, and its accesses never overlap.
final class CodeWriter {
  @exclusivity(unchecked) private(set) var code: [Instruction] = []
  @exclusivity(unchecked) private(set) var slotCount = 0
  @exclusivity(unchecked) private(set) var valueCount = 0
  /// The constants that slots and boxed registers hold from the beginning.
  @exclusivity(unchecked) private(set) var slotConstants: [(register: Int, bits: Int64)] = []
  @exclusivity(unchecked) private(set) var valueConstants: [(register: Int, value: Value)] = []
  /// The position of each label; nil if it is not placed yet.
  @exclusivity(unchecked) private(set) var labels: [Int?] = []
  /// The parts of expressions that run as their plan.
  @exclusivity(unchecked) private(set) var nodes: [PlanNode] = []
  /// The field of each cache.
  @exclusivity(unchecked) private(set) var fields: [String] = []
  @exclusivity(unchecked) private(set) var records: [RecordParts] = []

  @exclusivity(unchecked) private var slotsByBits: [Int64: Int] = [:]
  @exclusivity(unchecked) private var valuesByKey: [ConstantKey: Int] = [:]
  @exclusivity(unchecked) private var cachesByField: [FieldKey: Int] = [:]
  /// The labels that have jumps and are not placed yet, with the number of known computations at the first jump.
  @exclusivity(unchecked) private var pending: [(label: Int, known: Int)] = []

  /// The computations and their result registers. They are in order, so that those of a single path can be discarded.
  @exclusivity(unchecked) private var known = ComputationTable()

  /// A key that distinguishes constants that `==` does not: 0.0 and -0.0.
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

  /// The numbers of the keys of parts that run as their plan, and by number the registers that those parts read.
  @exclusivity(unchecked) private var keyNumbers: [String: Int] = [:]
  @exclusivity(unchecked) private var keyRegisters: [Set<Int>] = []
  /// Number of parts that run as their plan, including reused ones.
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

  /// Returns the slot that holds these bits from the beginning.
  func constantSlot(_ bits: Int64) -> Int {
    if let slot = slotsByBits[bits] { return slot }
    let slot = newSlot()
    slotsByBits[bits] = slot
    slotConstants.append((slot, bits))
    return slot
  }

  /// Returns the register that holds this value from the beginning. Equal lists and maps have separate registers.
  func constant(_ value: Value) -> Int {
    let key = ConstantKey(value)
    if let key, let register = valuesByKey[key] { return register }
    let register = newValue()
    if let key { valuesByKey[key] = register }
    valueConstants.append((register, value))
    return register
  }

  /// Returns the register that equal constants share; nil for constants that are not shared, such as lists.
  func sharedConstant(_ value: Value) -> Int? { ConstantKey(value) == nil ? nil : constant(value) }

  /// Returns the index of the cache for a field of the records in this register.
  func cache(_ field: String, of register: Int) -> Int {
    let key = FieldKey(register: register, field: field)
    if let cache = cachesByField[key] { return cache }
    fields.append(field)
    cachesByField[key] = fields.count - 1
    return fields.count - 1
  }

  // MARK: Instructions

  func write(_ instruction: Instruction) { code.append(instruction) }

  /// Returns the code, and clears it; nothing is written afterwards.
  func takeCode() -> [Instruction] {
    defer { code = [] }
    return code
  }

  /// Reserves capacity for about this many instructions.
  func reserve(_ count: Int) {
    code.reserveCapacity(count)
    known.reserve(count / 3)
  }

  /// Returns the slot with the result of an instruction, written only if the result is not known yet.
  func compute(_ opcode: Opcode, _ b: Int, _ c: Int = 0, _ immediate: Int64 = 0) -> Int {
    let computation = Computation(opcode: opcode, b: b, c: c, immediate: immediate)
    if let known = known.entry(computation) { return known.register }
    let slot = newSlot()
    write(Instruction(opcode, a: slot, b: b, c: c, immediate))
    known.remember(computation, slot)
    return slot
  }

  /// Returns the boxed register with the result of an instruction, written only if the result is not known yet.
  func computeValue(_ opcode: Opcode, _ b: Int, _ immediate: Int64 = 0) -> Int {
    let computation = Computation(opcode: opcode, b: b, c: 0, immediate: immediate)
    if let known = known.entry(computation) { return known.register }
    let register = newValue()
    write(Instruction(opcode, a: register, b: b, immediate))
    known.remember(computation, register)
    return register
  }

  /// Returns the register with the result of a part that runs as its plan: a slot, or for `callValue` a boxed register.
  ///
  /// A slot keeps the cost of the part: if the same part is needed again, the cost is charged again, but the result is
  /// reused.
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

  /// Returns the boxed register with the result of a whole expression that runs as its plan.
  func evaluate(_ evaluation: Int, _ key: SharingKey?) -> Int {
    let computation = key.map { Computation(opcode: .callValue, b: number(of: $0), c: 0, immediate: 0) }
    // The earlier computation did not exceed the cost limit, so the same expression does not exceed it now.
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

  /// Writes a record of these parts, and returns its register.
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

  /// Writes a jump, or a branch on `slot`.
  func jump(_ opcode: Opcode, _ slot: Int = 0, to label: Int, _ immediate: Int64 = 0) {
    write(Instruction(opcode, a: slot, c: label, immediate))
    if !pending.contains(where: { $0.label == label }) { pending.append((label, known.count)) }
  }

  /// Places the label here. Only computations that were known at the first jump to it remain known.
  func place(_ label: Int) {
    labels[label] = code.count
    guard let place = pending.firstIndex(where: { $0.label == label }) else { return }
    forget(to: pending.remove(at: place).known)
  }

  /// Discards the known computations after the first `count`: they belong to a single path.
  func forget(to count: Int) {
    guard known.count > count else { return }
    known.forget(to: count)
    // Computations that take the discarded positions are not known at the pending jumps.
    for place in pending.indices where pending[place].known > count { pending[place].known = count }
  }

  /// Discards the computations that read this register, because its content changes.
  ///
  /// Slots and boxed registers have the same numbers; discarding more computations than needed is harmless.
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

  /// Removes the code written since the mark.
  func rewind(to mark: Mark) {
    code.removeLast(code.count - mark.code)
    nodes.removeLast(nodes.count - mark.nodes)
    callCount = mark.calls
    forget(to: mark.known)
  }

  /// Replaces an instruction: a placeholder by the final instruction, or an unneeded instruction by a `nop`.
  func replace(at index: Int, by instruction: Instruction = Instruction(.nop)) { code[index] = instruction }

  /// Returns whether a part that runs as its plan was written since the mark.
  func hasCalls(since mark: Mark) -> Bool { callCount > mark.calls }
}
