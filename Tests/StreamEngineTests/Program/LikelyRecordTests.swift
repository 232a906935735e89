import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// Records in cells, whose fields are read unboxed because their types are likely.
@Suite struct LikelyRecords {
  private static let totals: Value = ["count": 0, "sum": 0.0]

  /// The running totals of an input, as records, and what a second expression makes of them.
  private func totals(
    _ initial: Value = Self.totals, _ expression: String = "{'count': acc.count + 1, 'sum': acc.sum + value}",
    then: String = "[value.count, value.sum]", cells: [CELType?] = []
  ) throws -> (program: Program, better: [CELType?]?) {
    var builder = ProgramBuilder(likelyCells: cells)
    let value = builder.input(likely: .double)
    let cell = builder.cell(initial)
    let next = try builder.add(CELExpression(expression), binding: ["value": value, "acc": cell])
    builder.store(next, in: cell)
    builder.emit(try builder.add(CELExpression(then), binding: ["value": next]))
    let better = builder.betterLikelyCells
    return (builder.build(), better)
  }

  private func instance(of program: Program) -> ProgramInstance {
    ProgramInstance(program, activation: Activation(slotCount: 4))
  }

  @Test("The fields of the initial record predict those of the next ones")
  func fieldsInitialRecord() throws {
    let (program, better) = try totals()
    #expect(better == nil)
    let frame = instance(of: program)
    #expect(try [0.5, 1.0, 2.25].map { try frame.result($0) } == [[1, 0.5], [2, 1.5], [3, 3.75]])
    #expect(frame.leaveCount == 0)
    #expect(frame.typedOpcodes.contains(.fieldInt) && frame.typedOpcodes.contains(.addDouble))
    #expect(frame.likelyCells == [.record([RecordField("count", .int), RecordField("sum", .double)])])
  }

  @Test("An int beside a double is read as a double")
  func intBesideDouble() throws {
    let (program, better) = try totals(["count": 0, "sum": 0])
    #expect(better == [.record([RecordField("count", .int), RecordField("sum", .dyn)])])
    let frame = instance(of: try totals(["count": 0, "sum": 0], cells: better ?? []).program)
    #expect(try [0.5, 1.0, 2.25].map { try frame.result($0) } == [[1, 0.5], [2, 1.5], [3, 3.75]])
    #expect(frame.leaveCount == 0)
    let first = instance(of: program)
    #expect(try [0.5, 1.0].map { try first.result($0) } == [[1, 0.5], [2, 1.5]])
  }

  /// Each operand is lowered once: otherwise the work doubles with each level.
  @Test("A long sum beside a double is lowered")
  func longSumBeside() throws {
    let terms = String(repeating: " + value.b", count: 60)
    let record = CELType.record([RecordField("a", .double), RecordField("b", .int)])
    let frame = try frame("value.a\(terms)", likely: record)
    #expect(try frame.result(["a": 0.5, "b": 2]) == 120.5)
    #expect(frame.leaveCount == 0)
    #expect(frame.typedOpcodes.filter { $0 == .addDouble }.count == 60)
    #expect(!frame.typedOpcodes.contains(.callValue))
  }

  @Test("A field of another type than predicted gives the result of the plan")
  func fieldAnotherType() throws {
    let expression = "{'last': acc.last == null ? value : null, 'count': acc.count + 1}"
    let records: [Value] = [["last": .null, "count": 0], ["last": 1.5, "count": 0], ["last": "text", "count": 0]]
    for initial in records {
      let (program, _) = try totals(initial, expression, then: "value")
      let activation = Activation(slotCount: 4)
      let (typed, boxed) = (instance(of: program), ProgramInstance(program, provider: activation, isBaseline: true))
      defer { withExtendedLifetime(activation) {} }
      for number in 0..<20 {
        let value = Value.double(Double(number))
        #expect(try typed.result(value) == boxed.result(value))
      }
    }
  }

  @Test("An overflow and a missing field give the errors of the plan")
  func overflowMissingField() throws {
    let (program, _) = try totals(["count": .int(.max), "sum": 0.0])
    #expect(throws: ProgramFailure.self) { try instance(of: program).result(1.5) }
    let (other, _) = try totals(["sum": 0.0])
    #expect(throws: ProgramFailure.self) { try instance(of: other).result(1.5) }
  }
}
