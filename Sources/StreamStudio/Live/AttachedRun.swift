internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamTools

/// A stream that another process runs with `--state DIR`: its rates, queues and memory, once a second.
actor AttachedRun: WatchedStream {
  private let place: String
  private var watcher: Task<Void, Never>?

  /// - Throws: 404 if no stream runs with the folder.
  init(_ place: String) throws(StudioProblem) {
    self.place = place
    do throws(Diagnostic) { _ = try StatusClient(place) } catch {
      throw StudioProblem(.notFound, error.message, detail: error.help)
    }
  }

  func events() throws(StudioProblem) -> AsyncStream<PageEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: PageEvent.self, bufferingPolicy: .bufferingNewest(10))
    watcher?.cancel()
    let watcher = Task.detached { [place] in
      let client = try? StatusClient(place)
      while !Task.isCancelled, let status = try? client?.status() {
        continuation.yield(PageEvent(name: "status", value: PageValue(status).value))
        try? await Task.sleep(for: .seconds(1))
      }
      continuation.yield(PageEvent(name: "end", value: ["reason": "the run has ended"]))
      continuation.finish()
    }
    continuation.onTermination = { _ in watcher.cancel() }
    self.watcher = watcher
    return stream
  }

  func stop() { watcher?.cancel() }
}
