import StreamKit
import TestSupport
import Testing

/// `zip` beyond its examples and the laws.
@Suite struct ZipTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("`zip` finishes as soon as no further pair is possible")
  func zipEnds() throws {
    let other = #"{"source": {"record": {"events": [{"at": 0.01, "value": 9}, {"at": 0.02, "value": 8}]}}}"#
    let heard = try recorded("1@0 |@0", "{\"zip\": {\"with\": [\(other)]}}")
    #expect(heard == "[1,9]@10 |@10")
  }

  @Test("`zip` publishes as many tuples as requested")
  func demand() throws {
    let texts = try answers(
      #"{\#(source), "operators": [{"zip": {"with": [{"stream": [{"value": "a"}, {"value": "b"}]}]}}]}"#, [1, 1])
    #expect(texts == [[#"[1,"a"]"#], [#"[2,"b"]"#, "|"]])
  }
}
