import StreamCore
import StreamKit
import TestSupport
import Testing

/// `expand` beyond its examples and the laws.
@Suite struct ExpandTests {
  @Test("Expanded values come level by level, on demand")
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

  @Test("Values that wait for a running stream to end do not keep it from its end", arguments: [1, 2])
  func demandWithMaximum(maximum: Int) throws {
    let json = """
      {"stream": [{"value": [[2], [3]]}, {"value": [[20], [30], []]}], "operators": [{"expand": {
        "maxPublishers": \(maximum), "stream": {"source": {"sequence": {"expression": "outer"}},
        "operators": [{"filter": {"expression": "type(value) == list"}}]}}}]}
      """
    let texts = try answers(json, Array(repeating: 1, count: 7))
    #expect(texts.map { $0.filter { $0 != "|" }.count } == Array(repeating: 1, count: 7))
    #expect(texts.last?.last == "|")
    let expected = ["[[2],[3]]", "[2]", "[3]", "[[20],[30],[]]", "[20]", "[30]", "[]"]
    #expect(texts.joined().filter { $0 != "|" }.sorted() == expected.sorted())
    // One stream after the other, as in RxJS.
    if maximum == 1 { #expect(try answers(json, [7])[0] == Array(texts.joined())) }
  }

  @Test("An endless expansion fails at its limit, however large the values grow")
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
