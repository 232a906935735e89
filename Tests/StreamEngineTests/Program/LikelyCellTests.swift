import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// Cells that are unboxed because a type is likely.
@Suite struct LikelyCells {
  /// A program of sums over an input with a predicted type.
  private func sums(_ input: CELType?, _ cells: [CELType?] = []) throws -> Program {
    var builder = ProgramBuilder(likelyCells: cells)
    let value = builder.input(likely: input)
    let sum = builder.cell(0)
    let next = try builder.add("acc + value", binding: ["value": value, "acc": sum])
    builder.store(next, in: sum)
    builder.emit(next)
    return builder.build()
  }

  @Test("A cell begins as the scalar that it holds")
  func cellBeginsScalar() throws {
    let frame = ProgramInstance(try sums(.int), activation: Activation(slotCount: 4))
    #expect(try [1, 2, 3].map { try frame.result($0) } == [1, 3, 6])
    #expect(frame.leaveCount == 0)
    #expect(frame.typedOpcodes.contains(.addInt))
  }

  @Test("A frame that keeps taking side exits reports it, and continues in a better program")
  func frameKeepsTaking() throws {
    let frame = ProgramInstance(try sums(.int), activation: Activation(slotCount: 4))
    var sums = try [1, 0.5].map { try frame.result($0) }
    #expect(!frame.needsRespecialization)
    sums.append(try frame.result(0.25))
    #expect(frame.needsRespecialization && frame.isGeneric)
    #expect(frame.likelyCells == [.double])
    let better = try self.sums(.double, frame.likelyCells)
    let next = frame.continued(in: better)
    #expect(next.runs(better) && !frame.runs(better))
    sums.append(try next.result(0.25))
    #expect(sums == [1, 1.5, 1.75, 2.0])
    #expect(next.leaveCount == frame.leaveCount && !next.isGeneric && !next.needsRespecialization)
  }

  @Test("A vacant cell becomes what is stored there")
  func vacantCellBecomes() throws {
    func program(_ cells: [CELType?]) throws -> (program: Program, better: [CELType?]?, previous: Operand) {
      var builder = ProgramBuilder(likelyCells: cells)
      let value = builder.input(likely: .int)
      let previous = builder.cell(for: .dyn)
      builder.store(value, in: previous)
      builder.end()
      let better = builder.betterLikelyCells
      return (builder.build(), better, previous)
    }
    let first = try program([])
    #expect(first.better == [.int])
    let second = try program([.int])
    #expect(second.better == nil)
    let boxed = ProgramInstance(first.program, activation: Activation(slotCount: 4))
    #expect(boxed.value(of: first.previous) == .null)
    let frame = boxed.continued(in: second.program)
    #expect(!frame.isGeneric)
    _ = try frame.run(3)
    #expect(frame.leaveCount == 0 && frame.value(of: second.previous) == 3)
    _ = try frame.run("text")
    #expect(frame.value(of: second.previous) == "text")
  }
}
