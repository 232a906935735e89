import StreamCore
import Testing

@testable import CEL

/// Which sides of `?:`, `&&` and `||` have been taken.
@Suite struct BranchRecorderTests {
  /// The text of each branch, a `+` in front where it was taken.
  private func branches(_ text: String, over values: [Int64]) throws -> [String] {
    let recorder = BranchRecorder()
    var environment = ExpressionEnvironment(variables: [Variable("x", .int)])
    environment.branches = recorder
    let plan = try CELExpression(text).plan(in: environment)
    let activation = Activation(slotCount: 1)
    for value in values {
      activation.set(.int(value), at: 0)
      _ = try? plan.evaluate(activation)
    }
    return recorder.branches.map { branch, isTaken in
      let side = text.utf8.dropFirst(branch.range.lowerBound).prefix(branch.range.count)
      return (isTaken ? "+" : "-") + String(decoding: side, as: UTF8.self)
    }
  }

  static let cases: [(String, [Int64], [String])] = [
    ("x > 0 ? 1 : 2", [], ["-1", "-2"]),
    ("x > 0 ? 1 : 2", [1], ["+1", "-2"]),
    ("x > 0 ? 1 : 2", [1, -1], ["+1", "+2"]),
    ("x > 0 ? 1.5 : 2.5", [-1], ["-1.5", "+2.5"]),
    ("x > 0 ? true : x == 0", [0], ["-true", "+x == 0"]),
    ("x > 0 && x < 9", [-1], ["+x > 0", "-x < 9"]),
    ("x > 0 && x < 9", [1], ["-x > 0", "+x < 9"]),
    ("x > 0 || x < -9", [1], ["+x > 0", "-x < -9"]),
    ("x > 0 || x < -9", [0, 1], ["+x > 0", "+x < -9"]),
    ("(x > 0) && (1 / x > 0) || x == 0", [0], ["+x > 0", "-1 / x > 0", "-(x > 0) && (1 / x > 0)", "+x == 0"]),
    ("1 / x > 0 && x > 1", [0], ["-1 / x > 0", "+x > 1"]),
    ("[x].all(e, e > 0 && e < 9) ? 1 : 2", [1], ["-e > 0", "+e < 9", "+1", "-2"]),
    ("[x].exists(e, e > 0)", [1], []),
    ("has({'a': x}.a)", [1], []),
    ("x", [1], []),
  ]

  @Test("A branch counts as taken when its side is evaluated", arguments: cases)
  func branchCountsTaken(text: String, values: [Int64], expected: [String]) throws {
    let found = try branches(text, over: values)
    // An expression in parentheses may be reported with or without them.
    #expect(found.map { $0.filter { $0 != "(" && $0 != ")" } } == expected.map { $0.filter { $0 != "(" && $0 != ")" } })
  }

  @Test("Recording does not change the result", arguments: cases.map(\.0))
  func recordingDoesChange(text: String) throws {
    var environment = ExpressionEnvironment(variables: [Variable("x", .int)])
    let plain = try CELExpression(text).plan(in: environment)
    environment.branches = BranchRecorder()
    let recorded = try CELExpression(text).plan(in: environment)
    for value: Int64 in -3...10 {
      let activation = Activation(slotCount: 1)
      activation.set(.int(value), at: 0)
      let expected = Result { () throws(EvaluationError) in try plain.evaluate(activation) }
      let actual = Result { () throws(EvaluationError) in try recorded.evaluate(activation) }
      #expect((try? actual.get()) == (try? expected.get()))
    }
  }

  @Test("An expression that is planned again keeps its branches")
  func expressionPlannedAgain() throws {
    let recorder = BranchRecorder()
    var environment = ExpressionEnvironment(variables: [Variable("x", .int)])
    environment.branches = recorder
    for value: Int64 in [1, -1] {
      let activation = Activation(slotCount: 1)
      activation.set(.int(value), at: 0)
      _ = try CELExpression("x > 0 ? 1 : 2").plan(in: environment).evaluate(activation)
    }
    #expect(recorder.branches.map(\.isTaken) == [true, true])
  }
}
