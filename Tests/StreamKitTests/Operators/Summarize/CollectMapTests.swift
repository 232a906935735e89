import StreamKit
import TestSupport
import Testing

/// `collectMap` beyond its examples and the laws.
@Suite struct CollectMapTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Keys that are equal are one key; the last value counts, at the first one's place")
  func keys() throws {
    let events = try run(
      #"{\#(source), "operators": [{"collectMap": {"key": "value == 3 ? dyn(1u) : dyn(value % 2)"}}]}"#)
    #expect(events == [#"{"1":3,"0":4}@0"#, "|@0"])
  }

  @Test("With several values under a key the limit counts values, else keys")
  func keyLimits() throws {
    let keys = try run(#"{\#(source), "operators": [{"collectMap": {"key": "value % 2", "limit": 2}}]}"#)
    let values = try run(
      #"{\#(source), "operators": [{"collectMap": {"key": "value % 2", "multiple": true, "limit": 3}}]}"#)
    #expect(keys == [#"{"1":3,"0":4}@0"#, "|@0"])
    #expect(values == ["#S409@0"])
  }
}
