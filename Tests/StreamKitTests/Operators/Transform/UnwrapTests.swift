import StreamKit
import TestSupport
import Testing

/// `unwrap` beyond its examples and the laws.
@Suite struct UnwrapTests {
  @Test("A value of the wrong type is dropped if the stream is configured so")
  func skips() throws {
    let texts = try answers(
      to:
        #"{"map": {"expression": "value % 2 == 0 ? dyn(null) : dyn(value)"}}, {"unwrap": {}, "onError": "skip"}"#, [2])
    #expect(texts == [["1", "skipped S407", "3"]])
  }
}
