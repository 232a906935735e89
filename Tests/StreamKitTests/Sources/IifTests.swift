import StreamKit
import TestSupport
import Testing

/// `iif` beyond its examples and the laws.
@Suite struct IifTests {
  @Test("`iif` chooses at each subscription")
  func chooses() throws {
    let texts = try run(
      """
      {"source": {"timer": {"every": 0.001, "count": 3}},
       "operators": [{"flatMap": {"stream": {"source": {"iif": {
         "condition": "now() < timestamp('1970-01-01T00:00:00.002Z')",
         "then": {"source": {"just": {"value": "early"}}}, "else": {"source": {"just": {"value": "late"}}}}}}}}]}
      """)
    #expect(texts == ["\"early\"@1", "\"late\"@2", "\"late\"@3", "|@3"])
  }

  @Test("`iif` reports all of its errors at once, and fails with its condition")
  func wrong() throws {
    let found = problems(#"{"source": {"iif": {"condition": "x", "then": "y", "else": "z"}}}"#)
    #expect(found == ["S109 /source/iif/then", "S109 /source/iif/else", "S202 /source/iif/condition"])
    let texts = try run(
      #"{"source": {"iif": {"condition": "1 / 0 > 1", "then": {"stream": []}}}}"#)
    #expect(texts == ["#S402@0"])
  }
}
