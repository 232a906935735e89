import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// The Swift of the page on swapping.
@Suite struct SwappingPageTests {
  @Test("A snapshot of the old version goes in, one of the new version comes out")
  func swaps() throws {
    let total = #"{"id": "total", "scan": {"initialValue": 0, "expression": "acc + value"}}"#
    let model = try stream(fed(total)).model
    let changed = try stream(fed(#"\#(total), {"map": {"expression": "-value"}}"#)).model

    let old = try StreamVersion(model)
    let execution = Execution(old.pipeline)
    execution.request(.unlimited)
    execution.send(20, to: 0, at: .zero)

    #expect(execution.next() == .value(20))
    let new = try StreamVersion(changed)
    let swap = try StreamSwap(of: execution.snapshot(), from: old, to: new)
    let next = try Execution(new.pipeline, restoring: swap.snapshot)

    next.send(1, to: 0, at: .zero)
    #expect(next.next() == .value(-21))
    #expect(swap.report.description == "kept #total; 1 operator is new")
  }
}
