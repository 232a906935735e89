import Synchronization

/// The received values, from any thread.
final class Recorder<Content: Sendable>: Sendable {
  private let contents = Mutex<[Content]>([])

  func append(_ content: Content) { contents.withLock { $0.append(content) } }

  var values: [Content] { contents.withLock { $0 } }
}
