internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// The stream files of a saved state.
struct SavedStreams: StreamLoader {
  private let files: SavedRun.Files

  init(_ files: SavedRun.Files) { self.files = files }

  /// The main file.
  ///
  /// - Throws: The errors in its text.
  func main() throws(Diagnostics) -> StreamFile { try load(identity: files.main, name: files.name) }

  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
    let identity = Self.normalized(Path.join(Path.directory(of: base ?? files.main), path))
    // A link may have led elsewhere: a name that one file alone has is that file's.
    let named = files.texts.keys.filter { Path.name(of: $0) == Path.name(of: path) }
    return try load(identity: files.texts[identity] == nil && named.count == 1 ? named[0] : identity, name: path)
  }

  private func load(identity: String, name: String) throws(Diagnostics) -> StreamFile {
    guard let text = files.texts[identity] else {
      throw Diagnostics([Diagnostic(.fileNotFound, "the saved state has no stream file '\(name)'")])
    }
    return try StreamFile(JSONDocument(reading: text, file: name), identity: identity)
  }

  /// The path without `.` and `..`.
  private static func normalized(_ path: String) -> String {
    var names: [Substring] = []
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }
}

extension SavedRun.Files {
  /// The files of a stream that runs.
  init(of prepared: PreparedStream) {
    name = prepared.stream.document.file
    main = prepared.stream.identity
    texts = [main: JSONWriter.compact(prepared.stream.document.value)]
    for stream in prepared.loader.streams { texts[stream.identity] = JSONWriter.compact(stream.document.value) }
  }

  /// Whether both are the same stream, wherever the files are.
  func isSame(as other: SavedRun.Files) -> Bool {
    texts[main] == other.texts[other.main] && texts.values.sorted() == other.texts.values.sorted()
  }
}
