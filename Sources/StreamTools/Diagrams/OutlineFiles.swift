internal import StreamCore
internal import StreamKit

/// The files that an outline refers to, each outlined once.
final class OutlineFiles {
  private let loader: any StreamLoader
  /// Prefix of the paths of files in the main file's directory.
  private let folder: String
  /// Location of the reference to each file in the compiled stream, by identity.
  private let origins: [String: JSONPointer]
  private var names: [String: String] = [:]
  private var depth = 0
  /// The outlines, each after those it refers to.
  private(set) var all: [StreamOutline] = []

  init(of stream: StreamFile, loader: any StreamLoader, origins: [String: JSONPointer]) {
    self.loader = loader
    self.origins = origins
    let path = stream.document.file
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    names[stream.identity] = path
  }

  /// Creates the outline of a file unless it exists; nil if the file cannot be read.
  ///
  /// - Parameter pointer: Location of the reference.
  /// - Returns: The file's name: its path relative to the main file.
  func name(of path: String, at pointer: JSONPointer, _ context: OutlineContext) -> String? {
    guard depth < Compiler.depthLimit, let stream = try? loader.load(path, relativeTo: context.base) else { return nil }
    if let known = names[stream.identity] { return known }
    let shown = stream.document.file
    let short = shown.hasPrefix(folder) ? String(shown.dropFirst(folder.count)) : shown
    let name = names.values.contains(short) ? stream.identity : short
    names[stream.identity] = name
    depth += 1
    defer { depth -= 1 }
    all.append(
      StreamOutline(
        stream.model, name: name, at: origins[stream.identity] ?? pointer, context.entering(stream)))
    return name
  }
}
