#if Sharing
import Testing

@testable import StreamHub

@Suite struct HTTPRequestParserTests {
  private func parse(_ text: String) -> Result<HTTPRequestHead?, HTTPFailure> {
    var searched = 0
    do throws(HTTPFailure) {
      return .success(try HTTPRequestParser(limits: HTTPLimits()).parse(Array(text.utf8), searched: &searched)?.head)
    } catch {
      return .failure(error)
    }
  }

  @Test func aHeadIsRead() throws {
    let head = try #require(
      try parse("PUT /v1/a?percent=2 HTTP/1.1\r\nHost: h\r\nIf-Match:  \"x\" \r\ncontent-LENGTH: 12\r\n\r\n").get())
    #expect(head.method == "PUT")
    #expect(head.path == "/v1/a")
    #expect(head.query == "percent=2")
    #expect(head["if-match"] == "\"x\"")
    #expect(head.body == .length(12))
    #expect(head.keepsConnection)
  }

  @Test func aHeadMayArriveByteByByte() throws {
    let bytes = Array("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\nGET".utf8)
    var searched = 0
    var lengths: [Int] = []
    for count in 1...bytes.count {
      let parser = HTTPRequestParser(limits: HTTPLimits())
      if let (_, length) = try parser.parse(Array(bytes[..<count]), searched: &searched) {
        lengths.append(length)
        break
      }
    }
    #expect(lengths == [bytes.count - 3])
  }

  @Test(arguments: [
    "GET / HTTP/1.1", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n", "", "\r\n",
  ])
  func anIncompleteHeadIsWaitedFor(_ text: String) throws {
    let head = try parse(text).get()
    #expect(head == nil)
  }

  /// Heads that programs read differently, which hide requests from a proxy.
  @Test(arguments: [
    (400, "GET / HTTP/1.1\nHost: h\n\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\n\n"),
    (400, "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
    (400, "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"),
    (400, "GET /\r\nHost: h\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n"),
    (400, "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n"),
    (400, "G(T / HTTP/1.1\r\nHost: h\r\n\r\n"),
    (400, "GET /\u{e4} HTTP/1.1\r\nHost: h\r\n\r\n"),
    (400, "GET * HTTP/1.1\r\nHost: h\r\n\r\n"),
    (400, "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n\r\n"),
    (400, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n"),
    (400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
    (501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
    (501, "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n"),
    (505, "GET / HTTP/2.0\r\nHost: h\r\n\r\n"),
    (400, "GET / http/1.1\r\nHost: h\r\n\r\n"),
    (400, "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n"),
    (414, "GET /" + String(repeating: "a", count: 9_000) + " HTTP/1.1\r\nHost: h\r\n\r\n"),
    (414, "GET /" + String(repeating: "a", count: 20_000)),
    (431, "GET / HTTP/1.1\r\nHost: h\r\nX: " + String(repeating: "a", count: 17_000)),
    (431, "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: a\r\n", count: 101) + "\r\n"),
  ])
  func aHeadThatIsNotClearIsRefused(_ status: Int, _ text: String) {
    let result = parse(text)
    guard case .failure(let failure) = result else {
      Issue.record("accepted: \(text.prefix(80).debugDescription)")
      return
    }
    #expect(failure.status == status, "\(text.prefix(80).debugDescription): \(failure.detail)")
  }

  @Test func aWholeAddressIsAPath() throws {
    let head = try #require(try parse("GET http://example.org/a?b HTTP/1.1\r\nHost: h\r\n\r\n").get())
    #expect(head.target == "/a?b")
    let bare = try #require(try parse("GET http://example.org HTTP/1.1\r\nHost: h\r\n\r\n").get())
    #expect(bare.target == "/")
  }

  // MARK: Chunks

  private func read(_ text: String, limit: Int = 100, by step: Int = .max) -> Result<(String, Bool), HTTPFailure> {
    var body = ChunkedBody(limit: limit)
    var input: [UInt8] = []
    var isDone = false
    do throws(HTTPFailure) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty, !isDone {
        input += rest.prefix(step)
        rest = rest.dropFirst(step)
        isDone = try body.read(&input)
      }
    } catch {
      return .failure(error)
    }
    return .success((String(decoding: body.bytes, as: UTF8.self), isDone))
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func chunksAreJoined(_ step: Int) throws {
    let text = "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
    let (body, isDone) = try read(text, by: step).get()
    #expect(body == "hello world")
    #expect(isDone)
  }

  @Test(arguments: [
    (400, "x\r\n"), (400, "\r\n"), (400, "-1\r\n"), (400, "+5\r\nhello\r\n"), (400, "5\nhello\r\n"),
    (400, "5\r\nhello!\r\n"), (413, "65\r\n"), (413, "ffffffff\r\n"), (400, "fffffffff\r\n"),
    (400, "5;" + String(repeating: "x", count: 300)),
    (431, "0\r\n" + String(repeating: "A: b\r\n", count: 17) + "\r\n"),
  ])
  func wrongChunksAreRefused(_ status: Int, _ text: String) {
    guard case .failure(let failure) = read(text) else {
      Issue.record("accepted: \(text.prefix(80).debugDescription)")
      return
    }
    #expect(failure.status == status)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func datesAreThoseOfHeaders(_ seconds: Int64, _ text: String) {
    let date = HTTPDate.text(seconds)
    #expect(date == text)
  }
}
#endif
