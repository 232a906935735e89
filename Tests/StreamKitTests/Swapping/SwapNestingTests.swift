import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// Streams within streams, shared streams, named streams and other files when a running stream becomes another one.
@Suite struct SwapNestingTests {
  private static let inner = #"""
    {"id": "each", "flatMap": {"stream": {"source": {"timer": {"every": 0.01, "count": 3}},
      "operators": [{"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"map": {"expression": "outer * 10 + value"}}]}}}
    """#

  @Test("Streams that were started for values go on, with what is unchanged in them")
  func inside() throws {
    var run = try SwapRun(fed(Self.inner))
    run.send(1)
    run.advance(5)
    run.send(2)
    run.advance(12)
    #expect(run.take() == ["11@10"])
    try run.swap(fed(Self.inner.replacing("* 10", with: "* 100")))
    #expect(
      run.report == "kept #each, 2 others" || run.report == "kept #each and 2 others", "\(run.report)")
    run.advance(22)
    #expect(run.take() == ["201@15", "102@20"])
    try run.swap(
      fed(Self.inner.replacing("initialValue\": 0", with: "initialValue\": 50").replacing("* 10", with: "* 100")))
    run.advance(100)
    #expect(run.take() == ["251@25", "151@30", "252@35"])
    run.send(3)
    run.advance(200)
    #expect(run.take() == ["351@110", "352@120", "353@130"])
  }

  @Test("Groups go on with what they are fed")
  func groups() throws {
    let groups = #"""
      {"groupBy": {"key": "value % 2", "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}LAST]}}
      """#
    var run = try SwapRun(fed(groups.replacing("LAST", with: "")))
    for value in 1...4 { run.send(.int(Int64(value))) }
    #expect(run.take() == ["1@0", "2@0", "4@0", "6@0"])
    try run.swap(fed(groups.replacing("LAST", with: #", {"map": {"expression": "[key, value]"}}"#)))
    run.send(5)
    run.send(6)
    #expect(run.take() == ["[1,9]@0", "[0,12]@0"])
    try run.swap(fed(groups.replacing("LAST", with: "").replacing("% 2", with: "% 3")))
    run.send(7)
    #expect(run.take() == ["7@0"])
    #expect(run.report == "operator 1 (groupBy) is reset: its 'key' changed", "\(run.report)")
  }

  private static let shared = #"""
    {"streams": {"ticks": {"source": {"timer": {"every": 0.01}}, "operators": [BEFORE{"share": {}}]}},
     "source": {"stream": {"name": "ticks"}},
     "operators": [{"merge": {"with": ["ticks"]}}AFTER]}
    """#

  @Test("A shared stream stays one subscription")
  func share() throws {
    let plain = Self.shared.replacing("BEFORE", with: "")
    var run = try SwapRun(plain.replacing("AFTER", with: ""))
    run.advance(25)
    #expect(run.take() == ["0@10", "0@10", "1@20", "1@20"])
    try run.swap(plain.replacing("AFTER", with: #", {"map": {"expression": "value * 10"}}"#))
    run.advance(32)
    #expect(run.take() == ["20@30", "20@30"])
    let before = #"{"map": {"expression": "value + 100"}}, "#
    try run.swap(Self.shared.replacing("BEFORE", with: before).replacing("AFTER", with: ""))
    run.advance(42)
    #expect(run.take() == ["103@40", "103@40"])
    #expect(run.execution.stageCount <= 7, "\(run.execution.stageCount)")
    // Without `share` each has its own, from the beginning.
    let alone = plain.replacing(#"{"share": {}}"#, with: "").replacing("AFTER", with: "")
    try run.swap(alone)
    run.advance(53)
    #expect(run.take() == ["0@52", "0@52"])
  }

  @Test("Streams that are shared within groups go on in time in proportion to their number")
  func sharedInGroups() throws {
    let file = fed(
      #"{"groupBy": {"key": "value", "operators": [{"share": {}}, {"scan": {"initialValue": 0, "expression": "acc + 1"}}]}}"#
    )
    let changed = file.replacing("acc + 1", with: "acc + 2")
    let old = try StreamVersion(stream(file), CompileOptions())
    let new = try StreamVersion(stream(changed), CompileOptions())
    let exponent = try Growth.exponent(
      around: 2_000,
      preparing: { (count: Int) throws -> Snapshot in
        let execution = Execution(old.pipeline)
        execution.request(.unlimited)
        for key in 0..<count {
          execution.send(.int(Int64(key)), to: 0, at: .zero)
          while execution.next() != nil {}
        }
        return try execution.snapshot()
      }
    ) { snapshot in
      let swap = try StreamSwap(of: snapshot, from: old, to: new)
      try #require(swap.report.description.hasPrefix("kept ") && !swap.report.description.contains("is reset"))
    }
    #expect(exponent < 1.5)
    var run = try SwapRun(file)
    for key in [1, 2, 1] { run.send(.int(Int64(key))) }
    #expect(run.take() == ["1@0", "1@0", "2@0"])
    let count = run.execution.stageCount
    try run.swap(changed)
    #expect(run.execution.stageCount == count)
    for key in [1, 2, 3] { run.send(.int(Int64(key))) }
    #expect(run.take() == ["4@0", "3@0", "2@0"])
  }

  @Test("A renamed stream that is otherwise the same continues")
  func named() throws {
    let file = #"""
      {"inputs": {"a": {}}, "streams": {"sum": {"source": {"input": {"name": "a"}},
        "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}]}},
       "source": {"stream": {"name": "sum"}}, "operators": [{"enumerated": {}}]}
      """#
    var run = try SwapRun(file)
    run.send(5)
    _ = run.take()
    try run.swap(file.replacing("acc + value", with: "acc + value * 2"))
    run.send(1)
    #expect(run.take() == [#"{"index":1,"value":7}@0"#])
    #expect(run.report == "kept operator 1 (enumerated) and 1 other")
  }

  @Test("A stream of another file continues with its unchanged parts")
  func files() throws {
    let main = #"{"source": {"stream": {"file": "part.json"}}, "operators": [{"enumerated": {}}]}"#
    let part = #"""
      {"source": {"timer": {"every": 0.01}}, "operators": [{"scan": {"initialValue": 0, "expression": "acc + value"}}LAST]}
      """#
    var run = try SwapRun(main, loader: FilesInMemory(files: ["part.json": part.replacing("LAST", with: "")]))
    run.advance(35)
    _ = run.take()
    let changed = part.replacing("LAST", with: #", {"map": {"expression": "value * 100"}}"#)
    try run.swap(main, loader: FilesInMemory(files: ["part.json": changed]))
    #expect(run.report == "kept operator 1 (enumerated) and 2 others; 1 operator is new")
    run.advance(42)
    #expect(run.take() == [#"{"index":3,"value":600}@40"#])
    try run.swap(main, loader: FilesInMemory(files: ["part.json": changed.replacing("Value\": 0", with: "Value\": 1")]))
    #expect(run.report.contains("part.json: operator 1 (scan) is reset: its 'initialValue' changed"))
  }

  @Test("An operator with other streams starts again; one whose stream changes within continues")
  func joins() throws {
    let zip = #"""
      {"inputs": {"a": {}, "b": {}}, "source": {"input": {"name": "a"}}, "operators": [{"zip": {"with": [WITH]}}]}
      """#
    var run = try SwapRun(zip.replacing("WITH", with: #"{"source": {"input": {"name": "b"}}}"#))
    run.send(1)
    run.send(2)
    let mapped = #"{"source": {"input": {"name": "b"}}, "operators": [{"map": {"expression": "value * 10"}}]}"#
    try run.swap(zip.replacing("WITH", with: mapped))
    run.send(1, to: "b")
    run.send(2, to: "b")
    #expect(run.take() == ["[1,10]@0", "[2,20]@0"])
    run.send(3)
    try run.swap(zip.replacing("WITH", with: "\"b\""))
    #expect(run.report == "operator 1 (zip) is reset: its streams changed")
    run.send(7, to: "b")
    #expect(run.take() == [])
    run.send(4)
    #expect(run.take() == ["[4,7]@0"])
  }
}
