public import StreamCore

/// Reads stream files that other stream files refer to.
///
/// ```swift
/// /// The stream files of an app, which refer to each other by name.
/// struct BundledFiles: StreamLoader {
///   let texts: [String: String]
///
///   func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile {
///     guard let text = texts[path] else {
///       throw Diagnostics([Diagnostic(.fileNotFound, "there is no file '\(path)'")])
///     }
///     return try StreamFile(JSONDocument(reading: text, file: path), identity: path)
///   }
/// }
/// ```
///
/// Paths are passed as written in stream files: they may be absolute, contain `..`, or lead over symbolic links. A host
/// that compiles untrusted files decides which files it reads, and quotes nothing from the others. No path contains a
/// NUL character.
public protocol StreamLoader: Sendable {
  /// Loads the file at `path`, as named in the file `base` (nil if that is not a file).
  ///
  /// - Throws: The errors in the file, with their locations.
  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> StreamFile
}

/// A stream file: the model and its text.
///
/// ```swift
/// let file = try StreamFile(JSONDocument(reading: text, file: "one.json"), identity: "one.json")
/// let outcomes = try TestRunner(file).run()
/// ```
public struct StreamFile: Sendable {
  /// The unique identity of the file: an absolute path, to which the paths in the file are relative.
  public let identity: String
  public let model: StreamModel
  public let document: JSONDocument

  /// - Throws: All errors in the model, with locations. Expressions are checked even if other parts are invalid.
  public init(_ document: JSONDocument, identity: String) throws(Diagnostics) {
    self.document = document
    self.identity = identity
    let (model, problems) = Self.read(document, identity: identity)
    self.model = model
    if problems.hasErrors { throw problems }
  }

  /// - Parameter model: The document's model, which is valid.
  package init(_ model: StreamModel, _ document: JSONDocument, identity: String) {
    self.model = model
    self.document = document
    self.identity = identity
  }

  /// Returns the model as far as it can be read, and all errors in the order of the text, including those in
  /// expressions.
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
