internal import StreamCore
internal import StreamKit

/// The files that an outline refers to, each outlined once.
final class OutlineFiles {
  private let loader: any StreamLoader
  /// What the paths of files begin with that stand beside the first one.
  private let folder: String
  /// Where files were named when they were compiled, by identity.
  private let origins: [String: JSONPointer]
  private var names: [String: String] = [:]
  private var depth = 0
  /// The outlines, each behind those that it refers to.
  private(set) var all: [StreamOutline] = []

  init(of stream: StreamFile, loader: any StreamLoader, origins: [String: JSONPointer]) {
    self.loader = loader
    self.origins = origins
    let path = stream.document.file
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    names[stream.identity] = path
  }

  /// Outlines the file at a path, unless that has happened; nil where it cannot be read.
  ///
  /// - Parameter pointer: where it is named.
  /// - Returns: what the file is called: its path, seen from the first file.
  func name(of path: String, at pointer: JSONPointer, _ context: OutlineContext) -> String? {
    guard depth < Compiler.depthLimit, let stream = try? loader.load(path, relativeTo: context.base) else { return nil }
    if let known = names[stream.identity] { return known }
    let shown = stream.document.file
    let short = shown.hasPrefix(folder) ? String(shown.dropFirst(folder.count)) : shown
    let name = names.values.contains(short) ? stream.identity : short
    names[stream.identity] = name
    depth += 1
    defer { depth -= 1 }
    var inner = context
    inner.base = stream.identity
    all.append(StreamOutline(stream.model, name: name, at: origins[stream.identity] ?? pointer, inner))
    return name
  }
}

/// What outlines are made with.
struct OutlineContext {
  /// Tells which streams the operators of its own take.
  let host: Host
  /// Nil where files are not looked into.
  var files: OutlineFiles?
  /// The file that is outlined: the base of the paths in it.
  var base: String?
}
