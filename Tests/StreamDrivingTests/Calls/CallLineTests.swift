@_spi(Engine) import StreamCore
import StreamEngine
import Testing

@testable import StreamDriving

/// The lines that a run and a program exchange.
@Suite struct CallLineTests {
  private func answer(_ line: String) -> String {
    var reader = JSONReader()
    do throws(CallLine.Problem) {
      let (id, answer) = try CallLine.answer(Array(line.utf8), &reader)
      return "\(id) \(answer)"
    } catch {
      return error.message
    }
  }

  @Test("A request is one line")
  func request() {
    let call = Call(id: 7, function: "f", argument: ["a": "b\n"], pointer: JSONPointer())
    #expect(String(decoding: CallLine.request(call), as: UTF8.self) == "{\"id\":7,\"argument\":{\"a\":\"b\\n\"}}\n")
  }

  @Test(
    "An answer has an id, and a value or a failure",
    arguments: [
      (#"{"id": 7, "value": 1}"#, CallLine.Answer.value(1)), (#"{"id": 7.0, "value": null, "x": 2}"#, .value(.null)),
      (#"{"failure": "no", "id": 7}"#, .failure("no")), (#"{"id": 7}"#, .wrong("has neither 'value' nor 'failure'")),
      (#"{"id": 7, "value": 1, "failure": 2}"#, .wrong("has both 'value' and 'failure'")),
    ])
  func answers(_ line: String, _ expected: CallLine.Answer) throws {
    var reader = JSONReader()
    let (id, answer) = try CallLine.answer(Array(line.utf8), &reader)
    #expect(id == 7)
    #expect(answer == expected)
  }

  @Test(
    "Other lines name no call",
    arguments: [
      ("[1]", "is not an object"), (#"{"value": 1}"#, "has no 'id'"),
      (#"{"id": 1.5, "value": 1}"#, "has an 'id' that is not an integer"),
      (#"{"id": "1", "value": 1}"#, "has an 'id' that is not an integer"),
    ])
  func problems(_ line: String, _ message: String) { #expect(answer(line) == message) }

  @Test("Lines are the same, whatever pieces they come in", arguments: 1...7)
  func pieces(_ size: Int) {
    var splitter = LineSplitter()
    let bytes = Array("ab\r\n\n1\r2\ncdefgh\nrest".utf8)
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      lines += splitter.lines(adding: piece).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == ["ab", "", "1\r2", "cdefgh"])
    #expect(splitter.count == 4)
  }
}

/// The calls that have no result yet.
@Suite struct PendingCallsTests {
  private func call(_ id: Int64) -> Call { Call(id: id, function: "f", argument: .int(id), pointer: JSONPointer()) }

  @Test("Calls that were asked are asked again before the others")
  func askAgain() {
    var pending = PendingCalls()
    for id: Int64 in 0..<5 { pending.append(call(id)) }
    #expect((0..<3).map { _ in pending.ask(0)?.id } == [0, 1, 2])
    #expect(pending.finish(1)?.call.id == 1)
    pending.askAgain()
    #expect((0..<5).map { _ in pending.ask(0)?.id } == [0, 2, 3, 4, nil])
  }

  @Test("A canceled call is not asked, or its result is ignored")
  func cancel() {
    var pending = PendingCalls()
    for id: Int64 in 0..<4 { pending.append(call(id)) }
    #expect(pending.ask(0)?.id == 0)
    pending.cancel(0)
    pending.cancel(2)
    pending.cancel(9)
    #expect(pending.isOpen)
    #expect(pending.ask(0)?.id == 1)
    #expect(pending.ask(0)?.id == 3)
    #expect(pending.finish(0)?.isCanceled == true)
    #expect(pending.awaited.map(\.id) == [1, 3])
    pending.cancel(3)
    pending.askAgain()
    #expect(pending.takeAll().map(\.id) == [1])
    #expect(!pending.isOpen)
  }

  @Test("A queue of many calls keeps its order")
  func many() {
    var (pending, asked): (PendingCalls, [Int64]) = (PendingCalls(), [])
    for id: Int64 in 0..<10_000 {
      pending.append(call(id))
      if id % 3 > 0, let next = pending.ask(0) { asked.append(next.id) }
    }
    while let next = pending.ask(0) { asked.append(next.id) }
    #expect(asked == Array(0..<10_000))
  }
}

/// The requests that `curl` sends.
@Suite struct CurlExchangeTests {
  private let exchange = CurlExchange(address: "https://me:pw@a.example/x?key=1", headers: ["A: \"b\\c\""], timeout: 5)

  private func result(_ output: String, _ code: Int32? = 0) -> Result<Value, CurlExchange.Problem> {
    var reader = JSONReader()
    return Result { () throws(CurlExchange.Problem) in
      try exchange.value(of: Array(output.utf8), code: code, &reader)
    }
  }

  @Test("Quotation marks and backslashes of a header are escaped")
  func configuration() {
    let text = String(decoding: exchange.configuration, as: UTF8.self)
    #expect(text.contains("\nheader = \"A: \\\"b\\\\c\\\"\"\n"))
    #expect(text.contains("\nheader = \"Content-Type: application/json\"\n"))
    let own = CurlExchange(address: "http://a", headers: ["content-type: text/plain"], timeout: 5)
    #expect(!String(decoding: own.configuration, as: UTF8.self).contains("application/json\"\nheader = \"Content"))
  }

  @Test("Messages contain no password and no query")
  func address() { #expect(exchange.shownAddress == "https://a.example/x") }

  @Test("The body of a good response is the value")
  func value() {
    #expect(result("{\"a\": 1}\n200 \n") == .success(["a": 1]))
    #expect(result("\n204 \n") == .success(.null))
    #expect(result("[1,\n2]\n201 \n") == .success([1, 2]))
  }

  @Test(
    "Other responses are failures with a status",
    arguments: [
      ("{\"e\": 1}\n503 \n", Int32(0), Int64(503), "answered with status 503"),
      ("\n301 https://b/\n", 0, 301, "a redirection to https://b/"), ("<p>\n200 \n", 0, 200, "not JSON"),
      ("\n000 \nNo host", 6, 0, "cannot be reached: No host"), ("\n000 \n", 28, 0, "within 5 seconds"),
      ("", 0, 0, "without a result"),
    ])
  func problems(_ output: String, _ code: Int32, _ status: Int64, _ part: String) {
    guard case .failure(let problem) = result(output, code) else {
      Issue.record("no failure")
      return
    }
    #expect(problem.status == status)
    #expect(problem.message.contains(part), "\(problem.message)")
  }

  @Test("The body of a failed response is part of the error value")
  func body() {
    guard case .failure(let problem) = result("{\"e\": 1}\n503 \n") else { return }
    #expect(problem.body == ["e": 1])
  }
}
