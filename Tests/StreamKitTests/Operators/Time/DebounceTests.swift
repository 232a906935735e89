import StreamKit
import TestSupport
import Testing

/// `debounce` beyond its examples and the laws.
@Suite struct DebounceTests {
  @Test("`debounce` drops the value that waits at the end, or flushes it")
  func endOfStream() throws {
    let dropped = try recorded("1@0 |@0", #"{"debounce": {"seconds": 0.1}}"#)
    let flushed = try recorded("1@0 |@0", #"{"debounce": {"seconds": 0.1, "onFinish": "flush"}}"#)
    #expect(dropped == "|@0")
    #expect(flushed == "1@0 |@0")
  }

  @Test("A value without demand waits, and the completion with it")
  func demand() throws {
    let texts = try answers(
      #"{"source": {"marbles": {"diagram": "a---b---c---|"}}, "operators": [{"debounce": {"seconds": 0.002}}]}"#,
      [1, 1, 9])
    #expect(texts == [["\"a\""], ["\"b\""], ["\"c\"", "|"]])
  }
}
