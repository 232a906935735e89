import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `distinct` beyond its examples and the laws.
@Suite struct DistinctTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Numbers that are equal are one value to distinct, in lists and maps too; NaN comes once")
  func distinctNumbers() throws {
    let items = ["1", "1.0", "[1]", "[1.0]", #"{"a": [2]}"#, #"{"a": [2.0]}"#, "true", #""1""#]
    let stream = items.map { #"{"value": \#($0)}"# }.joined(separator: ", ")
    let events = try run(#"{"stream": [\#(stream)], "operators": [{"distinct": {}}]}"#)
    let nans = try run(
      #"{\#(source), "operators": [{"map": {"expression": "0.0 / 0.0"}}, {"distinct": {}}, {"count": {}}]}"#)
    #expect(events == ["1@0", "[1]@0", #"{"a":[2]}@0"#, "true@0", #""1"@0"#, "|@0"])
    #expect(nans == ["1@0", "|@0"])
  }

  @Test("With 'seconds' a snapshot has only the values that are remembered, and a change of the file keeps them")
  func forgets() throws {
    func version(_ fields: String) throws -> StreamVersion {
      try StreamVersion(
        StreamModel(
          parsing:
            #"{"inputs": {"a": {}}, "source": {"input": {"name": "a"}}, "operators": [{"distinct": {\#(fields)}}]}"#))
    }
    func publishes(_ value: Int64, at seconds: Double, _ execution: Execution) -> Bool {
      execution.send(.int(value), to: 0, at: StreamTime(seconds: seconds))
      var found = false
      while let event = execution.next() { if case .value = event { found = true } }
      return found
    }
    let old = try version(#""seconds": 10"#)
    let execution = Execution(old.pipeline)
    execution.request(.unlimited)
    for second in 1...1_000 { #expect(publishes(Int64(second), at: Double(second), execution)) }
    let snapshot = try execution.snapshot()
    #expect(JSONWriter.compact(try ValueEncoder().encode(snapshot)).utf8.count < 4_000)
    // A repeat does not extend the time.
    #expect(!publishes(1_000, at: 1_009, execution))
    #expect(publishes(1_000, at: 1_010, execution))
    for (fields, isForgotten) in [("", false), (#""seconds": 20"#, false), (#""seconds": 12"#, true)] {
      let new = try version(fields)
      let swapped = try Execution(new.pipeline, restoring: StreamSwap(of: snapshot, from: old, to: new).snapshot)
      #expect(publishes(1_000, at: 1_015, swapped) == isForgotten, "\(fields)")
    }
    let endless = try version("")
    let first = Execution(endless.pipeline)
    first.request(.unlimited)
    #expect(publishes(7, at: 1, first))
    // Values that have no time count as published with the next value.
    let timed = try Execution(
      old.pipeline, restoring: StreamSwap(of: first.snapshot(), from: endless, to: old).snapshot)
    #expect(!publishes(7, at: 100, timed))
    #expect(publishes(7, at: 110, timed))
  }
}
