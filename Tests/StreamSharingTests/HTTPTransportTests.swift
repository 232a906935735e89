#if Sharing
import CLibrary
import Foundation
import Synchronization
import Testing

@testable import StreamSharing

/// A server on the loopback interface that answers each request with fixed bytes.
final class OneAnswerServer: Sendable {
  private let socketNumber: Int32
  let port: UInt16
  private let received = Received()

  /// The requests so far, with their bodies.
  var requests: [String] { received.texts.withLock { $0 } }

  private final class Received: Sendable {
    let texts = Mutex<[String]>([])
    let isOver = Atomic(false)
  }

  /// - Parameters:
  ///   - answer: The bytes of every response, with its header.
  ///   - pause: Time between two bytes, in microseconds; nil sends all at once.
  ///   - beginning: Bytes that are sent at once before the answer.
  init(_ answer: String, repeating count: Int = 1, pause: UInt32? = nil, after beginning: String = "") throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(number, pointer, size) == 0 && listen(number, 8) == 0 && getsockname(number, pointer, &size) == 0
      }
    }
    try #require(bound)
    socketNumber = number
    port = UInt16(bigEndian: address.sin_port)
    let (bytes, first) = (Array(answer.utf8), Array(beginning.utf8))
    Thread.detachNewThread { [received] in Self.serve(number, bytes, count, pause, first, received) }
  }

  deinit {
    received.isOver.store(true, ordering: .sequentiallyConsistent)
    _ = shutdown(socketNumber, Int32(SHUT_RDWR))
  }

  private static func serve(
    _ number: Int32, _ answer: [UInt8], _ count: Int, _ pause: UInt32?, _ first: [UInt8], _ received: Received
  ) {
    // A signal may interrupt the wait for a connection.
    while !received.isOver.load(ordering: .sequentiallyConsistent) {
      let connection = accept(number, nil, nil)
      guard connection >= 0 else { continue }
      let request = readRequest(connection)
      received.texts.withLock { $0.append(request) }
      _ = first.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      sending: for _ in 0..<count {
        for piece in pause == nil ? [answer[...]] : answer.indices.map({ answer[$0...$0] }) {
          let sent = piece.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          if sent < 0 { break sending }
          if let pause { usleep(pause) }
        }
      }
      close(connection)
    }
    close(number)
  }

  /// Reads until the body is as long as the header states.
  private static func readRequest(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
      guard let header = parts.first, String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") else { continue }
      let field = header.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
      if parts.dropFirst().first?.utf8.count ?? 0 >= length { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite struct HTTPTransportTests {
  private func read(
    _ answer: String, repeating count: Int = 1, pause: UInt32? = nil, after beginning: String = "", limit: Int = 100,
    timeout: Double = 30
  ) async throws -> Result<[UInt8]?, TrustError> {
    let server = try OneAnswerServer(answer, repeating: count, pause: pause, after: beginning)
    let transport = try HTTPTransport("http://127.0.0.1:\(server.port)/repository", timeout: timeout)
    do throws(TrustError) {
      return .success(try await transport.read("timestamp.json", atMost: limit))
    } catch {
      return .failure(error)
    }
  }

  private func kind(_ result: Result<[UInt8]?, TrustError>) -> TrustError.Kind? {
    if case .failure(let error) = result { error.kind } else { nil }
  }

  @Test("A truncated reply of a hub is an error")
  func aReplyOfAHubThatIsCutOff() async throws {
    let server = try OneAnswerServer("HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n{\"version\": 1")
    let hub = try HubInterface("http://127.0.0.1:\(server.port)", token: "t", timeout: 5)
    await #expect(throws: TrustError.self) { try await hub.send("POST", "v1/streams/a/halt", body: Array("{}".utf8)) }
  }

  @Test func aFileIsRead() async throws {
    let result = try await read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    #expect(result == .success(Array("hello".utf8)))
  }

  @Test(arguments: [403, 404])
  func aMissingFileIsNil(_ status: Int) async throws {
    let result = try await read("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
    #expect(result == .success(nil))
  }

  @Test func anErrorOfTheServerIsNoFile() async throws {
    let result = try await read("HTTP/1.1 500 Oh\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
    #expect(kind(result) == .unreachable)
  }

  @Test func aLongFileIsRefused() async throws {
    let body = String(repeating: "x", count: 5_000)
    let result = try await read("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n" + body)
    #expect(kind(result) == .tooLarge)
  }

  @Test func aShortFileBeyondTheLimitIsRefused() async throws {
    let result = try await read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", limit: 2)
    #expect(kind(result) == .tooLarge)
  }

  @Test func anEndlessFileIsRefusedWhileItArrives() async throws {
    let chunk = "3e8\r\n" + String(repeating: "x", count: 1_000) + "\r\n"
    let result = try await read(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 1_000),
      repeating: 1_000)
    #expect(kind(result) == .tooLarge)
  }

  @Test func aCutFileIsRefused() async throws {
    let result = try await read("HTTP/1.1 200 OK\r\nContent-Length: 50\r\nConnection: close\r\n\r\nhello")
    #expect(kind(result) == .unreachable)
  }

  /// Each byte arrives long before the timeout: only the duration of the request as a whole ends it.
  @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le", ""])
  func aSlowBodyOrHeaderEndsAfterTheTimeout(_ beginning: String) async throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + String(repeating: "x", count: 90)
    // A client that waits gets the whole answer.
    let result = try await read(
      String(whole.dropFirst(beginning.count)), pause: 100_000, after: beginning, timeout: 1)
    #expect(kind(result) == .unreachable)
  }

  @Test func anEventStreamThatIsSilentEndsAfterThePause() async throws {
    let server = try OneAnswerServer("x", pause: 8_000_000, after: "HTTP/1.1 200 OK\r\n\r\n:")
    let url = try HTTPExchange.url("http://127.0.0.1:\(server.port)", "v1/events")
    let outcome = try await HTTPExchange(HTTPExchange.Request(url: url, pause: 1)) { _ in
      true
    } receive: { _ in
      true
    }
    .run()
    #expect(!outcome.isWhole)
  }

  /// A hub sends a comment of a few bytes from time to time.
  @Test func anEventStreamWithRareCommentsGoesOn() async throws {
    let server = try OneAnswerServer(
      String(repeating: ":", count: 36), pause: 200_000, after: "HTTP/1.1 200 OK\r\n\r\n")
    let url = try HTTPExchange.url("http://127.0.0.1:\(server.port)", "v1/events")
    let outcome = try await HTTPExchange(HTTPExchange.Request(url: url, pause: 6)) { _ in
      true
    } receive: { _ in
      true
    }
    .run()
    #expect(outcome.isWhole)
  }

  @Test func aRequestEndsWithItsTask() async throws {
    let server = try OneAnswerServer("x", pause: 8_000_000, after: "HTTP/1.1 200 OK\r\n\r\n:")
    let url = try HTTPExchange.url("http://127.0.0.1:\(server.port)", "v1/events")
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await HTTPExchange(HTTPExchange.Request(url: url, pause: 60)) { _ in
        true
      } receive: { _ in
        begin.finish()
        return true
      }.run()
    }
    for await _ in begins {}
    let start = ContinuousClock.now
    task.cancel()
    _ = try? await task.value
    let duration = ContinuousClock.now - start
    #expect(duration < .seconds(2))
  }

  /// A compressed body may be expanded to any length, so none is asked for.
  @Test func noCompressionIsAskedFor() async throws {
    let server = try OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    _ = try await HTTPTransport("http://127.0.0.1:\(server.port)").read("a", atMost: 10)
    #expect(server.requests.first?.lowercased().contains("accept-encoding") == false)
  }

  @Test func aRedirectIsFollowedWithoutAToken() async throws {
    let file = try OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    let other = "Location: http://127.0.0.1:\(file.port)/b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
    let server = try OneAnswerServer("HTTP/1.1 302 Found\r\n" + other)
    let bytes = try await HTTPTransport("http://127.0.0.1:\(server.port)").read("a", atMost: 10)
    #expect(bytes == Array("hello".utf8))
  }

  @Test func aServerThatIsNotThereIsUnreachable() async throws {
    let transport = try HTTPTransport("http://127.0.0.1:1/repository")
    let error = await #expect(throws: TrustError.self) { try await transport.read("a", atMost: 1) }
    #expect(error?.kind == .unreachable)
  }

  @Test(arguments: ["ftp://example.org", "example.org", "", "http://", "file:///etc"])
  func anotherAddressIsRefused(_ address: String) {
    #expect(throws: TrustError.self) { try HTTPTransport(address) }
  }
}
#endif
