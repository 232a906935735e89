import Testing

@testable import StreamCommands

/// The input is split into messages, whatever its pieces are.
@Suite struct MessageFramesTests {
  private func frames(_ pieces: [String]) -> [MessageFrames.Frame] {
    var frames = MessageFrames()
    var found: [MessageFrames.Frame] = []
    for piece in pieces {
      frames.append(Array(piece.utf8))
      while let frame = frames.next() { found.append(frame) }
    }
    return found
  }

  private func message(_ text: String) -> MessageFrames.Frame { .message(Array(text.utf8)) }

  @Test("Two messages are two, however the input is split")
  func cuts() {
    let text = "Content-Length: 3\r\n\r\na\r\nContent-Type: x; charset=utf-8\r\ncontent-length:  2 \r\n\r\nde"
    let whole = [message("a\r\n"), message("de")]
    #expect(frames([text]) == whole)
    for place in text.unicodeScalars.indices {
      #expect(frames([String(text[..<place]), String(text[place...])]) == whole)
    }
    #expect(frames(text.unicodeScalars.map { String($0) }) == whole)
  }

  /// A fault, and the message that is read anyway.
  static let faults: [(String, String)] = [
    ("Content-Length: x\r\n\r\n", "Content-Length is 'x'"), ("Content-Length: -1\r\n\r\n", "Content-Length is '-1'"),
    ("Type: x\r\n\r\n", "no Content-Length"),
    (String(repeating: "x", count: 5_000), "longer than 4096 bytes"),
  ]

  @Test("Errors are reported, and reading continues", arguments: faults)
  func isFault(_ text: String, _ piece: String) {
    let found = frames([text, "\r\nContent-Length: 2\r\n\r\nok"])
    guard case .fault(let fault)? = found.first else {
      Issue.record("nothing was told")
      return
    }
    #expect(fault.contains(piece))
    #expect(found.last == message("ok"))
  }

  @Test(
    "A message that is too long ends everything",
    arguments: ["134217729", "99999999999", "9223372036854775807", "99999999999999999999"])
  func tooLong(_ length: String) {
    let found = frames([
      "Content-Length: 2\r\n\r\nok", "Content-Length: \(length)\r\n\r\n", "\r\nContent-Length: 2\r\n\r\nno",
    ])
    #expect(found.count == 2)
    #expect(found.first == message("ok"))
    guard case .end(let fault)? = found.last else {
      Issue.record("it goes on")
      return
    }
    #expect(fault.contains("a message of \(length) bytes is too long; at most 134217728 bytes are allowed"))
  }

  @Test("A header behind the rest of a message that was cut wrong is found")
  func resynchronized() {
    #expect(frames(["Content-Length: 2\r\n\r\n{}}Content-Length: 2\r\n\r\nok"]) == [message("{}"), message("ok")])
    #expect(frames(["\r\n\r\nContent-Length: 2\n\nok"]) == [message("ok")])
  }
}
