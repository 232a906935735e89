#if Sharing
import Foundation
@_spi(Engine) import StreamCore
import StreamSharing
import Testing

@testable import StreamHub

@Suite struct EventTests {
  @Test func changesAreSentToReaders() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    let reader = try hub.reader(token)
    let beginning = try #require(reader.event())
    #expect(beginning.first?.hasPrefix("retry: ") == true)
    try hub.publish("a", "one", token)
    try hub.publish("a", "two", token, query: "?percent=20")
    _ = try hub.send("POST", "/v1/streams/a/promote", token: token, body: "{\"percent\": 50}")
    _ = try hub.send("POST", "/v1/streams/a/promote", token: token)
    _ = try hub.send("POST", "/v1/streams/a/rollback", token: token, body: "{\"to\": 1}")
    try hub.publish("a", "three", token, query: "?percent=1")
    _ = try hub.send("POST", "/v1/streams/a/halt", token: token, body: "{\"reason\": \"no\"}")
    var seen: [String] = []
    var last = 0
    for _ in 1...7 {
      let event = try #require(reader.event())
      let id = try #require(Int(event[0].dropFirst("id: ".count)))
      #expect(id > last)
      last = id
      var json = JSONReader()
      let data = try json.read(String(event[2].dropFirst("data: ".count)))
      seen.append(
        "\(event[1].dropFirst("event: ".count)) \(data.member("version") ?? .null) \(data.member("state")?.text ?? "")")
    }
    #expect(
      seen == [
        "published 1 stable", "published 2 candidate", "promoted 2 candidate", "promoted 2 stable",
        "rolledback 3 stable",
        "published 4 candidate", "halted 4 halted",
      ])
  }

  @Test func aReaderContinuesAfterItsLastEvent() throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    let reader = try hub.reader(token)
    let start = try #require(reader.event()?.last?.dropFirst("id: ".count))
    try hub.publish("a", "one", token)
    try hub.publish("b", "one", token)
    let first = try #require(reader.event()?.first?.dropFirst("id: ".count))
    try hub.restart()
    let second = try hub.reader(token, after: String(first))
    _ = second.event()
    let event = try #require(second.event())
    #expect(event[2].contains("\"stream\":\"b\""))
    let all = try hub.reader(token, after: String(start))
    _ = all.event()
    #expect(all.event()?[2].contains("\"stream\":\"a\"") == true)
    #expect(all.event()?[2].contains("\"stream\":\"b\"") == true)
    // IDs continue after the restart.
    try hub.publish("c", "one", token)
    let next = try #require(Int(first)) + 2
    #expect(all.event()?[0] == "id: \(next)")
  }

  @Test(arguments: ["1", "99999999999999", "x", "", "-5"])
  func aReaderWhoseEventIsUnknownStartsAgain(_ last: String) throws {
    let hub = try TestHub()
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    let reader = try hub.reader(token, after: last)
    _ = reader.event()
    let event = try #require(reader.event())
    #expect(event[1] == "event: reset")
  }

  @Test func oldEventsAreForgotten() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/events"
    var log = try EventLog(path, now: 1, capacity: 20)
    let ids = (0..<90).map { log.append("published", ["number": .int($0)]).id }
    try log.compact()
    for _ in 0..<2 {
      let reset = String(decoding: log.beginning(after: String(ids[69 - 1]), retry: 1).bytes, as: UTF8.self)
      #expect(reset.contains("event: reset"))
      let all = String(decoding: log.beginning(after: String(ids[69]), retry: 1).bytes, as: UTF8.self)
      #expect(all.components(separatedBy: "event: published").count == 20 + 1)
      log = try EventLog(path, now: 5, capacity: 20)
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.split(separator: "\n").count == 20)
  }

  @Test func aLineThatACrashHasCutOffIsDropped() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/journal"
    try Data("{\"a\":1}\nnonsense\n{\"a\":2}\n{\"a\":".utf8).write(to: URL(fileURLWithPath: path))
    var lines: [Value] = []
    do {
      var journal = try Journal(path) { lines.append($0) }
      #expect(lines == [["a": 1], ["a": 2]])
      let isWritten = journal.append([["a": 3]], isSafe: true)
      #expect(isWritten)
    }
    lines = []
    _ = try Journal(path) { lines.append($0) }
    #expect(lines == [["a": 1], ["a": 2], ["a": 3]])
  }

  @Test func changesWhileTheHubWasDownReset() throws {
    let repository = FakeRepository()
    let hub = try TestHub(repository)
    let token = try hub.token(.admin)
    try hub.publish("a", "one", token)
    let id = try #require(try hub.reader(token).event()?.last?.dropFirst("id: ".count))
    try hub.restart()
    let unchanged = try hub.reader(token).event()?.last
    #expect(unchanged == "id: \(id)")
    _ = try repository.publish(HubPublication(name: try StreamName("a"), bytes: [2]), now: 1)
    try hub.restart()
    let reader = try hub.reader(token, after: String(id))
    _ = reader.event()
    let event = try #require(reader.event())
    #expect(event[1] == "event: reset")
  }

  @Test func theFirstSightOfARepositoryIsNotNews() throws {
    let repository = FakeRepository()
    _ = try repository.publish(HubPublication(name: try StreamName("a"), bytes: [1]), now: 1)
    let hub = try TestHub(repository)
    let text = try String(contentsOfFile: "\(hub.folder.path)/hub/events.ndjson", encoding: .utf8)
    #expect(text.isEmpty)
  }
}
#endif
