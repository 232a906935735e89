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
  /// The latest number of the outlines of each name; the names with numbers are among them.
  private var numbers: [String: Int] = [:]
  private var depth = 0
  /// The outlines, each after those it refers to.
  private(set) var all: [StreamOutline] = []

  init(of stream: StreamFile, loader: any StreamLoader, origins: [String: JSONPointer]) {
    self.loader = loader
    self.origins = origins
    let path = stream.document.file
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    names[stream.identity] = path
    numbers[path] = 1
  }

  /// Creates the outline of a file unless it exists; nil if the file cannot be read.
  ///
  /// - Parameters:
  ///   - use: The source that refers to the file, with the inputs and parameters that it gives.
  ///   - pointer: Location of the reference.
  /// - Returns: The file's name: its path relative to the main file, and a number if the same file is used with other
  ///   inputs or parameters.
  func name(of path: String, for use: Source.Stream, at pointer: JSONPointer, _ context: OutlineContext) -> String? {
    guard depth < Compiler.depthLimit, let stream = try? loader.load(path, relativeTo: context.base) else { return nil }
    let parameters = context.parameters.substituted(use.parameters ?? .map(ValueMap()))
    let inputs = use.inputs ?? [:]
    let isPlain = inputs.isEmpty && parameters == .map(ValueMap())
    let given =
      isPlain ? "" : "\n\(context.base ?? "") \(inputs.sorted { $0.key < $1.key }) \(JSONWriter.compact(parameters))"
    if let known = names[stream.identity + given] { return known }
    guard context.expansion.use(stream.identity, { stream.document.value }) else { return nil }
    let shown = stream.document.file
    let short = shown.hasPrefix(folder) ? String(shown.dropFirst(folder.count)) : shown
    let name = freeName(short, identity: isPlain ? stream.identity : nil)
    names[stream.identity + given] = name
    depth += 1
    defer { depth -= 1 }
    var inner = context.entering(stream)
    inner.parameters = context.parameters.applying(stream.model.parameters, to: parameters, isDefinition: false)
    let place = isPlain ? origins[stream.identity] ?? pointer : pointer
    var outline = StreamOutline(stream.model, name: name, at: place, inner)
    outline.bind(inputs)
    all.append(outline)
    return name
  }

  /// A name that no other outline has.
  private func freeName(_ short: String, identity: String?) -> String {
    guard let latest = numbers[short] else {
      numbers[short] = 1
      return short
    }
    if let identity { return identity }
    var number = latest + 1
    while numbers["\(short) \(number)"] != nil { number += 1 }
    (numbers[short], numbers["\(short) \(number)"]) = (number, 1)
    return "\(short) \(number)"
  }
}
