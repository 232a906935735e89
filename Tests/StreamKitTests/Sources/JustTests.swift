import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `just` with an expression.
@Suite struct JustTests {
  @Test("The expression is evaluated at the subscription, as that of a sequence")
  func atTheSubscription() throws {
    // The other stream is empty, so nothing is ever requested.
    for source in [#""just": {"expression": "[1][7]"}"#, #""sequence": {"expression": "[[1][7]]"}"#] {
      let texts = try run(
        #"{"source": {\#(source)}, "operators": [{"zip": {"with": [{"source": {"empty": {}}}]}}]}"#)
      #expect(texts.count == 1 && texts[0].hasPrefix("#"), "\(source): \(texts)")
    }
  }

  @Test("The value waits for a request, and is published once")
  func waits() throws {
    let texts = try answers(#"{"source": {"just": {"expression": "1 + 1"}}}"#, [0, 1, 1])
    #expect(texts == [[], ["2", "|"], []])
  }
}
