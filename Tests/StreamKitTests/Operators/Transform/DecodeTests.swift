import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `decode` beyond its examples and the laws.
@Suite struct DecodeTests {
  @Test("A string that is not JSON is reported with the place in it")
  func placeInString() throws {
    let model = try stream(
      #"{"stream": [{"value": "[1,\n x]"}], "operators": [{"decode": {}}]}"#)
    let history = VirtualRun(Execution(try model.compile())).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.message == "the string is not JSON: 'x' is not a JSON value (line 2, column 2)")
  }
}
