#if Sharing
import Testing

@testable import StreamSharing

/// The rules of the HTML standard, section 9.2.6, and its examples.
@Suite struct ServerSentEventTests {
  private func parse(_ text: String) -> [String] {
    var parser = ServerSentEventParser()
    return parser.parse(Array(text.utf8)).map { "\($0.type)/\($0.data)/\($0.id)" }
  }

  @Test(
    arguments: [
      // Examples of the standard.
      ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message/YHOO\n+2\n10/"]),
      (
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        ["message/first event/1", "message/second event/", "message/ third event/"]
      ),
      ("data\n\ndata\ndata\n\ndata:", ["message//", "message/\n/"]),
      ("data:test\n\ndata: test\n\n", ["message/test/", "message/test/"]),
      // Types.
      ("event: add\ndata: 1\n\ndata: 2\n\n", ["add/1/", "message/2/"]),
      ("event: add\n\ndata: 2\n\n", ["message/2/"]),
      ("event: a\nevent: b\ndata: 1\n\n", ["b/1/"]),
      ("event:\ndata: 1\n\n", ["message/1/"]),
      // Line endings.
      ("data: 1\r\ndata: 2\r\n\r\ndata: 3\r\rdata: 4\n\n", ["message/1\n2/", "message/3/", "message/4/"]),
      ("data: 1\r\n\ndata: 2\n\r", ["message/1/", "message/2/"]),
      // IDs.
      ("id: 1\n\ndata: 2\n\n", ["message/2/1"]),
      ("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n", ["message/a/1", "message/b/1"]),
      // Comments, unknown fields, fields in other letters, spaces.
      (":\n:data: 1\nother: 2\nDATA: 3\n data: 4\ndata : 5\n\n", []),
      ("data: a: b\n\n", ["message/a: b/"]),
      ("data:\tx\n\n", ["message/\tx/"]),
      // The byte order mark, once.
      ("\u{FEFF}data: 1\n\n", ["message/1/"]),
      ("\u{FEFF}\u{FEFF}data: 1\n\n", []),
      // An event that is not complete.
      ("data: 1\n", []), ("data: 1", []), ("", []), ("\n\n\n", []),
      ("data: ä€😀\n\n", ["message/ä€😀/"]),
    ] as [(String, [String])])
  func anEventStreamIsRead(_ text: String, _ expected: [String]) {
    #expect(parse(text) == expected)
    // Byte by byte it gives the same.
    var parser = ServerSentEventParser()
    let events = text.utf8.flatMap { parser.parse([$0]) }
    #expect(events.map { "\($0.type)/\($0.data)/\($0.id)" } == expected)
  }

  @Test func bytesThatAreNotUTF8AreReplaced() {
    var parser = ServerSentEventParser()
    let events = parser.parse(Array("data: ".utf8) + [0xFF] + Array("\n\n".utf8))
    #expect(events.map(\.data) == ["\u{FFFD}"])
  }

  @Test(arguments: [("0", 0), ("2500", 2_500), ("", nil), ("-1", nil), ("1.5", nil), ("99999999999999999999", nil)])
  func theTimeToConnectAgainHasDigitsOnly(_ text: String, _ expected: Int?) {
    var parser = ServerSentEventParser()
    _ = parser.parse(Array("retry: \(text)\n".utf8))
    #expect(parser.retry == expected)
  }

  @Test func theLastIDIsThatOfACompleteEventAndSurvivesTheConnection() {
    var parser = ServerSentEventParser()
    _ = parser.parse(Array("id: 7\ndata: 1\n\nretry: 10\nid: 8\ndata: 2\n".utf8))
    #expect(parser.lastEventID == "7")
    parser.reconnect()
    #expect(parser.lastEventID == "7")
    #expect(parser.retry == 10)
    let events = parser.parse(Array("\u{FEFF}data: 3\n\n".utf8))
    #expect(events == [ServerSentEvent(data: "3", id: "7")])
  }

  @Test func longLinesAndEventsAreSkipped() {
    var parser = ServerSentEventParser(limit: 10)
    let long = String(repeating: "x", count: 1_000)
    let events = parser.parse(
      Array("data: \(long)\n\ndata: 1\n\ndata: 2\n\(long)\n\ndata: abcd\ndata: abcd\ndata: abcd\n\ndata: 3\n\n".utf8))
    #expect(events.map(\.data) == ["1", "3"])
    #expect(parser.parse(repeatElement(UInt8(ascii: "x"), count: 1_000_000)).isEmpty)
  }
}

@Suite struct RefreshScheduleTests {
  @Test func theTimeVariesByTheJitter() {
    let schedule = RefreshSchedule(seconds: 100, jitter: 0.2)
    #expect(schedule.delay(after: 0, 0) == .seconds(80))
    #expect(schedule.delay(after: 0, 0.5) == .seconds(100))
    #expect(schedule.delay(after: 0, 1) == .seconds(120))
  }

  @Test func theTimeAfterFailuresDoublesUpToTheLongest() {
    let schedule = RefreshSchedule(jitter: 0, firstRetry: 10, longestRetry: 60)
    let times = (1...5).map { schedule.delay(after: $0, 0) }
    #expect(times == [.seconds(10), .seconds(20), .seconds(40), .seconds(60), .seconds(60)])
    #expect(schedule.delay(after: .max, 1) == .seconds(60))
  }

  @Test func noNumberMakesAClientAskWithoutAPause() {
    let schedule = RefreshSchedule(seconds: -1, jitter: 9, firstRetry: .infinity, longestRetry: .infinity)
    #expect(schedule.delay(after: 0, 1) == .milliseconds(1))
    #expect(schedule.delay(after: 1, 0.5) <= .seconds(3.2e9))
  }
}
#endif
