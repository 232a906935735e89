import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `count` beyond its examples and the laws.
@Suite struct CountTests {
  private let source = #""source": {"range": {"from": 1, "through": 4}}"#

  @Test("A summary waits until it is asked for, however much upstream has said")
  func demand() throws {
    let execution = Execution(try stream(#"{\#(source), "operators": [{"count": {}}]}"#).compile())
    execution.request(.none)
    let before = execution.next()
    execution.request(Demand(1))
    let value = execution.next()
    let end = execution.next()
    #expect(before == nil)
    #expect(value == .value(4))
    #expect(end == .finished)
  }
}
