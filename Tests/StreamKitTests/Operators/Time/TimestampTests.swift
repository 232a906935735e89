import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import TestSupport
import Testing

/// `timestamp` beyond its examples and the laws.
@Suite struct TimestampTests {
  @Test("The timestamp is that of the execution's clock")
  func timestamps() throws {
    let pipeline = try stream(
      #"{"source": {"timer": {"every": 1, "count": 1}}, "operators": [{"timestamp": {}}, {"map": {"expression": "string(value.timestamp)"}}]}"#
    ).compile()
    let execution = Execution(pipeline, origin: Timestamp(seconds: 86_400))
    let history = VirtualRun(execution).run()
    #expect(history.texts() == [#""1970-01-02T00:00:01Z"@1000"#, "|@1000"])
  }
}
