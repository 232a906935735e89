import Cold
import StreamKit
import StreamTesting
import Testing

@Suite("Log splitter", .timeLimit(.minutes(1)))
struct LogSplitterTests {
  @Test("Each sink has its part of the entries, also after the rules have changed")
  func sinks() async throws {
    let log = try LogSplitter(clock: ManualClock())
    var console = log.console.makeAsyncIterator()
    var alerts = log.alerts.makeAsyncIterator()
    var counts = log.counts.makeAsyncIterator()
    for _ in 0..<3 { log.entries.send(LogSplitter.Entry(.error, "disk full")) }
    log.entries.send(LogSplitter.Entry(.debug, "tick"))
    log.entries.send(LogSplitter.Entry(.info, "saved"))
    #expect(try await console.next() == LogSplitter.Entry(.error, "disk full"))
    #expect(try await console.next() == LogSplitter.Entry(.info, "saved"))
    #expect(try await alerts.next() == "disk full")
    for expected in [["error": 1], ["error": 1, "debug": 1], ["error": 1, "debug": 1, "info": 1]] {
      #expect(try await counts.next() == expected)
    }
    let report = try await log.follow(LogSplitter.rules(alert: "value.text.contains('password')"))
    #expect(report?.contains("kept #counts") == true, "\(report ?? "")")
    log.entries.send(LogSplitter.Entry(.info, "password changed"))
    #expect(try await alerts.next() == "password changed")
    #expect(try await counts.next() == ["error": 1, "debug": 1, "info": 2])
  }

  @Test("Rules with an error are refused, and the old ones continue")
  func wrongRules() async throws {
    let log = try LogSplitter(clock: ManualClock())
    var alerts = log.alerts.makeAsyncIterator()
    await #expect(throws: Diagnostics.self) { try await log.follow(LogSplitter.rules(alert: "value.levl == 'error'")) }
    log.entries.send(LogSplitter.Entry(.error, "disk full"))
    #expect(try await alerts.next() == "disk full")
  }
}
