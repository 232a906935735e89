import StreamKit
import TestSupport
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

  @Test("As the last stream of several it begins both of its streams before it is asked, as among the first")
  func lastOfSeveral() throws {
    // The other stream of the join is empty, so it ends before its first value could open a window, which fails.
    let join =
      #"{"source": {"just": {"value": 2}}, "operators": [{"join": {"with": [{"source": {"empty": {}}}], "left": {"source": {"fail": {"error": 7}}}, "right": {"source": {"never": {}}}}}]}"#
    let one = #"{"source": {"just": {"value": 1}}}"#
    for name in ["zip", "combineLatest"] {
      for with in ["\(join)", "\(join), \(one)"] {
        let texts = try run(
          #"{"source": {"just": {"value": 1}}, "operators": [{"\#(name)": {"with": [\#(with)]}}]}"#)
        #expect(texts == ["|@0"], "\(name) with \(with)")
      }
    }
  }
}
