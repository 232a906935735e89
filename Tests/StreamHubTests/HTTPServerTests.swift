#if Sharing
import CLibrary
import Dispatch
import Foundation
import StreamCore
import StreamDriving
import StreamFiles
import Synchronization
import Testing

@testable import StreamHub

/// A handler with one resource of each kind.
private struct SmallHandler: HTTPHandler {
  let queue = DispatchQueue(label: "test")
  /// Holds back the response of `/slow`.
  let gate = DispatchSemaphore(value: 0)
  var file = ""

  func response(to failure: HTTPFailure) -> HTTPResponse {
    HTTPResponse(failure.status, [("x-detail", failure.detail)], body: Array("no".utf8))
  }

  func screen(_ head: HTTPRequestHead, peer: String) -> Screening {
    switch head.path {
    case "/refused": return .refused(HTTPResponse(403))
    case "/slow":
      return .accepted(bodyLimit: 0) { [self] _ in
        .later(queue) { [self] in
          gate.wait()
          return HTTPResponse(200, body: Array("slow".utf8))
        }
      }
    case "/file":
      return .accepted(bodyLimit: 0) { [file] _ in
        guard let opened = try? FileDescriptor.open(file), let size = try? opened.status().size else {
          return .now(HTTPResponse(404))
        }
        return .now(HTTPResponse(200, [], .file(opened, count: size)))
      }
    case "/events":
      return .accepted(bodyLimit: 0) { _ in
        .now(HTTPResponse(200, [], .events(first: Array("hello\n\n".utf8), after: 5)))
      }
    default:
      return .accepted(bodyLimit: 100) { request in
        .now(HTTPResponse(200, body: Array("\(request.head.method) ".utf8) + request.body))
      }
    }
  }
}

@Suite struct HTTPServerTests {
  private func withServer(
    _ limits: HTTPLimits = HTTPLimits(), _ handler: SmallHandler = SmallHandler(), _ body: (HTTPServer) throws -> Void
  ) throws {
    let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits.quick, handler: handler)
    defer { server.stop() }
    try body(server)
  }

  @Test func aConnectionServesSeveralRequests() throws {
    try withServer { server in
      let client = try RawClient(server.port)
      for number in 1...3 {
        client.send(RawClient.request("POST", "/", body: Array("\(number)".utf8)))
        let reply = try client.reply()
        #expect(reply.status == 200)
        #expect(reply.text == "POST \(number)")
        #expect(reply.fields["connection"] == nil)
      }
    }
  }

  @Test func requestsMayFollowEachOtherWithoutAWait() throws {
    try withServer { server in
      let client = try RawClient(server.port)
      let requests = (1...50).map { RawClient.request("POST", "/", body: Array("\($0)".utf8)) }
      client.send(Array(requests.joined()))
      for number in 1...50 {
        let reply = try client.reply()
        #expect(reply.text == "POST \(number)")
      }
    }
  }

  @Test func theOrderOfResponsesIsThatOfRequests() throws {
    let handler = SmallHandler()
    try withServer(HTTPLimits(), handler) { server in
      let client = try RawClient(server.port)
      client.send(RawClient.request("GET", "/slow") + RawClient.request("GET", "/fast"))
      handler.gate.signal()
      let first = try client.reply()
      let second = try client.reply()
      #expect(first.text == "slow")
      #expect(second.text == "GET ")
    }
  }

  @Test func aBodyInChunksIsRead() throws {
    try withServer { server in
      let client = try RawClient(server.port)
      client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
      client.send("2\r\nde\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n")
      let first = try client.reply()
      let second = try client.reply()
      #expect(first.text == "POST abcde")
      #expect(second.text == "GET ")
    }
  }

  @Test func headHasNoBody() throws {
    try withServer { server in
      let client = try RawClient(server.port)
      client.send(RawClient.request("HEAD", "/") + RawClient.request("GET", "/"))
      let head = try client.reply(hasBody: false)
      let get = try client.reply()
      #expect(head.fields["content-length"] == "5")
      #expect(get.text == "GET ")
    }
  }

  @Test func aClientMayWaitForPermissionToSend() throws {
    try withServer { server in
      let client = try RawClient(server.port)
      client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      let interim = try client.reply()
      client.send("hi")
      let final = try client.reply()
      #expect(interim.status == 100)
      #expect(final.text == "POST hi")
    }
  }

  @Test func theConnectionEndsWhenTheClientSaysSo() throws {
    try withServer { server in
      for request in [
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
      ] {
        let client = try RawClient(server.port)
        client.send(request)
        let reply = try client.reply()
        #expect(reply.status == 200)
        #expect(reply.isClosed)
      }
    }
  }

  @Test(arguments: [
    (413, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101)),
    (413, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n"),
    (417, "POST / HTTP/1.1\r\nHost: h\r\nExpect: cake\r\nContent-Length: 1\r\n\r\n"),
    (
      403,
      "POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 50000000\r\n\r\n" + String(repeating: "x", count: 300_000)
    ),
    (400, "nonsense\r\n\r\n"), (431, "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000)),
  ])
  func aRefusedRequestGetsItsResponse(_ status: Int, _ request: String) throws {
    try withServer { server in
      let client = try RawClient(server.port)
      client.send(request)
      let reply = try client.reply()
      #expect(reply.status == status)
      #expect(reply.fields["connection"] == "close")
    }
  }

  @Test(arguments: ["GET / HTT", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab"])
  func aRequestThatDoesNotArriveInTimeIsRefused(_ request: String) throws {
    var limits = HTTPLimits()
    limits.headMilliseconds = 200
    limits.bodyMilliseconds = 200
    try withServer(limits) { server in
      let client = try RawClient(server.port)
      client.send(request)
      let reply = try client.reply()
      #expect(reply.status == 408)
    }
  }

  @Test func anIdleConnectionIsClosed() throws {
    var limits = HTTPLimits()
    limits.idleMilliseconds = 100
    limits.headMilliseconds = 100
    try withServer(limits) { server in
      let silent = try RawClient(server.port)
      let client = try RawClient(server.port)
      client.send(RawClient.request("GET", "/"))
      _ = try client.reply()
      #expect(client.isEnded)
      #expect(silent.isEnded)
    }
  }

  @Test func connectionsBeyondTheLimitAreRefused() throws {
    var limits = HTTPLimits()
    limits.connections = 2
    try withServer(limits) { server in
      let clients = try (1...2).map { _ in try RawClient(server.port) }
      for client in clients {
        client.send(RawClient.request("GET", "/"))
        _ = try client.reply()
      }
      let third = try RawClient(server.port)
      let reply = try third.reply()
      #expect(reply.status == 503)
      #expect(server.currentCounts.refusedConnections == 1)
    }
  }

  @Test func aLargeFileIsSentThoughItsReaderIsSlow() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var handler = SmallHandler()
    handler.file = "\(folder.path)/large"
    try Data(bytes).write(to: URL(fileURLWithPath: handler.file))
    try withServer(HTTPLimits(), handler) { server in
      let client = try RawClient(server.port)
      client.send(RawClient.request("GET", "/file") + RawClient.request("GET", "/"))
      usleep(50_000)
      // Others are served while its socket is full.
      let other = try RawClient.send("GET", "/", to: server.port)
      #expect(other.status == 200)
      let reply = try client.reply()
      #expect(reply.body == bytes)
      let next = try client.reply()
      #expect(next.text == "GET ")
    }
  }

  // MARK: Events

  @Test func eventsWithHigherIDsAreSent() throws {
    try withServer { server in
      server.send(event: Array("old\n\n".utf8), id: 5)
      server.send(event: Array("six\n\n".utf8), id: 6)
      let client = try RawClient(server.port)
      client.send(RawClient.request("GET", "/events"))
      let reply = try client.reply()
      #expect(reply.status == 200)
      let first = client.event()
      let second = client.event()
      server.send(event: Array("seven\n\n".utf8), id: 7)
      let third = client.event()
      #expect([first, second, third] == [["hello"], ["six"], ["seven"]])
      #expect(server.currentCounts.eventReaders == 1)
    }
  }

  @Test func readersOfEventsGetComments() throws {
    var limits = HTTPLimits()
    limits.heartbeatMilliseconds = 50
    try withServer(limits) { server in
      let client = try RawClient(server.port)
      client.send(RawClient.request("GET", "/events"))
      _ = try client.reply()
      _ = client.event()
      let comment = client.event()
      #expect(comment == [":"])
    }
  }

  @Test func aReaderThatLagsBehindIsDroppedAndDelaysNobody() throws {
    var limits = HTTPLimits()
    limits.eventLag = 20
    try withServer(limits) { server in
      let slow = try RawClient(server.port)
      slow.send(RawClient.request("GET", "/events"))
      let quick = try RawClient(server.port)
      quick.send(RawClient.request("GET", "/events"))
      _ = try quick.reply()
      _ = quick.event()
      let event = Array("data: \(String(repeating: "x", count: 500_000))\n\n".utf8)
      for id in 10..<60 {
        server.send(event: event, id: id)
        let received = quick.event()
        #expect(received?.count == 1)
      }
      #expect(server.currentCounts.droppedReaders == 1)
      #expect(slow.isEnded)
    }
  }

  @Test func aReaderThatLeavesIsForgotten() throws {
    try withServer { server in
      do {
        let client = try RawClient(server.port)
        client.send(RawClient.request("GET", "/events"))
        _ = try client.reply()
        #expect(server.currentCounts.eventReaders == 1)
      }
      let next = try RawClient(server.port)
      next.send(RawClient.request("GET", "/"))
      _ = try next.reply()
      wait { server.currentCounts.eventReaders == 0 }
      #expect(server.currentCounts.eventReaders == 0)
    }
  }

  // MARK: The end

  @Test func theServerFinishesRequestsBeforeItStops() throws {
    let handler = SmallHandler()
    let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: HTTPLimits().quick, handler: handler)
    let client = try RawClient(server.port)
    client.send(RawClient.request("GET", "/slow"))
    let idle = try RawClient(server.port)
    let reader = try RawClient(server.port)
    reader.send(RawClient.request("GET", "/events"))
    _ = try reader.reply()
    _ = reader.event()
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop()
      stopped.signal()
    }
    let comment = reader.event()
    #expect(comment == [": the server stops"])
    #expect(idle.isEnded)
    handler.gate.signal()
    let reply = try client.reply()
    #expect(reply.text == "slow")
    #expect(reply.fields["connection"] == "close")
    #expect(stopped.wait(timeout: .now() + 10) == .success)
  }

  @Test func aPortThatIsTakenIsReported() throws {
    try withServer { server in
      let error = #expect(throws: ServerError.self) {
        try HTTPServer(host: "127.0.0.1", port: server.port, handler: SmallHandler())
      }
      #expect(error?.description.hasSuffix("another program listens there") == true)
    }
  }
}

extension HTTPLimits {
  /// The limits with short waits.
  fileprivate var quick: HTTPLimits {
    var limits = self
    (limits.tickMilliseconds, limits.lingerMilliseconds) = (20, 500)
    return limits
  }
}

/// Waits until a condition holds, at most some seconds.
func wait(_ condition: () -> Bool) {
  for _ in 0..<2_000 where !condition() { usleep(5_000) }
}

/// A folder for a test, which is removed with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "streamhub-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
#endif
