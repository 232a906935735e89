@_spi(Engine) internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// The names of the attributes that clients have sent, in a file that commands can read.
final class AttributeNames: Sendable {
  private let path: String
  private let state: Mutex<(names: Set<String>, isSaved: Bool)>

  /// Maximum number of names: everybody with a token for reports can send some.
  private static let limit = 1_000

  /// Reads the names; there are none if there is no file.
  init(_ path: String) {
    self.path = path
    var reader = JSONReader()
    let stored = (try? FileContents.read(path, name: path, limit: 1 << 20)).flatMap { try? reader.read($0) }
    var names: [String] = []
    if case .list(let list)? = stored?.member("attributes") { names = list.compactMap(\.text) }
    state = Mutex((Set(names), true))
  }

  var names: Set<String> { state.withLock(\.names) }

  func add(_ names: [String]) {
    state.withLock { state in
      for name in names where state.names.count < Self.limit && state.names.insert(name).inserted {
        state.isSaved = false
      }
    }
  }

  /// Writes the names if there are new ones. Returns whether the disk has taken them.
  func save() -> Bool {
    let unsaved = state.withLock { $0.isSaved ? nil : $0.names }
    guard let unsaved else { return true }
    let text = JSONWriter.pretty(.object(("attributes", .list(unsaved.sorted().map(Value.string)))))
    do throws(Diagnostic) {
      try AtomicFile.write(Array(text.utf8), to: path)
    } catch {
      return false
    }
    state.withLock { $0.isSaved = $0.names.count == unsaved.count }
    return true
  }
}
