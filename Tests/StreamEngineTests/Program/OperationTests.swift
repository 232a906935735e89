import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// A program's operations run one after another, with a pause after a number of them.
@Suite struct OperationTests {
  @Test("A program of any length comes to its end", arguments: [0, 1, 62, 63, 64, 65, 127, 128, 129, 1_000])
  func programAnyLength(count: Int) {
    let adding = Array(repeating: Instruction(.addIntK, 1), count: count)
    let actual = Self.run(adding + [Instruction(.end, c: 2)], [5, 0, 0, 0, 0])
    #expect(actual == [Int64(5 + count), 0, 0, 0, 0, 2])
  }

  // MARK: Programs

  private static let slotCount = 5

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
