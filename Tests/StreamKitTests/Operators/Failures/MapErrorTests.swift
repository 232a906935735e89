import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `mapError` beyond its examples and the laws.
@Suite struct MapErrorTests {
  @Test("A new error keeps the one before as its cause")
  func cause() throws {
    let pipeline = try stream(
      #"{"source": {"fail": {"error": {"message": "old"}}}, "operators": [{"mapError": {"expression": "{'message': 'new, not ' + error.message}"}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it should have failed")
      return
    }
    #expect(failure.message == "new, not old")
    #expect(failure.cause?.message == "old")
  }
}
