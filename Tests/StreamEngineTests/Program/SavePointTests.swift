import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

@Suite struct SavePointTests {
  /// Steps that change cells before an addition that may overflow.
  enum Change: CaseIterable {
    case count, store, storeBoxed, storeInBranch, countTwice

    func write(_ builder: inout ProgramBuilder, _ value: Operand) throws -> [Operand] {
      switch self {
      case .count, .countTwice:
        let cell = builder.cell(10, .int)
        builder.count(cell)
        if self == .countTwice { builder.count(cell) }
        return [cell]
      case .store:
        let (sum, last) = (builder.cell(0, .int), builder.cell(0.5, .double))
        let binding = ["sum": sum, "value": value]
        builder.store(try builder.add(CELExpression("sum + value"), binding: binding), in: sum)
        builder.store(try builder.add(CELExpression("double(value) / 4.0"), binding: binding), in: last)
        return [sum, last]
      case .storeBoxed:
        let all = builder.cell(.list([]))
        builder.store(try builder.add(CELExpression("all + [value]"), binding: ["all": all, "value": value]), in: all)
        return [all]
      case .storeInBranch:
        let (sum, label) = (builder.cell(0, .int), builder.label())
        builder.branch(unless: try builder.add(CELExpression("value % 2 == 1"), binding: ["value": value]), to: label)
        builder.store(
          try builder.add(CELExpression("sum + value"), binding: ["sum": sum, "value": value]), in: sum)
        builder.place(label)
        return [sum]
      }
    }
  }

  @Test("A side exit undoes each change once", arguments: Change.allCases)
  func sideExitUndoes(change: Change) throws {
    var builder = ProgramBuilder()
    let value = builder.input(.int)
    let cells = try change.write(&builder, value)
    builder.emit(try builder.add(CELExpression("value + 9223372036854775800"), binding: ["value": value]))
    let program = builder.build()
    #expect(!program.body.tables.undos.isEmpty)
    let activation = Activation(slotCount: 4)
    let frames = [false, true].map { ProgramInstance(program, provider: activation, isBaseline: $0) }
    for input: Value in [1, 2, 9, 3, 8, 11, 4, 7] {
      #expect(frames[0].error(for: input) == frames[1].error(for: input))
      for cell in cells { #expect(frames[0].value(of: cell) == frames[1].value(of: cell), "\(input)") }
    }
    #expect(frames[0].leaveCount == 3)
  }

  @Test("A cell that no side exit follows is not copied")
  func cellSideExit() throws {
    let frame = try frame { builder in
      let (value, sum) = (builder.input(.int), builder.cell(0, .int))
      let next = try builder.add(CELExpression("sum + value"), binding: ["sum": sum, "value": value])
      builder.store(next, in: sum)
      builder.emit(next)
    }
    #expect(frame.program.tables.undos.isEmpty && frame.typedOpcodes.count == 2)
  }
}
