import StreamCore
import StreamKit
import Testing

/// `expand` beyond its examples and the laws.
@Suite struct ExpandTests {
  @Test("What is expanded comes level by level, as it is asked for")
  func demand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 5}],
       "operators": [{"expand": {"stream": {"source": {"just": {"expression": "outer * 2"}},
                                            "operators": [{"filter": {"expression": "value < 10"}}]}}}]}
      """#
    let texts = try answers(json, [1, 1, 2, 9])
    #expect(texts.joined().sorted() == ["1", "2", "4", "5", "8", "|"])
    #expect(texts.map(\.count) == [1, 1, 2, 2])
  }

  @Test("What is expanded without an end fails at its limit, however large the values grow")
  func limits() throws {
    let number = try run(
      #"{"stream": [{"value": 1}], "operators": [{"expand": {"stream": {"source": {"just": {"expression": "outer"}}}}}, {"toResult": {}}, {"count": {}}]}"#
    )
    let nested = try run(
      #"{"stream": [{"value": 1}], "operators": [{"expand": {"stream": {"source": {"just": {"expression": "[outer]"}}}}}, {"map": {"expression": "1"}}, {"reduce": {"initialValue": 0, "expression": "acc + value"}}]}"#
    )
    #expect(number == ["10001@0", "|@0"])
    #expect(nested == ["#S409@0"])
  }
}
