internal import StreamCore
internal import Synchronization

/// The texts that have been read, by the names of their files: what diagnostics point into.
final class SourceLog: Sendable {
  private let texts = Mutex<[String: SourceText]>([:])

  /// A text takes the place of one of the same name.
  func add(_ text: SourceText) { texts.withLock { $0[text.file] = text } }

  /// The text of the file of this name.
  subscript(name: String) -> SourceText? { texts.withLock { $0[name] } }
}
