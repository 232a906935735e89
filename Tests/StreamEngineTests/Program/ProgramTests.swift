import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

@Suite struct Programs {
  /// map `× 3`, filter even, scan `+`.
  static func sums(_ builder: inout ProgramBuilder, _ type: CELType, likely: CELType? = nil) throws {
    let value = builder.input(type, likely: likely)
    let sum = builder.cell(0, .int)
    let dropped = builder.label()
    let tripled = try builder.add("value * 3", binding: ["value": value])
    builder.branch(unless: try builder.add("value % 2 == 0", binding: ["value": tripled]), to: dropped)
    let next = try builder.add("acc + value", binding: ["value": tripled, "acc": sum])
    builder.store(next, in: sum)
    builder.emit(next)
    builder.place(dropped)
    builder.end()
  }

  @Test("A run of operators is a few instructions")
  func runOperatorsFew() throws {
    let frame = try frame { try Self.sums(&$0, .int) }
    #expect(frame.typedOpcodes == [.multiplyIntK, .branchUnlessMultiple, .addInt, .emit, .end])
    let results = try [1, 2, 3, 4].map { try frame.result($0) }
    #expect(results == [nil, 6, nil, 18])
  }

  @Test("An expression on every path is computed once")
  func expressionEveryPath() throws {
    let frame = try frame { builder in
      let value = builder.input(.int)
      let dropped = builder.label()
      let isLarge = try builder.add("value * value > 10", binding: ["value": value])
      builder.branch(unless: isLarge, to: dropped)
      builder.emit(try builder.add("value * value + 1", binding: ["value": value]))
      builder.place(dropped)
      builder.emit(try builder.add("value * value - 1", binding: ["value": value]))
    }
    #expect(frame.typedOpcodes.count { $0 == .multiplyInt } == 1)
    let results = try [3, 4].map { try frame.result($0) }
    #expect(results == [8, 17])
  }

  @Test("An expression on one path only is computed again")
  func expressionOnePath() throws {
    let frame = try frame { builder in
      let value = builder.input(.int)
      let cell = builder.cell(0, .int)
      let skipped = builder.label()
      builder.branch(unless: try builder.add("value > 2", binding: ["value": value]), to: skipped)
      builder.store(try builder.add("value * value", binding: ["value": value]), in: cell)
      builder.place(skipped)
      builder.emit(try builder.add("value * value + acc", binding: ["value": value, "acc": cell]))
    }
    let results = try [2, 3, 1].map { try frame.result($0) }
    #expect(results == [4, 18, 10])
  }

  @Test("A value stored twice is in both cells")
  func valueStoredTwice() throws {
    var cells: [Operand] = []
    let frame = try frame { builder in
      let value = builder.input(.int)
      let (sum, newest) = (builder.cell(0, .int), builder.cell(0, .int))
      let next = try builder.add("acc + value", binding: ["value": value, "acc": sum])
      builder.store(next, in: sum)
      builder.store(next, in: newest)
      builder.end()
      cells = [sum, newest]
    }
    for value in [1, 2, 3] as [Value] { _ = try frame.run(value) }
    let contents = cells.map(frame.value(of:))
    #expect(contents == [6, 6])
  }

  @Test("Runs continue until one has a result")
  func runsContinueUntil() throws {
    let frame = try frame { try Self.sums(&$0, .dyn, likely: .int) }
    let first = frame.run(from: 1, by: 1, count: 10)
    let second = frame.run(from: 3, by: 1, count: 1)
    let values = ([3, 5, 2.0, 4] as [Value]).withUnsafeBufferPointer { frame.run($0) }
    let last = frame.output
    let failing = (["a", 1] as [Value]).withUnsafeBufferPointer { frame.run($0) }
    #expect(first.consumed == 2 && first.outcome == .emitted)
    #expect(second.consumed == 1 && second.outcome == .dropped)
    #expect(values.consumed == 3 && values.outcome == .emitted)
    #expect(last == 12.0)
    #expect(failing.consumed == 1 && failing.failure != nil)
  }

  @Test("The old value of a cell does not change")
  func oldValueCell() throws {
    let frame = try frame { builder in
      let value = builder.input(.int)
      let cell = builder.cell(0, .int)
      let before = try builder.add("acc", binding: ["acc": cell])
      let doubled = try builder.add("acc * 2", binding: ["acc": cell])
      builder.store(value, in: cell)
      let after = try builder.add("acc * 2", binding: ["acc": cell])
      builder.emit(try builder.add("[a, b, c]", binding: ["a": before, "b": doubled, "c": after]))
    }
    let results = try [5, 7].map { try frame.result($0) }
    #expect(results == [[0, 0, 10], [5, 10, 14]])
  }

  @Test("Constants are folded across expressions")
  func constantsFoldedAcross() throws {
    let frame = try frame { builder in
      let value = builder.input(.int)
      let limit = builder.constant(20)
      let half = try builder.add("limit / 2", binding: ["limit": limit])
      builder.emit(try builder.add("value + half * 3", binding: ["value": value, "half": half]))
    }
    #expect(frame.typedOpcodes == [.addIntK, .emit])
    #expect(try frame.result(1) == 31)
  }

  @Test("An expression that runs as its plan is shared")
  func expressionRunsPlan() throws {
    let frame = try frame { builder in
      let value = builder.input(.string)
      let dropped = builder.label()
      let isLong = try builder.add("size(value.upperAscii()) > 2", binding: ["value": value])
      builder.branch(unless: isLong, to: dropped)
      builder.emit(try builder.add("value.upperAscii() + '!'", binding: ["value": value]))
      builder.place(dropped)
      builder.emit(try builder.add("size(value.upperAscii()) + 1", binding: ["value": value]))
    }
    #expect(frame.typedOpcodes.count { $0 == .callInt } == 1)
    let results = try ["ab", "abc"].map { try frame.result(.string($0)) }
    #expect(results == [3, "ABC!"])
  }

  @Test("Fields are found by the record's shape")
  func fieldsFoundRecords() throws {
    let type = CELType.record([RecordField("x", .double), RecordField("y", .int)])
    let frame = try frame("value.x > 1.0 && has(value.y) ? value.x * 2.0 : 0.0", type)
    let results = try [
      ["x": 1.5, "y": 1], ["y": 2, "x": 2.5], ["x": 4, "y": 1], ["x": 9.0], ["x": 0.5, "y": 1],
    ].map { try frame.result($0) }
    #expect(results == [3.0, 5.0, 8.0, 0.0, 0.0])
    #expect(frame.leaveCount == 0)
    let missing = EvaluationError(.noSuchKey, "there is no field 'x'", range: 0..<7)
    #expect(frame.error(for: ["y": 1])?.reason == .evaluation(missing))
  }

  @Test("A program without an input runs")
  func programWithoutInput() throws {
    let frame = try frame { builder in
      let cell = builder.cell(0, .int)
      builder.count(cell)
      builder.emit(cell, isLast: true)
    }
    let first = try frame.run()
    #expect(first == .emittedLast)
    #expect(frame.output == 1)
  }
}
