import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Timers of a stream that continues after a pause, in which its time has stood still.
@Suite struct CalendarTimerTests {
  private static let origin: Int64 = 1_003

  private static let operators = [
    #"{"collectTime": {"seconds": 10, "align": "clock", "expression": "[windowStart, windowEnd, value.size()]"}}"#,
    #"""
    {"window": {"seconds": 10, "align": "clock", "operators": [
      {"count": {}}, {"map": {"expression": "[windowStart, windowEnd, value]"}}]}}
    """#,
    #"""
    {"groupBy": {"key": "1", "operators": [
      {"collectTime": {"seconds": 10, "align": "clock", "expression": "[windowStart, windowEnd, value.size()]"}}]}}
    """#,
  ]

  private func version(_ operators: String) throws -> StreamVersion {
    try StreamVersion(try stream(fed(operators)).model)
  }

  private func time(_ seconds: Int64) -> StreamTime { StreamTime(nanoseconds: seconds * 1_000_000_000) }

  private func values(of session: StreamSession) -> [Value] {
    var values: [Value] = []
    while let effect = session.next() { if case .event(.value(let value)) = effect { values.append(value) } }
    return values
  }

  /// A stream that has received two values at 1003 seconds since 1970, and continues later.
  private func continued(_ operators: String, at present: Int64) throws -> StreamSession {
    let version = try version(operators)
    let session = StreamSession(version, origin: Timestamp(seconds: Self.origin))
    session.start()
    for value in [1, 2] as [Value] { session.send(value, to: 0, at: .zero) }
    #expect(values(of: session).isEmpty)
    let saved = try #require(try session.save())
    return try StreamSession.restoring(saved, as: version, present: Timestamp(seconds: present)).session
  }

  private static func window(_ start: Int64, _ count: Int64) -> Value {
    [.timestamp(Timestamp(seconds: start)), .timestamp(Timestamp(seconds: start + 10)), .int(count)]
  }

  @Test(
    "A window of the clock that has ended in the pause is published at once, with its own bounds", arguments: operators)
  func passedWindow(_ operators: String) throws {
    let session = try continued(operators, at: 1_503)
    #expect(session.nextWake == .zero)
    session.advance(to: .zero)
    #expect(values(of: session) == [Self.window(1_000, 2)])
    // The windows after the pause end at their instants, too.
    session.send(3, to: 0, at: time(1))
    #expect(values(of: session).isEmpty)
    #expect(session.nextWake == time(7))
    session.advance(to: time(7))
    #expect(values(of: session) == [Self.window(1_500, 1)])
  }

  @Test("A window of the clock that is open after the pause ends at its instant", arguments: operators)
  func openWindow(_ operators: String) throws {
    let session = try continued(operators, at: 1_008)
    #expect(session.nextWake == time(2))
    session.send(3, to: 0, at: time(1))
    session.advance(to: time(2))
    #expect(values(of: session) == [Self.window(1_000, 3)])
  }

  @Test(
    "Other timers wait for the rest of their time",
    arguments: [
      #"{"debounce": {"seconds": 10}}"#, #"{"delay": {"seconds": 10}}"#, #"{"collectTime": {"seconds": 10}}"#,
      #"{"window": {"seconds": 10, "operators": [{"count": {}}]}}"#, #"{"timeout": {"seconds": 10}}"#,
    ])
  func otherTimers(_ operators: String) throws {
    let session = try continued(operators, at: 1_503)
    #expect(session.nextWake == time(10))
  }
}
