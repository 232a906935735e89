import StreamCore
import StreamTesting
import Testing

@Suite("Timestamps and durations as text")
struct TextFormTests {
  @Test(
    "RFC 3339 strings name instants",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
      ("1972-01-01T10:00:20.021-05:30", 63_108_020 + 5 * 3600 + 1800, 21_000_000, "1972-01-01T15:30:20.021Z"),
      ("2000-02-29t23:59:59.5z", 951_868_799, 500_000_000, "2000-02-29T23:59:59.500Z"),
      ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
      ("1969-12-31T23:59:59.000001Z", -1, 1000, "1969-12-31T23:59:59.000001Z"),
      ("1970-01-01T00:00:01.1234567899Z", 1, 123_456_789, "1970-01-01T00:00:01.123456789Z"),
      ("1970-01-01T00:00:00.99999999999999999999999Z", 0, 999_999_999, "1970-01-01T00:00:00.999999999Z"),
    ])
  func readsTimestamps(text: String, seconds: Int64, nanoseconds: Int32, canonical: String) throws {
    let timestamp = try #require(Timestamp(rfc3339: text))
    #expect(timestamp.seconds == seconds)
    #expect(timestamp.nanoseconds == nanoseconds)
    #expect(timestamp.rfc3339 == canonical)
  }

  @Test("The extreme instants have texts, and sums beyond them are the extremes")
  func extremeTimestamps() {
    let (first, last) = (Timestamp(seconds: .min), Timestamp(seconds: .max, nanoseconds: 999_999_999))
    #expect(first.rfc3339 == "-292277022657-01-27T08:29:52Z")
    #expect(last.rfc3339 == "292277026596-12-04T15:30:07.999999999Z")
    #expect(Timestamp(seconds: .min, nanoseconds: -1) == first)
    #expect(Timestamp(seconds: .max, nanoseconds: .max) == last)
    #expect(Timestamp(seconds: -86_401).rfc3339 == "1969-12-30T23:59:59Z")
    #expect(Timestamp(seconds: -86_400).rfc3339 == "1969-12-31T00:00:00Z")
  }

  @Test(
    "An invalid instant is refused",
    arguments: [
      "", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z",
      "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890xZ",
      "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00Zx", "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "20240-01-01T00:00:00Z", "2024-1-1T00:00:00Z",
    ])
  func refusesTimestamps(text: String) {
    let timestamp = Timestamp(rfc3339: text)
    #expect(timestamp == nil)
  }

  @Test("Any instant reads back as itself")
  func roundTripsTimestamps() {
    var random = SeededGenerator(seed: 5)
    var failures = 0
    for _ in 0..<20_000 {
      let timestamp = Timestamp(
        seconds: Int64.random(in: Timestamp.secondsRange, using: &random),
        nanoseconds: [0, 5_000_000, 7000, 1].randomElement(using: &random) ?? 0)
      if Timestamp(rfc3339: timestamp.rfc3339) != timestamp { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test(
    "Durations are seconds with a fraction",
    arguments: [
      ("0s", Duration.zero, "0s"), ("1.5s", .milliseconds(1500), "1.5s"), ("-0.001s", .milliseconds(-1), "-0.001s"),
      ("-3s", .seconds(-3), "-3s"), ("1.500s", .milliseconds(1500), "1.5s"),
      ("0.000000000000000001s", Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000000000000001s"),
      ("1.0000000000000000009s", .seconds(1), "1s"),
      ("315576000000s", .seconds(315_576_000_000), "315576000000s"),
    ])
  func readsDurations(text: String, duration: Duration, canonical: String) throws {
    let actual = try #require(Duration(secondsText: text))
    #expect(actual == duration)
    #expect(actual.secondsText == canonical)
  }

  @Test(
    "An invalid duration is refused",
    arguments: [
      "", "s", "1", "1.s", ".5s", "+1s", "1 s", "1m", "--1s", "99999999999999999999s", "1.0000000000000000001xs",
    ])
  func refusesDurations(text: String) {
    let duration = Duration(secondsText: text)
    #expect(duration == nil)
  }
}
