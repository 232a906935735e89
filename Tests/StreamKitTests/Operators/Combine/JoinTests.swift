import StreamKit
import Testing

/// `join` beyond its examples and the laws.
@Suite struct JoinTests {
  @Test("Pairs are published as they are asked for, and none twice")
  func demand() throws {
    let json = #"""
      {"stream": [{"value": 1}, {"value": 2}],
       "operators": [{"join": {"with": [{"stream": [{"value": 10}, {"value": 20}]}], "left": {"source": {"never": {}}},
                               "right": {"source": {"never": {}}}, "expression": "left + right"}}]}
      """#
    let texts = try answers(json, [1, 1, 1, 1, 1])
    #expect(texts.joined().sorted() == ["11", "12", "21", "22", "|"])
    #expect(texts.dropLast(2).allSatisfy { $0.count == 1 })
  }
}
