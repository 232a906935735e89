import StreamKit
import Testing

/// `unwrap` beyond its examples and the laws.
@Suite struct UnwrapTests {
  @Test("A value that does not fit is left out where the stream says so")
  func skips() throws {
    let texts = try answers(
      to:
        #"{"map": {"expression": "value % 2 == 0 ? dyn(null) : dyn(value)"}}, {"unwrap": {}, "onError": "skip"}"#, [2])
    #expect(texts == [["1", "skipped S407", "3"]])
  }
}
