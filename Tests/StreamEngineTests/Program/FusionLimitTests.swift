import CEL
import StreamCore
import Testing

@testable @_spi(Engine) import StreamEngine

@Suite struct FusionLimits {
  static let limits = ExpressionLimits(budget: 1_000)

  @Test("Each expression has the whole budget, and no more")
  func eachExpressionWhole() throws {
    let frame = try frame(limits: Self.limits) { builder in
      let value = builder.input(.list(.int))
      let most = "value.all(e, e >= 0)"
      let first = try builder.add(CELExpression("size(value) + (\(most) ? 1 : 2)"), binding: ["value": value])
      let second = try builder.add(CELExpression("size(value) + (\(most) ? 2 : 1)"), binding: ["value": value])
      builder.emit(try builder.add("a + b", binding: ["a": first, "b": second]))
    }
    let short = Value.list((0..<60).map { .int($0) })
    #expect(try frame.result(short) == 123)
    guard case .evaluation(let error) = frame.error(for: .list((0..<1000).map { .int($0) }))?.reason else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .budgetExceeded)
  }

  @Test("A shared expression is charged to each expression that needs it", arguments: [1, 2])
  func sharedExpressionCharged(times: Int) throws {
    // A search in 1,000 bytes costs some 600 steps: once is allowed, twice is not.
    let once = "size(value.replace('a', 'b'))"
    let text = Array(repeating: once, count: times).joined(separator: " + ")
    let value = Value.string(String(repeating: "c", count: 1_000))
    let plan = try CELExpression(text).plan(in: ExpressionEnvironment(variables: [Variable("value", .string)]))
    let activation = Activation(slotCount: 1, limits: Self.limits)
    activation.set(value, at: 0)
    let expected = Result { () throws(EvaluationError) in try plan.evaluate(activation) }
    let frame = try frame(limits: Self.limits) { builder in
      let value = builder.input(.string)
      _ = try builder.add(CELExpression(once), binding: ["value": value])
      builder.emit(try builder.add(CELExpression(text), binding: ["value": value]))
    }
    switch expected {
    case .success(let result): #expect(try frame.result(value) == result)
    case .failure(let error): #expect(frame.error(for: value) == ProgramFailure(.evaluation(error), site: 1))
    }
  }

  @Test("The deepest and the longest expressions are fused")
  func deepestLongestExpressions() throws {
    let deep = String(repeating: "(1 + ", count: 120) + "value" + String(repeating: ")", count: 120)
    let deepFrame = try frame(deep, .int)
    #expect(try deepFrame.result(1) == 121)
    let sums = (0..<60).map { row in
      "(" + (0..<60).map { "value * \(row * 60 + $0 + 1)" }.joined(separator: " + ") + ")"
    }
    let long = try frame(sums.joined(separator: " + "), .int)
    #expect(try long.result(1) == .int(3600 * 3601 / 2))
    #expect(long.typedOpcodes.count < 2_100)
  }

  @Test("The cost of side exits is linear in a program's length")
  func costSideExits() throws {
    func undos(_ count: Int) throws -> Int {
      let frame = try frame { builder in
        var value = builder.input(.int)
        for _ in 0..<count {
          let total = builder.cell(0, .int)
          let next = try builder.add("acc + value", binding: ["acc": total, "value": value])
          builder.store(next, in: total)
          value = next
        }
        builder.emit(value)
      }
      #expect(try frame.result(1) == 1)
      return frame.program.tables.undos.count
    }
    let (some, twice) = (try undos(100), try undos(200))
    #expect(some > 0 && twice <= 2 * some + 2)
  }

  @Test("A program says when it is full")
  func programSaysWhen() throws {
    var count = 0
    let frame = try frame { builder in
      var value = builder.input(.int)
      while builder.hasRoom {
        value = try builder.add("value + 1", binding: ["value": value])
        count += 1
      }
      builder.emit(value)
    }
    #expect(count > 2_000)
    #expect(try frame.result(0) == .int(Int64(count)))
  }

  @Test("Fused programs leave comparisons of long strings to the plan, which pays")
  func fusedProgramsLeave() throws {
    let long = String(repeating: "x", count: 40_000)
    let limits = ExpressionLimits(budget: 1000)
    let frame = try frame(limits: limits) { builder in
      let value = builder.input(.record([RecordField("a", .string), RecordField("b", .string)]))
      builder.emit(try builder.add(CELExpression("value.a == value.b"), binding: ["value": value]))
    }
    let input = Value.map(ValueMap([("a", .string(long + "1")), ("b", .string(long + "2"))]))
    guard case .evaluation(let error) = frame.error(for: input)?.reason else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .budgetExceeded)
    #expect(try frame.result(.map(ValueMap([("a", "1"), ("b", "1")]))) == true)
  }
}
