import StreamKit
import TestSupport
import Testing

/// `max` beyond its examples and the laws.
@Suite struct MaxTests {
  /// The output of an operator for these values.
  private func summary(_ operation: String, of values: [String]) throws -> [String] {
    let stream = values.map { #"{"value": \#($0)}"# }.joined(separator: ", ")
    return try run(#"{"stream": [\#(stream)], "operators": [{"map": {"expression": "dyn(value)"}}, \#(operation)]}"#)
  }

  @Test("A comparison that gives no number fails")
  func comparisons() throws {
    let events = try summary(#"{"max": {"compare": "dyn('a')"}}"#, of: ["1", "2"])
    let doubles = try summary(#"{"max": {"compare": "(second - first) * 0.5"}}"#, of: ["1", "2", "3"])
    #expect(events == ["#S408@0"])
    #expect(doubles == ["1@0", "|@0"])
  }
}
