import StreamKit
import Testing

/// `output` beyond its examples and the laws.
@Suite struct OutputTests {
  @Test("`output` at an index that is never reached finishes")
  func outputBeyondTheEnd() throws {
    let heard = try recorded("1@0 2@0 |@0", #"{"output": {"at": 5}}"#)
    #expect(heard == "|@0")
  }
}
