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
}
