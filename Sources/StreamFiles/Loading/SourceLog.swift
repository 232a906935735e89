package import StreamCore
internal import Synchronization

/// The texts read so far, by file name, for printing diagnostics.
package final class SourceLog: Sendable {
  private let texts = Mutex<[String: SourceText]>([:])

  package init() {}

  /// A text takes the place of one of the same name.
  package func add(_ text: SourceText) { texts.withLock { $0[text.file] = text } }

  /// The text of the file of this name.
  package subscript(name: String) -> SourceText? { texts.withLock { $0[name] } }
}
