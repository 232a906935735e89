import StreamKit
import TestSupport
import Testing

/// `sequenceEqual` beyond its examples and the laws.
@Suite struct SequenceEqualTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Two streams of different lengths are not equal, whichever is longer and whichever comes first")
  func lengths() throws {
    let short = #"{"stream": [{"value": 1}]}"#
    let shorter = try run(#"{\#(source), "operators": [{"sequenceEqual": {"with": [\#(short)]}}]}"#)
    let longer = try run(#"{"stream": [{"value": 1}], "operators": [{"sequenceEqual": {"with": [{\#(source)}]}}]}"#)
    let same = try run(#"{\#(source), "operators": [{"sequenceEqual": {"with": [{\#(source)}]}}]}"#)
    #expect(shorter == ["false@0", "|@0"])
    #expect(longer == ["false@0", "|@0"])
    #expect(same == ["true@0", "|@0"])
  }

  @Test("The values of a stream that is far ahead of the other are bounded")
  func lead() throws {
    let events = try run(#"{\#(source), "operators": [{"sequenceEqual": {"with": [{\#(source)}], "limit": 3}}]}"#)
    #expect(events == ["#S409@0"])
  }
}
