package import StreamCore
internal import Synchronization

/// Texts that stand for files which the user named, for example the versions of a stream in a repository.
package final class NamedTexts: Sendable {
  private let texts: Mutex<[String: [UInt8]]>
  /// Streams in their short form, by name.
  let shortForms: [String: [UInt8]]
  /// The values that the streams in their short form declare as parameters, if they use them.
  let parameters: [(name: String, value: Value)]

  package init(
    _ texts: [String: [UInt8]] = [:], shortForms: [String: [UInt8]] = [:],
    parameters: [(name: String, value: Value)] = []
  ) {
    self.texts = Mutex(texts)
    self.shortForms = shortForms
    self.parameters = parameters
  }

  /// The text of a name; nil if the name is the path of a file.
  package subscript(name: String) -> [UInt8]? {
    get { texts.withLock { $0[name] } }
    set { texts.withLock { $0[name] = newValue } }
  }
}
