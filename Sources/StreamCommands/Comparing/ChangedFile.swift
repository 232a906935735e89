internal import StreamCore
internal import StreamKit

/// A stream file of which something else is to be made.
struct ChangedFile {
  private let document: JSONDocument
  private let path: String
  private let loader: FileLoader
  private let console: Console

  /// - Parameter path: where the file belongs: paths in it begin there.
  init(_ document: JSONDocument, path: String, _ loader: FileLoader, _ console: Console) {
    self.document = document
    self.path = path
    self.loader = loader
    self.console = console
  }

  /// All that is wrong with another text of the file as a stream file; nil if nothing is.
  func problems(in document: JSONDocument) -> Diagnostics? {
    do throws(Diagnostics) {
      _ = try LoadedStream(document, identity: identity).compile(
        CompileOptions(loader: loader, files: loader, host: .any))
      return nil
    } catch {
      return error
    }
  }

  private var identity: String { (try? loader.identity(of: path)) ?? Path.join(Path.current, path) }

  /// The text of the file with this value: where nothing has changed byte for byte as it was.
  ///
  /// - Throws: all that would be wrong with it as a stream file, with the lines it would have.
  func text(of value: Value) throws(Diagnostics) -> String {
    var editor = StreamEditor(
      document, identity: identity,
      options: CompileOptions(loader: loader, files: loader, host: .any))
    do throws(Diagnostics) {
      try editor.change(into: value)
    } catch {
      guard let refused = editor.refused else { throw error }
      // The text that would come out takes the place of the file's own, for the lines that are shown.
      console.remember(refused.source)
      for diagnostic in error.all { console.report(diagnostic) }
      throw Diagnostics([
        Diagnostic(
          .patchFailed, "what comes out is no valid stream file; nothing has been written",
          help: "the lines above are those that it would have")
      ])
    }
    return editor.text
  }
}
