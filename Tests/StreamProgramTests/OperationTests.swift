import CEL
import StreamCore
import StreamTesting
import Testing

@testable import StreamProgram

/// How a program's operations are carried out: several together, and now and then with a pause.
@Suite struct OperationTests {
  @Test("Operations that are executed together have the results of single operations")
  func operationsExecutedTogether() {
    var random = SeededGenerator(seed: 7)
    var (fused, pairs) = (0, Set<[Opcode]>())
    for _ in 0..<2_500 {
      let instructions = Self.program(&random)
      // Behind an instruction that does nothing none is carried out together with the one before.
      let apart = instructions.enumerated().flatMap { place, instruction in
        var instruction = instruction
        if instruction.opcode.access.contains(.jumps) { instruction.c *= 2 }
        return [instruction, Instruction(.nop)]
      }
      for place in instructions.indices where Operation.fusedHandler(instructions, at: place) != nil {
        fused += 1
        pairs.insert([instructions[place].opcode, instructions[place + 1].opcode])
      }
      #expect(!apart.indices.contains { Operation.fusedHandler(apart, at: $0) != nil })
      let slots = (0..<Self.slotCount).map { _ in random.pick(Self.contents) }
      let (together, alone) = (Self.run(instructions, slots), Self.run(apart, slots))
      #expect(together == alone, "\(instructions) from \(slots)")
    }
    #expect(fused > 1_000 && pairs.count == 20, "\(fused) \(pairs)")
  }

  @Test("A program of any length comes to its end", arguments: [0, 1, 62, 63, 64, 65, 127, 128, 129, 1_000])
  func programAnyLength(count: Int) {
    let adding = Array(repeating: Instruction(.addIntK, 1), count: count)
    let actual = Self.run(adding + [Instruction(.end, c: 2)], [5, 0, 0, 0, 0])
    #expect(actual == [Int64(5 + count), 0, 0, 0, 0, 2])
  }

  // MARK: Programs

  private static let slotCount = 5
  private static let contents: [Int64] = [
    0, 1, -1, 2, 3, 6, 7, -8, 64, .max, .min, 1.5.bits, (-0.0).bits, Double.nan.bits,
  ]

  private static let opcodes: [Opcode] = [
    .count, .count, .addIntK, .addIntK, .multiplyIntK, .multiplyIntK, .addInt, .addInt, .addDouble, .addDouble, .move,
    .move, .jump, .branchUnless, .branchUnlessEqualInt, .branchUnlessMultiple, .branchIfMultiple,
    .branchUnlessDivisible, .branchIfDivisible, .branchUnlessLessIntK, .branchUnlessLessOrEqualIntK,
    .branchUnlessGreaterIntK,
    .branchUnlessGreaterOrEqualIntK, .branchUnlessEqualIntK, .branchUnlessGreaterOrEqualDoubleK, .emit, .end,
  ]

  /// Twelve instructions and an end. Many of them form sequences that are executed together.
  private static func program(_ random: inout SeededGenerator) -> [Instruction] {
    var instructions: [Instruction] = []
    for place in 0..<12 {
      let opcode = random.pick(opcodes)
      let isRelated = random.below(3) > 0
      let a = isRelated ? Int(instructions.last?.a ?? 0) : random.below(slotCount)
      let b = isRelated ? a : random.below(slotCount)
      var c = random.below(slotCount)
      if opcode.access.contains(.jumps) { c = place + 1 + random.below(12 - place) }
      if opcode == .end || opcode == .emit { c = random.below(4) }
      var constant = random.pick(contents)
      if opcode == .branchUnlessDivisible || opcode == .branchIfDivisible { constant = random.pick([3, 6, 7, 12, -5]) }
      if opcode == .branchUnlessMultiple || opcode == .branchIfMultiple { constant = random.pick([0, 1, 3, 7]) }
      instructions.append(Instruction(opcode, a: a, b: opcode == .emit ? 0 : b, c: c, constant))
    }
    return instructions + [Instruction(.end, c: 0)]
  }

  /// The contents of the slots after a run, followed by how it has ended.
  private static func run(_ typed: [Instruction], _ slots: [Int64]) -> [Int64] {
    var tables = ProgramTables()
    tables.slotCount = slotCount
    let body = ProgramBody(
      typed + [Instruction(.end, c: Int(End.generic))], genericStart: typed.count, tables,
      OutputTable([], []))
    let frame = ProgramInstance(Program(body: body), activation: Activation(slotCount: 0))
    for (place, bits) in slots.enumerated() { frame.slots[place] = bits }
    let end = frame.execute(frame.code)
    return (0..<slotCount).map { frame.slots[$0] } + [Int64(end.code)]
  }
}

extension SeededGenerator {
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
