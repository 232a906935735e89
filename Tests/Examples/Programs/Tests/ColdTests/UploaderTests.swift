import Cold
import StreamTesting
import Synchronization
import Testing

@Suite("Uploader", .timeLimit(.minutes(1)))
struct UploaderTests {
  struct Offline: Error, CustomStringConvertible { var description: String { "offline" } }

  @Test("A chunk that fails is sent again later, and a server that stays offline fails the upload")
  func retries() async throws {
    let sent = Mutex<[Uploader.Chunk]>([])
    let uploader = try Uploader { chunk in
      let attempt = sent.withLock {
        $0.append(chunk)
        return $0.count
      }
      if chunk.name == "b" || attempt == 2 { throw Offline() }
    }
    let clock = ManualClock()
    var progress = uploader.progress(clock: clock).makeAsyncIterator()
    uploader.uploads.send(Uploader.Upload(name: "a", chunks: 2))
    uploader.uploads.send(Uploader.Upload(name: "b", chunks: 5))
    #expect(try await progress.next() == .sent(name: "a", chunk: 1, of: 2))
    // The waits of a retry: 1 second for the file a, then 1, 2 and 4 seconds for the file b.
    let ticking = Task {
      for _ in 0..<8 {
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
      }
    }
    #expect(try await progress.next() == .sent(name: "a", chunk: 2, of: 2))
    let last = try await progress.next()
    #expect(last == .failed(name: "b", reason: "the function 'send' failed: offline"))
    await ticking.value
    #expect(sent.withLock { $0.count } == 3 + 4)
  }
}
