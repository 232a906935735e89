import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `retry` beyond its examples and the laws.
@Suite struct RetryTests {
  private func cold(_ diagram: String, _ operators: String) -> String {
    #"{"source": {"marbles": {"diagram": "\#(diagram)"}}, "operators": [\#(operators)]}"#
  }

  @Test("Published values remain, and the last failure is passed on")
  func furtherAttempts() throws {
    let texts = try run(cold("-a#", #"{"retry": {"count": 2}}"#))
    #expect(texts == ["\"a\"@1", "\"a\"@3", "\"a\"@5", "#S407@6"])
  }

  @Test("The time before an attempt grows by the factor, up to its bound")
  func backoff() throws {
    let texts = try run(
      cold("a#", #"{"retry": {"count": 4, "seconds": 0.01, "factor": 2, "maximum": 0.03}}"#))
    #expect(texts == ["\"a\"@0", "\"a\"@11", "\"a\"@32", "\"a\"@63", "\"a\"@94", "#S407@95"])
  }

  @Test("Jitter stays within its part, and the same seed gives the same times")
  func jitter() throws {
    func times(_ seed: Int) throws -> [Double] {
      let json = cold(
        "a#", #"{"retry": {"count": 50, "seconds": 1, "jitter": 0.25, "seed": \#(seed)}}"#)
      let history = VirtualRun(Execution(try stream(json).compile())).run()
      return history.events.map(\.time.seconds)
    }
    let first = try times(1)
    let again = try times(1)
    let other = try times(2)
    let pauses = zip(first.dropFirst(), first).dropLast().map { $0 - $1 }
    #expect(first == again)
    #expect(first != other)
    #expect(pauses.count == 50)
    #expect(pauses.allSatisfy { (0.75...1.26).contains($0) })
    #expect(Set(pauses).count > 25)
  }

  @Test("A value resets the count if that is configured")
  func resetOnValue() throws {
    let json = #"""
      {"source": {"timer": {"every": 0.001}},
       "operators": [{"scan": {"initialValue": 0, "expression": "acc + 1"}}, {"validate": {"expression": "value < 2"}},
                     {"retry": {"count": 1, "resetOnValue": true}}, {"prefix": {"count": 4}}]}
      """#
    let anew = try run(json)
    let counted = try run(json.replacing(#", "resetOnValue": true"#, with: ""))
    #expect(anew == ["1@1", "1@3", "1@5", "1@7", "|@7"])
    #expect(counted == ["1@1", "1@3", "#S407@4"])
  }

  @Test("An expression selects the failures that are worth an attempt")
  func condition() throws {
    let texts = try run(
      cold("-a#", #"{"retry": {"expression": "error == 'error' && attempt <= 2", "seconds": 0.001}}"#))
    #expect(texts == ["\"a\"@1", "\"a\"@4", "\"a\"@7", "#S407@8"])
  }

  @Test("A stream that knows error and attempt says when, and its end is the end")
  func pacedByStream() throws {
    let texts = try run(
      cold(
        "a#",
        #"""
        {"retry": {"stream": {"source": {"just": {"expression": "attempt"}},
                              "operators": [{"filter": {"expression": "value < 3 && error == 'error'"}},
                                            {"delay": {"seconds": 0.01}}]}}}
        """#))
    #expect(texts == ["\"a\"@0", "\"a\"@11", "\"a\"@22", "|@33"])
  }

  @Test("`retry` counts further attempts")
  func retryCounts() throws {
    let heard = try hooksAndEvents(
      """
      {"source": {"fail": {"error": "no"}},
       "operators": [{"handleEvents": {"receiveSubscription": "subscribed"}}, {"retry": {"count": 2}}]}
      """)
    #expect(heard == ["subscribed", "subscribed", "subscribed", "#S407"])
  }
}
