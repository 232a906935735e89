import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `validate` beyond its examples and the laws.
@Suite struct ValidateTests {
  @Test("The message of a validation is in the failure")
  func failure() throws {
    let pipeline = try stream(
      #"{"stream": [{"value": 7}], "operators": [{"validate": {"expression": "value < 5", "message": "too large"}}]}"#
    ).compile()
    let history = VirtualRun(Execution(pipeline)).run()
    guard case .failure(let failure)? = history.completion else {
      Issue.record("it should have failed")
      return
    }
    #expect(failure.message == "too large")
    #expect(failure.value == 7)
    #expect(failure.pointer.description == "/operators/0/validate/expression")
  }
}
