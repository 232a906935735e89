import StreamCore
import StreamEngine
import StreamKit
import TestSupport
import Testing

/// Windows of local days that a change of the clock shortens or skips. The bounds were computed with Python's zoneinfo.
@Suite struct ZoneWindowTests {
  /// Returns the windows, as texts of start and end and as counts, of values that arrive at hours after an origin.
  private func windows(_ fields: String, from origin: String, hours: [Int64]) throws -> [Value] {
    let operators = #"""
      {"collectTime": {\#(fields), "align": "clock",
        "expression": "[string(windowStart), string(windowEnd), value.size()]"}}
      """#
    let session = StreamSession(
      try StreamVersion(try stream(fed(operators)).model), origin: try #require(Timestamp(rfc3339: origin)))
    var values: [Value] = []
    func collect() {
      while let effect = session.next() { if case .event(.value(let value)) = effect { values.append(value) } }
    }
    func advance(to end: StreamTime) {
      while let wake = session.nextWake, wake <= end {
        session.advance(to: wake)
        collect()
      }
    }
    session.start()
    for hour in hours {
      let time = StreamTime(nanoseconds: hour * 3_600_000_000_000)
      advance(to: time)
      session.send(1, to: 0, at: time)
      collect()
    }
    return values
  }

  @Test("A window of a day that starts within a day ends as long after the next midnight")
  func slidingDay() throws {
    // 31 March 2024 has 23 hours in Berlin.
    let windows = try windows(
      #""seconds": 86400, "hop": 21600, "zone": "Europe/Berlin""#, from: "2024-03-30T23:00:00Z", hours: [0, 7, 100])
    #expect(
      windows.prefix(5) == [
        ["2024-03-30T05:00:00Z", "2024-03-31T05:00:00Z", 1], ["2024-03-30T11:00:00Z", "2024-03-31T11:00:00Z", 2],
        ["2024-03-30T17:00:00Z", "2024-03-31T17:00:00Z", 2], ["2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z", 2],
        ["2024-03-31T05:00:00Z", "2024-04-01T04:00:00Z", 1],
      ])
  }

  @Test("A window that begins with a skipped day ends where the next one starts")
  func skippedDay() throws {
    // Apia went from 29 December 2011 to 31 December.
    let windows = try windows(
      #""seconds": 172800, "zone": "Pacific/Apia""#, from: "2011-12-30T09:00:00Z", hours: [0, 2, 26, 100])
    #expect(
      windows.prefix(3) == [
        ["2011-12-28T10:00:00Z", "2011-12-30T10:00:00Z", 1], ["2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z", 1],
        ["2011-12-31T10:00:00Z", "2012-01-02T10:00:00Z", 1],
      ])
  }
}
