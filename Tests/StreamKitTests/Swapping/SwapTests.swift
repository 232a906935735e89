import StreamCore
import StreamEditing
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// The state that a running stream keeps when it continues as another version.
@Suite struct SwapTests {
  private static let total = #"{"scan": {"initialValue": 0, "expression": "acc + value"}}"#
  private static let namedTotal = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#
  private static let changes = #"{"id": "n", "removeDuplicates": {}}"#
  private static let plusOne = #"{"map": {"expression": "value + 1"}}"#

  /// Sends 1 and 2, swaps, and sends 10; returns the last events and the report of the swap.
  private func swap(_ old: String, _ new: String) throws -> (last: [String], report: String) {
    var run = try SwapRun(old)
    run.send(1)
    run.send(2)
    _ = run.take()
    try run.swap(new)
    run.send(10)
    return (run.take(), run.report)
  }

  @Test("An operator that stays keeps its state; one that keeps nothing comes before it, or behind")
  func beside() throws {
    let before = try swap(fed(Self.total), fed("\(Self.plusOne), \(Self.total)"))
    #expect(before.last == ["14@0"])
    #expect(before.report == "kept operator 2 (scan); 1 operator is new")
    let behind = try swap(fed(Self.total), fed("\(Self.total), \(Self.plusOne)"))
    #expect(behind.last == ["14@0"])
    let gone = try swap(fed("\(Self.plusOne), \(Self.total)"), fed(Self.total))
    #expect(gone.last == ["15@0"])
    #expect(gone.report == "kept operator 1 (scan)")
  }

  @Test("An operator with an ID is found wherever it is; without one it starts again")
  func moved() throws {
    let named = try swap(
      fed("\(Self.namedTotal), \(Self.plusOne)"), fed("\(Self.plusOne), \(Self.namedTotal)"))
    #expect(named.last == ["14@0"])
    #expect(named.report == "kept #total")
    let nameless = try swap(
      fed(#"\#(Self.total), {"enumerated": {}}, {"map": {"expression": "value.value"}}"#),
      fed(#"{"enumerated": {}}, {"map": {"expression": "value.value"}}, \#(Self.total)"#))
    #expect(nameless.last == ["10@0"])
    #expect(
      nameless.report
        == "kept operator 1 (enumerated); operator 3 (scan) is reset: it was moved and has no id")
  }

  @Test("A changed field that leaves what is kept its meaning keeps it; another one does not")
  func fields() throws {
    let expression = try swap(fed(Self.total), fed(Self.total.replacing("acc + value", with: "acc - value")))
    #expect(expression.last == ["-7@0"])
    #expect(expression.report == "kept operator 1 (scan)")
    let start = try swap(fed(Self.total), fed(Self.total.replacing("Value\": 0", with: "Value\": 100")))
    #expect(start.last == ["110@0"])
    #expect(start.report == "operator 1 (scan) is reset: its 'initialValue' changed")
    let id = try swap(fed(Self.namedTotal), fed(Self.namedTotal.replacing("total", with: "sum")))
    #expect(id.last == ["10@0"])
    #expect(id.report == "#total is reset: its 'id' changed")
  }

  @Test("A removed part is reported, and its replacement has no state")
  func lost() throws {
    let removed = try swap(fed("\(Self.plusOne), \(Self.namedTotal)"), fed(Self.plusOne))
    #expect(removed.last == ["11@0"])
    #expect(removed.report == "#total is lost: it was removed")
    let other = try swap(fed(Self.total), fed(#"{"count": {}}"#))
    #expect(other.report == "operator 1 (count) is reset: another operator is at its position")
    #expect(other.last == [])
  }

  @Test("The report of a swap has the changes of the diff")
  func agreesWithDiff() throws {
    let (old, new) = (
      fed("\(Self.namedTotal), \(Self.changes), \(Self.total.replacing("acc", with: "acc + 0"))"),
      fed("\(Self.changes), \(Self.total), \(Self.plusOne)")
    )
    let diff = StreamDiff(from: try stream(old).model, to: try stream(new).model)
    var run = try SwapRun(old)
    try run.swap(new)
    for part in run.parts {
      let change = diff.changes.first { $0.oldPointer == part.oldPointer && $0.effect == .stateLost }
      #expect((part.outcome == .kept) == (change == nil), "\(part)")
    }
    #expect(run.parts.count == 3)
  }

  @Test("An input keeps its value; with another initial value, or another type, it starts again")
  func inputs() throws {
    let current = #""inputs": {"a": {"initialValue": 1}}"#
    var run = try SwapRun(fed(Self.total, current))
    run.send(5)
    #expect(run.take() == ["1@0", "6@0"])
    try run.swap(fed("\(Self.total), \(Self.plusOne)", current))
    #expect(run.take() == [])
    run.send(1)
    #expect(run.take() == ["8@0"])
    try run.swap(fed(Self.total, #""inputs": {"a": {"initialValue": 100}}"#))
    #expect(run.take() == ["107@0"])
    try run.swap(fed(Self.total, #""inputs": {"a": {"initialValue": 100, "type": "double"}}"#))
    #expect(run.take() == ["207.0@0"])
  }

  @Test("Held values of another type are treated like all values")
  func types() throws {
    let delay = #"{"delay": {"seconds": 0.01}}, {"map": {"expression": "value * 2"}}"#
    var run = try SwapRun(fed(delay, #""inputs": {"a": {"type": "int"}}"#))
    run.send(3)
    try run.swap(fed(delay, #""inputs": {"a": {"type": "double"}}"#))
    run.send(1.5)
    run.advance(20)
    #expect(run.take() == ["6.0@10", "3.0@10"])
    try run.swap(fed(delay, #""inputs": {"a": {"type": "string"}}"#).replacing("value * 2", with: "value + 'x'"))
    run.send("s")
    run.advance(40)
    #expect(run.take() == ["\"sx\"@30"])
  }

  @Test("A stream that has not begun, or has ended, is unchanged")
  func edges() throws {
    let (old, new) = (
      try StreamVersion(stream(fed(Self.total))), try StreamVersion(stream(fed("\(Self.total), \(Self.plusOne)")))
    )
    let waiting = try StreamSwap(of: Execution(old.pipeline).snapshot(), from: old, to: new)
    let execution = try Execution(new.pipeline, restoring: waiting.snapshot)
    execution.request(.unlimited)
    execution.send(1, to: 0, at: .zero)
    #expect(execution.next() == .value(2))
    var run = try SwapRun(fed(Self.total))
    run.finish()
    #expect(run.take() == ["|@0"])
    try run.swap(fed(Self.plusOne))
    #expect(run.execution.isEnded)
    #expect(run.report == "no active operator had state")
  }

  @Test("A snapshot of another stream is refused")
  func mismatch() throws {
    let (old, other) = (
      try StreamVersion(stream(fed(Self.total))), try StreamVersion(stream(#"{"stream": [{"value": 1}]}"#))
    )
    let execution = Execution(old.pipeline)
    execution.request(.unlimited)
    let snapshot = try execution.snapshot()
    #expect(throws: Diagnostics.self) { try StreamSwap(of: snapshot, from: other, to: old) }
  }
}
