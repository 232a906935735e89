import StreamCore
import Testing

@testable import StreamDriving

/// Messages as lines of JSON, and the text of metrics.
@Suite struct MessageTests {
  @Test(
    "The level of a line for people is at its beginning",
    arguments: [
      ("warning: a number is NaN", "warning", "a number is NaN"), ("Error: Unknown option", "error", "Unknown option"),
      ("skipped 1 line", "note", "skipped 1 line"), ("s.json: swapped", "note", "s.json: swapped"), ("", "note", ""),
    ])
  func levels(_ text: String, _ level: String, _ message: String) throws {
    let value = try JSONDocument(reading: Array(LogLine(text).text.utf8), file: "log").value
    #expect(value["level"] == .string(level))
    #expect(value["message"] == .string(message))
    #expect(value["code"] == .null)
  }

  @Test("A diagnostic keeps its code, place, help and notes on one line")
  func diagnostic() throws {
    let text = LogLine(
      Diagnostic(
        .divisionByZero, "division\nby zero", at: JSONPointer(["operators", "0"]), severity: .warning,
        notes: ["the value was 0"], help: "check it")
    ).text
    #expect(!text.contains("\n"))
    let value = try JSONDocument(reading: Array(text.utf8), file: "log").value
    #expect(value["level"] == "warning")
    #expect(value["code"] == "S402")
    #expect(value["place"] == "/operators/0")
    #expect(value["help"] == "check it")
    #expect(value["notes"]?[0] == "the value was 0")
  }

  @Test(
    "Arguments ask for JSON in two forms",
    arguments: [
      (["s.json", "--log", "json"], LogFormat.json), (["--log=json"], .json), (["--log", "text"], .text), ([], .text),
      (["--log"], .text),
    ])
  func requested(_ arguments: [String], _ format: LogFormat) {
    #expect(LogFormat.requested(by: arguments) == format)
  }
}
