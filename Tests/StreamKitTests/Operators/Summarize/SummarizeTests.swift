import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Properties of summarizing operators that their examples do not show.
@Suite struct SummarizeTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  /// The output of an operator for these values.
  private func summary(_ operation: String, of values: [String]) throws -> [String] {
    let stream = values.map { #"{"value": \#($0)}"# }.joined(separator: ", ")
    return try run(#"{"stream": [\#(stream)], "operators": [{"map": {"expression": "dyn(value)"}}, \#(operation)]}"#)
  }

  @Test(
    "Numbers add up by their types",
    arguments: [
      ("sum", ["1", "2"], "3@0"), ("sum", ["1", "2.0"], "3.0@0"), ("sum", ["0.5", "0.25"], "0.75@0"),
      ("sum", [], "0@0"), ("average", ["1", "2"], "1.5@0"), ("average", ["2", "2"], "2.0@0"),
      ("sum", ["9223372036854775807", "1.0"], "9.223372036854776e+18@0"),
      ("sum", ["9223372036854775807", "1"], "#S403@0"),
      ("average", ["9223372036854775807", "1"], "4.611686018427388e+18@0"),
      ("sum", ["true"], "#S405@0"), ("average", ["1", "null"], "#S405@0"),
    ])
  func totals(_ operation: String, _ values: [String], _ expected: String) throws {
    let events = try summary(#"{"\#(operation)": {}}"#, of: values)
    #expect(events.first == expected)
  }

  @Test("A type without a sum or an order is refused before the run")
  func refusals() {
    let texts = #"{"stream": [{"value": "a"}], "operators": [{"sum": {}}, {"average": {"expression": "'b'"}}]}"#
    #expect(problems(texts) == ["S203 /operators/0/sum", "S203 /operators/1/average/expression"])
    for (operation, place) in [
      (#"{"max": {}}"#, "max"), (#"{"min": {"compare": "'a'"}}"#, "min/compare"), (#"{"sort": {"limit": 1}}"#, "sort"),
      (#"{"collectMap": {"key": "value"}}"#, "collectMap/key"),
    ] {
      let found = problems(#"{"stream": [{"value": {"a": 1}}], "operators": [\#(operation)]}"#)
      #expect(found == ["S203 /operators/0/\(place)"])
    }
  }

  @Test("A value of another kind is left out of a comparison that skips errors")
  func kinds() throws {
    let least = try summary(#"{"min": {}, "onError": "skip"}"#, of: [#"{"k": 1}"#, "2", #""a""#, "1.5"])
    let sorted = try summary(#"{"sort": {"limit": 9}, "onError": "skip"}"#, of: ["2", #""a""#, "null", "1.5"])
    #expect(least == ["skipped S405@0", "skipped S405@0", "1.5@0", "|@0"])
    #expect(sorted == ["skipped S405@0", "skipped S405@0", "1.5@0", "2@0", "|@0"])
  }

  @Test("NaN is sorted behind all numbers, and never the smallest or the greatest but as the first")
  func notANumber() throws {
    let make = #"{"map": {"expression": "value == 2 ? 0.0 / 0.0 : double(value)"}}"#
    let sorted = try run(
      #"{\#(source), "operators": [\#(make), {"sort": {"limit": 9, "descending": true}}, {"map": {"expression": "string(value)"}}]}"#
    )
    let greatest = try run(#"{\#(source), "operators": [\#(make), {"max": {}}]}"#)
    #expect(sorted == [#""NaN"@0"#, #""4"@0"#, #""3"@0"#, #""1"@0"#, "|@0"])
    #expect(greatest == ["4.0@0", "|@0"])
  }
}
