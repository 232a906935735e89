import StreamKit
import TestSupport
import Testing

/// `sequence` beyond its examples and the laws.
@Suite struct SequenceTests {
  @Test("A computed sequence is evaluated once for each subscription, and must give a list")
  func computed() throws {
    let texts = try run(
      #"{"source": {"sequence": {"expression": "dyn([1, null, 'x'])"}}, "operators": [{"append": {"with": [{"source": {"sequence": {"expression": "dyn(1)"}}}]}}]}"#
    )
    #expect(texts == ["1@0", "null@0", "\"x\"@0", "#S408@0"])
  }
}
