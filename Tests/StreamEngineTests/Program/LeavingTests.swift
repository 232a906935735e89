import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

/// Side exits, where the typed half has no result.
@Suite struct Leaving {
  @Test("An unlikely type takes the generic half, the next likely one does not")
  func unlikelyTypeTakes() throws {
    let frame = try frame("value * 2", likely: .int)
    let results = try [3, 1.5, .uint(4), 5].map { try frame.result($0) }
    #expect(results == [6, 3.0, 8.0, 10])
    #expect(frame.leaveCount == 2)
  }

  @Test("An overflow is the plan's error, and the next run continues")
  func overflowPlansError() throws {
    let frame = try frame { try Programs.sums(&$0, .int) }
    _ = try frame.run(2)
    let actual = frame.error(for: .int(.max))
    let plan = try CELExpression("value * 3").plan(in: ExpressionEnvironment(variables: [Variable("value", .int)]))
    let activation = Activation(slotCount: 1)
    activation.set(.int(.max), at: 0)
    let expected = try #require(#expect(throws: EvaluationError.self) { try plan.evaluate(activation) })
    #expect(actual?.site == 0)
    #expect(actual?.reason == .evaluation(expected))
    #expect(try frame.result(4) == 18)
  }

  @Test("A sum that overflows leaves the cell unchanged")
  func sumOverflowsLeaves() throws {
    let frame = try frame { try Programs.sums(&$0, .int) }
    _ = try frame.run(.int(Int64.max / 6 * 2))
    #expect(frame.error(for: .int(Int64.max / 6 * 2))?.site == 2)
    #expect(frame.error(for: .int(Int64.max / 6 * 2))?.site == 2)
    #expect(try frame.result(-2) == .int(Int64.max / 6 * 6 - 6))
  }

  @Test(
    "Choices, and errors beside them, equal those of the plan",
    arguments: [
      ("value / 0 == 1 || value == 4", Value.bool(true)), ("value == 4 || value / 0 == 1", true),
      ("value / 0 == 1 && value == 5", false), ("value == 4 ? value : value / 0", 4),
      ("!(value / 0 == 1 && value == 5)", true), ("cel.bind(x, value * 2, x + x)", 16),
      ("cel.bind(x, value * 2, [x].map(y, y + x)[0] + x)", 24), ("double(value) / 8.0", 0.5),
      ("int(value / 3 + 0)", 1), ("math.abs(-value) + 1", 5), ("-(value) % 3", -1), ("5 - value", 1),
      ("value < 5 && value > 3 && value != 9", true), ("3 > value || 4 <= value", true),
    ])
  func choicesErrorsBeside(text: String, expected: Value) throws {
    for type in [CELType.int, .dyn] {
      let frame = try frame(text, type, likely: .int)
      #expect(try frame.result(4) == expected)
    }
  }

  @Test("A cell of another type than it was made for keeps to the generic half until it fits")
  func cellAnotherType() throws {
    let frame = try frame { builder in
      let value = builder.input(.dyn, likely: .int)
      let sum = builder.cell(0, .int)
      let next = try builder.add("acc + value", in: ExpressionEnvironment(), binding: ["value": value, "acc": sum])
      builder.store(next, in: sum)
      builder.emit(next)
    }
    let sums = try [1, 0.5, 2].map { try frame.result($0) }
    #expect(sums == [1, 1.5, 3.5])
    #expect(frame.isGeneric)
    #expect(frame.error(for: "a")?.site == 0)
  }

  @Test("A failure has its site and the computed value")
  func failureSiteComputed() throws {
    var tripled: Operand?
    let frame = try frame { builder in
      let value = builder.input(.int)
      let result = try builder.add("value * 3", binding: ["value": value], site: 7)
      tripled = result
      builder.emit(try builder.add("10 / (value - 6)", binding: ["value": result], site: 9))
    }
    let failure = frame.error(for: 2)
    #expect(failure?.site == 9)
    #expect(tripled.map(frame.value(of:)) == 6)
    guard case .evaluation(let error) = failure?.reason else { return }
    #expect(error.code == .divisionByZero)
    #expect(error.range == 0..<15)
  }

  @Test("A value that is not a bool, and one that nests too deeply, fails")
  func valueBoolOne() throws {
    let filter = try frame { builder in
      let value = builder.input()
      let dropped = builder.label()
      builder.branch(unless: try builder.add("value.k", binding: ["value": value], site: 3), to: dropped)
      builder.emit(value)
      builder.place(dropped)
      builder.end()
    }
    #expect(try filter.result(["k": true]) == ["k": true])
    #expect(try filter.result(["k": false]) == nil)
    #expect(filter.error(for: ["k": 1]) == ProgramFailure(.noBool(1), site: 3))

    let nesting = try frame { builder in
      let value = builder.input()
      let (index, cell) = (builder.cell(0, .int), builder.cell([]))
      let next = try builder.add("[acc, value]", binding: ["acc": cell, "value": value])
      builder.limitDepth(of: next, to: 20, every: index)
      builder.store(next, in: cell)
      builder.count(index)
      builder.end()
    }
    for _ in 0..<31 { _ = try nesting.run(1) }
    #expect(nesting.error(for: 1) == ProgramFailure(.tooDeep(20), site: 0))
  }

  @Test("Null is dropped if configured")
  func nullDroppedIf() throws {
    let frame = try frame { builder in
      let value = builder.input()
      let dropped = builder.label()
      let half = try builder.add("value % 2 == 0 ? dyn(value / 2) : null", binding: ["value": value])
      builder.branch(ifNull: half, to: dropped)
      builder.emit(half)
      builder.place(dropped)
      builder.end(isLast: true)
    }
    #expect(try frame.result(4) == 2)
    #expect(try frame.run(3) == .finished)
  }

  @Test("Values are compared as expressions compare them")
  func valuesComparedExpressions() throws {
    let frame = try frame { builder in
      let value = builder.input()
      let previous = builder.cell(.null)
      let isSame = builder.equal(value, previous)
      builder.store(value, in: previous)
      builder.emit(isSame)
    }
    let results = try [1, 1.0, "a", "a", [1], [1], ["k": 1], .double(.nan), .double(.nan)].map { try frame.result($0) }
    #expect(results == [false, true, false, true, false, true, false, false, false])
  }

  @Test("Cells can be saved and loaded")
  func cellsCanSaved() throws {
    var sum: Operand?
    let program = { (builder: inout ProgramBuilder) in
      let value = builder.input(.int)
      let cell = builder.cell(0, .int)
      sum = cell
      builder.store(try builder.add("acc + value", binding: ["acc": cell, "value": value]), in: cell)
      builder.emit(cell)
    }
    let (first, second) = (try frame(program), try frame(program))
    _ = try first.run(5)
    let cell = try #require(sum)
    second.set(first.value(of: cell), of: cell)
    #expect(try second.result(1) == 6)
  }
}
