internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// Reports the files of the folder that have changed to pages.
///
/// It compares the folder's files twice a second while a page listens: polling works on every system and every disk.
final class FolderChanges: Sendable {
  private let folder: StudioFolder
  private let state = Mutex(State())

  private struct State {
    var listeners: [Int: AsyncStream<PageEvent>.Continuation] = [:]
    var count = 0
    var watcher: Task<Void, Never>?
  }

  /// Time between two looks, and between two signs of life, which find out that a page is gone.
  private static let interval = Duration.milliseconds(500)
  private static let quietLooks = 30

  init(_ folder: StudioFolder) { self.folder = folder }

  /// Returns the changes from now on.
  func events() -> AsyncStream<PageEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: PageEvent.self, bufferingPolicy: .bufferingNewest(1_000))
    state.withLock { state in
      state.count += 1
      let id = state.count
      state.listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in self?.remove(id) }
      continuation.yield(PageEvent(name: "hello", value: ["id": .int(Int64(id))]))
      if state.watcher == nil { state.watcher = Task { await watch() } }
    }
    return stream
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.listeners[id] = nil
      guard state.listeners.isEmpty else { return }
      state.watcher?.cancel()
      state.watcher = nil
    }
  }

  private func tell(_ event: PageEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  private func watch() async {
    var known = stamps()
    var quiet = 0
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.interval)
      let found = stamps()
      quiet += 1
      for path in Set(known.keys).union(found.keys).sorted() where known[path] != found[path] {
        let text = found[path] == nil ? nil : (try? folder.text(of: path)) ?? nil
        tell(
          PageEvent(name: "file", value: ["path": .string(path), "digest": .text(text.map(StudioFolder.digest))]))
        quiet = 0
      }
      known = found
      if quiet >= Self.quietLooks {
        tell(PageEvent(name: "alive", value: .null))
        quiet = 0
      }
    }
  }

  private func stamps() -> [String: FileStamp] {
    let contents = folder.contents()
    let files = contents.streams + contents.recordings + contents.data
    return Dictionary(files.map { ($0.path, $0.stamp) }, uniquingKeysWith: { first, _ in first })
  }
}
