import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// `generate` beyond its examples and the laws.
@Suite struct GenerateTests {
  @Test("Values of `generate` are made one by one: nothing is evaluated without demand")
  func lazy() throws {
    let texts = try run(
      #"{"source": {"generate": {"initialValue": 3, "next": "value - 1", "output": "6 / value"}}, "operators": [{"prefix": {"count": 3}}]}"#
    )
    #expect(texts == ["2@0", "3@0", "6@0", "|@0"])
  }

  @Test("A due value of `generate` without demand waits, and the next comes after it")
  func paced() throws {
    let model = try stream(#"{"source": {"generate": {"initialValue": 0, "next": "value + 1", "seconds": 1}}}"#)
    let execution = Execution(try model.compile())
    execution.request(Demand(1))
    execution.advance(to: StreamTime(seconds: 5))
    #expect(execution.next() == .value(0))
    #expect(execution.next() == nil)
    execution.request(Demand(1))
    #expect(execution.next() == .value(1))
    #expect(execution.next() == nil)
    #expect(execution.nextDeadline == StreamTime(seconds: 6))
  }

  @Test("Values of `generate` that nest deeper and deeper fail the stream")
  func nesting() throws {
    let texts = try run(
      #"{"source": {"generate": {"initialValue": [], "next": "[value]"}}, "operators": [{"ignoreAll": {}}]}"#
        .replacing(#"{"ignoreAll": {}}"#, with: #"{"filter": {"expression": "false"}}"#))
    #expect(texts == ["#S409@0"])
  }
}
