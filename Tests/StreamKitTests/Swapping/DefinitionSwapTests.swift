import StreamCore
import StreamKit
import TestSupport
import Testing

/// Definitions and parameters when a running stream becomes another one.
@Suite struct DefinitionSwapTests {
  private static let sums = #"""
    {"parameters": {"start": {"type": "int", "default": 0}},
     "definitions": {"sum": {"parameters": {"from": {"type": "int"}}, "operators": [
       {"scan": {"initialValue": {"parameter": "from"}, "expression": "acc + value"}},
       {"map": {"expression": "value * 1"}}]}},
     "inputs": {"a": {}}, "source": {"input": {"name": "a"}},
     "operators": [APPLIED, {"scan": {"initialValue": {"parameter": "start"}, "expression": "acc + 1"}},
       {"scan": {"initialValue": 0, "expression": "acc + value"}}]}
    """#

  private static func file(_ applied: String) -> String { sums.replacing("APPLIED", with: applied) }
  private static let file = file(#"{"apply": {"definition": "sum", "from": {"parameter": "start"}}}"#)

  /// Totals of 1, 2 and 3, before the swap: the sums, their number, and its sum.
  private func run() throws -> SwapRun {
    var run = try SwapRun(Self.file)
    for value in 1...3 { run.send(.int(Int64(value))) }
    #expect(run.take() == ["1@0", "3@0", "6@0"])
    return run
  }

  @Test("An operator of a definition that is unchanged keeps its state")
  func changedNeighbor() throws {
    var run = try run()
    try run.swap(Self.file.replacing("value * 1", with: "value * 10"))
    run.send(4)
    #expect(run.take() == ["10@0"])
    #expect(run.report.hasPrefix("kept"), "\(run.report)")
  }

  @Test("A changed default resets the operators whose state depends on it, and no others")
  func changedParameter() throws {
    var run = try run()
    try run.swap(Self.file.replacing(#""default": 0"#, with: #""default": 100"#))
    run.send(4)
    // The second scan counts from 100; the third one has kept 6.
    #expect(run.take() == ["107@0"])
  }

  @Test("A changed argument resets the operators of this application alone")
  func changedArgument() throws {
    let twice = #"{"apply": {"definition": "sum", "from": 0}}, {"apply": {"definition": "sum", "from": SECOND}}"#
    let before =
      #"{"definitions": {"sum": {"parameters": {"from": {"type": "int"}}, "operators": [{"scan": {"initialValue": {"parameter": "from"}, "expression": "acc + value"}}]}}, "inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [APPLIED]}"#
      .replacing("APPLIED", with: twice)
    var run = try SwapRun(before.replacing("SECOND", with: "0"))
    for value in 1...3 { run.send(.int(Int64(value))) }
    #expect(run.take() == ["1@0", "4@0", "10@0"])
    try run.swap(before.replacing("SECOND", with: "1000"))
    run.send(4)
    #expect(run.take() == ["1010@0"])
  }

  @Test("A removed application takes its own state away, not that of another")
  func removedApplication() throws {
    let two = #"{"apply": {"definition": "sum", "from": 0}}, {"apply": {"definition": "sum", "from": 0}}"#
    let before = Self.file(two)
    var run = try SwapRun(before)
    for value in 1...3 { run.send(.int(Int64(value))) }
    _ = run.take()
    // The sums are 6 and 10; the first application stays, with its 6.
    try run.swap(
      #"""
      {"definitions": {"sum": {"parameters": {"from": {"type": "int"}}, "operators": [
       {"scan": {"initialValue": {"parameter": "from"}, "expression": "acc + value"}},
       {"map": {"expression": "value * 1"}}]}},
       "inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [{"apply": {"definition": "sum", "from": 0}}]}
      """#)
    run.send(4)
    #expect(run.take() == ["10@0"])
  }
}
