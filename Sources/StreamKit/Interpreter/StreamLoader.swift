public import StreamCore

/// Reads stream files that other stream files name.
///
/// Paths are as stream files have them: absolute ones, ones with `..` in them, and ones that lead over links may be
/// among them. A host that compiles files of strangers decides which of them it reads, and quotes nothing of the
/// others. No path has a zero character in it.
public protocol StreamLoader: Sendable {
  /// The file at `path`, which stands in the file `base` (nil where that has no place of its own).
  ///
  /// - Throws: what is wrong with the file, with locations in it.
  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile
}

/// A stream file as read: the model and the text that it came from.
public struct StreamFile: Sendable {
  /// What tells the file from every other: an absolute path. The base of the paths in it.
  public let identity: String
  public let model: StreamModel
  public let document: JSONDocument

  /// - Throws: all that is wrong with the model, with locations. Expressions are checked even if something else is wrong.
  public init(_ document: JSONDocument, identity: String) throws(Diagnostics) {
    self.document = document
    self.identity = identity
    let (model, problems) = Self.read(document, identity: identity)
    self.model = model
    if problems.hasErrors { throw problems }
  }

  /// The model as far as it can be read, and all that is wrong with it, in the order of the text; if anything is, what
  /// is wrong with its expressions too.
  package static func read(
    _ document: JSONDocument, identity: String, options: CompileOptions = CompileOptions(),
    record: CompileRecord? = nil
  ) -> (model: StreamModel, problems: Diagnostics) {
    let (model, problems) = StreamModel.read(document.value)
    guard problems.hasErrors else { return (model, Diagnostics()) }
    let all =
      problems.all.map(document.locate)
      + Compiler.expressionProblems(
        of: model, document: document, identity: identity, options: options, record: record)
    return (
      model,
      Diagnostics(
        all.enumerated().sorted { first, second in
          let places = (first.element.location?.bytes.lowerBound ?? 0, second.element.location?.bytes.lowerBound ?? 0)
          return places.0 != places.1 ? places.0 < places.1 : first.offset < second.offset
        }.map(\.element)
      ).limited()
    )
  }
}
