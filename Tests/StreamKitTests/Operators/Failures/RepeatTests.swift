import StreamKit
import TestSupport
import Testing

/// `repeat` beyond its examples and the laws.
@Suite struct RepeatTests {
  private func cold(_ diagram: String, _ operators: String) -> String {
    #"{"source": {"marbles": {"diagram": "\#(diagram)"}}, "operators": [\#(operators)]}"#
  }

  @Test("A repeated stream counts its runs, and gets the unmet demand")
  func repeats() throws {
    let json = #"{"stream": [{"value": 1}, {"value": 2}], "operators": [{"repeat": {"count": 3}}]}"#
    let texts = try answers(json, [1, 2, 2, 5])
    #expect(texts == [["1"], ["2", "1"], ["2", "1"], ["2", "|"]])
  }

  @Test("A stream that knows the attempt says when the next run begins")
  func repeatPacedByStream() throws {
    let texts = try run(
      cold(
        "a|",
        #"""
        {"repeat": {"stream": {"source": {"just": {"expression": "attempt"}},
                               "operators": [{"filter": {"expression": "value < 3"}}, {"delay": {"seconds": 0.01}}]}}}
        """#))
    #expect(texts == ["\"a\"@0", "\"a\"@11", "\"a\"@22", "|@33"])
  }

  @Test("An endless repetition with values publishes on demand, in bounded memory")
  func endlessValues() throws {
    let json =
      #"{"stream": [{"value": 1}], "operators": [{"repeat": {}}, {"prefix": {"count": 30000}}, {"count": {}}]}"#
    let texts = try run(json)
    #expect(texts == ["30000@0", "|@0"])
  }
}
