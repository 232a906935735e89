internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamTools

/// The files open in the editor, whose texts replace those on disk.
struct OpenFiles {
  /// An open file.
  struct File {
    let uri: String
    /// The path, or the URI of a buffer without a file.
    let identity: String
    var version: Value
    var document: EditorDocument
    fileprivate(set) var loader: FileLoader
    /// Whether its diagnostics must be published again.
    var isStale = true
  }

  /// The files that open files may name, besides those below their directories.
  private let access: FileAccess
  private(set) var files: [String: File] = [:]

  init(_ access: FileAccess = FileAccess()) { self.access = access }

  subscript(uri: String) -> File? { files[uri] }

  /// The files whose diagnostics must be published, by URI.
  var stale: [File] { files.values.filter(\.isStale).sorted { $0.uri < $1.uri } }

  mutating func open(_ uri: String, _ text: String, version: Value) {
    let identity = FileURI.path(uri).map { Path.expected($0) ?? $0 } ?? uri
    set(Array(text.utf8), uri, identity: identity, version: version)
  }

  mutating func close(_ uri: String) {
    guard let file = files.removeValue(forKey: uri) else { return }
    refresh(dependentsOf: file.identity)
  }

  /// Changes the text; each range refers to the text after the preceding changes.
  ///
  /// - Parameter changes: A range (nil for the whole text) and its replacement.
  mutating func change(
    _ uri: String, _ changes: [(range: Range<EditorPosition>?, text: String)], units: EditorUnits, version: Value
  ) {
    guard let file = files[uri] else { return }
    var text = EditedText(file.document.text.bytes, units: units)
    for (range, new) in changes {
      if let range { text.replace(range, with: new) } else { text = EditedText(Array(new.utf8), units: units) }
    }
    set(text.bytes, uri, identity: file.identity, version: version)
  }

  /// Publishes the diagnostics of all files that refer to other files again, since these may have changed on disk.
  mutating func refreshAll() {
    for (uri, file) in files where !file.loader.wanted.isEmpty { renew(uri, file) }
  }

  mutating func noteTold(_ uri: String) { files[uri]?.isStale = false }

  private mutating func set(_ bytes: [UInt8], _ uri: String, identity: String, version: Value) {
    let (document, loader) = makeDocument(bytes, uri, identity)
    files[uri] = File(uri: uri, identity: identity, version: version, document: document, loader: loader)
    refresh(dependentsOf: identity)
  }

  /// Discards the results for files that refer to this one, directly or indirectly.
  private mutating func refresh(dependentsOf identity: String) {
    for (uri, file) in files where file.identity != identity {
      if file.isStale || file.loader.wanted.contains(identity) { renew(uri, file) }
    }
  }

  private mutating func renew(_ uri: String, _ file: File) {
    let (document, loader) = makeDocument(file.document.text.bytes, uri, file.identity)
    files[uri] = File(uri: uri, identity: file.identity, version: file.version, document: document, loader: loader)
  }

  private func makeDocument(_ bytes: [UInt8], _ uri: String, _ identity: String) -> (EditorDocument, FileLoader) {
    let opened = Dictionary(
      files.values.filter { $0.identity != identity }.map { ($0.identity, $0.document.text.bytes) },
      uniquingKeysWith: { first, _ in first })
    let loader = FileLoader(access, opened: opened, checking: CompileBound.ofServer.check)
    // A buffer that has not been saved as a file has no directory.
    if FileURI.path(uri) != nil { loader.allowFiles(beside: identity) }
    let options = loader.options()
    return (EditorDocument(bytes, file: identity, identity: identity, options: options), loader)
  }
}
