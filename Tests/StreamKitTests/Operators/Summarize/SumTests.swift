import StreamKit
import TestSupport
import Testing

/// `sum` beyond its examples and the laws.
@Suite struct SumTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("Uints add up to a uint, and with an int to a double")
  func uints() throws {
    let uint = try run(
      #"{\#(source), "operators": [{"sum": {"expression": "uint(value)"}}, {"map": {"expression": "type(value) == uint"}}]}"#
    )
    let mixed = try run(#"{\#(source), "operators": [{"sum": {"expression": "value == 1 ? dyn(1u) : dyn(value)"}}]}"#)
    #expect(uint == ["true@0", "|@0"])
    #expect(mixed == ["10.0@0", "|@0"])
  }
}
