#if Sharing
import StreamTesting
import Testing

@testable import StreamSharing

/// Reports to a hub, and notices from it, over HTTP.
@Suite struct HubTests {
  private func report() throws -> StreamReport {
    StreamReport(
      client: "c1", stream: try StreamName("checkout/fraud"), version: 7, content: "sha256:aa", state: .failed,
      diagnostics: ["S402: divided by zero"])
  }

  private func response(_ status: String, _ body: String = "", type: String = "text/plain") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  @Test func aReportIsPosted() async throws {
    let server = try OneAnswerServer(response("202 Accepted"))
    let receiver = try HTTPReportReceiver("http://127.0.0.1:\(server.port)/hub", token: "secret")
    try await receiver.receive(report())
    let request = try #require(server.requests.first)
    let parts = request.split(separator: "\r\n\r\n").map(String.init)
    #expect(request.hasPrefix("POST /hub/v1/reports HTTP/1.1\r\n"))
    #expect(parts[0].lowercased().contains("\r\nauthorization: bearer secret"))
    #expect(parts[0].lowercased().contains("\r\ncontent-type: application/json"))
    let sent = try MetadataReader(bytes: Array(parts[1].utf8), subject: "report").value
    let read = try StreamReport(sent)
    #expect(read == (try report()))
  }

  @Test(arguments: ["500 Oh", "401 No", "404 Where"])
  func aReportThatIsNotAcceptedIsAnError(_ status: String) async throws {
    let server = try OneAnswerServer(response(status))
    let receiver = try HTTPReportReceiver("http://127.0.0.1:\(server.port)", token: "secret")
    let error = await #expect(throws: TrustError.self) { try await receiver.receive(report()) }
    #expect(error?.reason == "the hub replied with status \(status.prefix(3))")
    #expect(server.requests.count == 1)
  }

  @Test func aHubThatIsNotThereIsUnreachable() async throws {
    let receiver = try HTTPReportReceiver("http://127.0.0.1:1", token: "secret")
    let error = await #expect(throws: TrustError.self) { try await receiver.receive(report()) }
    #expect(error?.kind == .unreachable)
    #expect(throws: TrustError.self) { try HTTPReportReceiver("hub.example.org", token: "") }
    #expect(throws: TrustError.self) { try HubNotices("file:///hub") }
  }

  @Test func noticesArriveAndTheConnectionIsMadeAgainWithTheLastID() async throws {
    let server = try OneAnswerServer(
      response("200 OK", ": hello\n\nretry: 1000\nid: 8\nevent: published\ndata: {}\n\n", type: "text/event-stream"))
    let clock = ManualClock()
    var notices = try HubNotices("http://127.0.0.1:\(server.port)", token: "t", clock: clock).makeAsyncIterator()
    let first = await notices.next()
    #expect(first == ServerSentEvent(type: "published", data: "{}", id: "8"))
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    let second = await notices.next()
    #expect(second?.id == "8")
    let requests = server.requests.map { $0.lowercased() }
    #expect(requests[0].hasPrefix("get /v1/events http/1.1\r\n"))
    #expect(requests[0].contains("\r\naccept: text/event-stream"))
    #expect(requests[0].contains("\r\nauthorization: bearer t"))
    #expect(!requests[0].contains("last-event-id"))
    #expect(requests[1].contains("\r\nlast-event-id: 8"))
  }

  @Test func aResponseOfAnotherKindIsNoNotice() async throws {
    let server = try OneAnswerServer(response("200 OK", "data: 1\n\n", type: "text/html"))
    let clock = ManualClock()
    let notices = try HubNotices("http://127.0.0.1:\(server.port)", clock: clock)
    let task = Task {
      var iterator = notices.makeAsyncIterator()
      return await iterator.next()
    }
    for _ in 0..<2 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(600))
    }
    task.cancel()
    let notice = await task.value
    #expect(notice == nil)
    #expect(server.requests.count >= 2)
  }

  @Test func aHubThatHasNoContentEndsTheNotices() async throws {
    let server = try OneAnswerServer("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    var notices = try HubNotices("http://127.0.0.1:\(server.port)").makeAsyncIterator()
    let notice = await notices.next()
    #expect(notice == nil)
    #expect(server.requests.count == 1)
  }
}
#endif
