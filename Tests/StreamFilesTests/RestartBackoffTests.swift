import Testing

@testable import StreamFiles

/// The waits before a program is started again.
@Suite struct RestartBackoffTests {
  private func waits(_ backoff: inout RestartBackoff, _ count: Int, run: Int64 = 0) -> [Int64] {
    (0..<count).map { _ in backoff.wait(afterRunOf: run) / 1_000_000 }
  }

  @Test("They double up to 30 seconds")
  func doubling() {
    var backoff = RestartBackoff()
    #expect(waits(&backoff, 11) == [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
    #expect(backoff.failureCount == 11)
    #expect(waits(&backoff, 100).allSatisfy { $0 == 30_000 })
  }

  @Test("They begin again at the first one after progress, and after ten seconds")
  func anew() {
    var backoff = RestartBackoff()
    _ = waits(&backoff, 4)
    backoff.noteProgress()
    #expect(waits(&backoff, 3) == [100, 100, 200])
    #expect(backoff.failureCount == 2)
    #expect(waits(&backoff, 1, run: 10_000_000_000) == [100])
  }
}

/// Programs with pipes.
@Suite struct PipedProcessTests {
  private func output(of process: PipedProcess) -> String {
    var text = ""
    while !process.hasClosedOutput {
      if let bytes = process.read() { text += String(decoding: bytes, as: UTF8.self) }
      if let output = process.output { _ = Waiting.readable([output], nanoseconds: 10_000_000_000) }
    }
    return text
  }

  @Test("A program reads its input and its file 3, and its output is read")
  func pipes() throws {
    let process = try PipedProcess(
      "/bin/sh", ["-c", "cat - /dev/fd/3; exit 4"], readsOutput: true, third: Array("three".utf8))
    #expect(process.write(Array("one ".utf8)[...]) == 4)
    process.closeInput()
    #expect(output(of: process) == "one three")
    PipedProcess.wait(for: [process], 10_000)
    guard case .exit(4)? = process.end else {
      Issue.record("\(String(describing: process.end))")
      return
    }
  }

  @Test("A program that ignores signals ends with all that it has started")
  func stop() throws {
    let process = try PipedProcess(
      "/bin/sh", ["-c", "trap '' TERM; sleep 60 & echo $!; while :; do sleep 1; done"], readsOutput: true)
    var line = ""
    while !line.hasSuffix("\n") {
      if let bytes = process.read() { line += String(decoding: bytes, as: UTF8.self) }
      if let output = process.output { _ = Waiting.readable([output], nanoseconds: 10_000_000_000) }
    }
    PipedProcess.stop([process], within: 0)
    guard case .signal(9)? = process.end else {
      Issue.record("\(String(describing: process.end))")
      return
    }
  }

  @Test("A write to a program that has ended is harmless, and what it has not read is counted")
  func unread() throws {
    let process = try PipedProcess(
      "/bin/sh", ["-c", "exec head -c 3 > /dev/null"], readsOutput: false, keepsUnread: true)
    _ = process.write(Array("abcdefgh".utf8)[...])
    PipedProcess.wait(for: [process], 10_000)
    let count = process.takeUnread()
    // `head` may read more than it prints.
    #expect(count == 5 || count == 0)
    #expect(process.write(Array(repeating: 1, count: 1_000_000)[...]) < 1_000_000)
    let plain = try PipedProcess("/bin/sh", ["-c", "exit 0"], readsOutput: false)
    PipedProcess.wait(for: [plain], 10_000)
    #expect(plain.write([1, 2, 3][...]) == 0)
  }

  @Test("A program that is not there is an error")
  func missing() {
    #expect(throws: SystemError(number: 2)) { try PipedProcess("no-such-program", [], readsOutput: false) }
  }
}
