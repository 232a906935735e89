internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// A stream file that is changed as a whole.
struct ChangedFile {
  private let document: JSONDocument
  private let path: String
  private let loader: FileLoader
  private let console: Console

  /// - Parameter path: The path of the file. Paths in the file are relative to its directory.
  init(_ document: JSONDocument, path: String, _ loader: FileLoader, _ console: Console) {
    self.document = document
    self.path = path
    self.loader = loader
    self.console = console
  }

  /// The diagnostics of the file with another text; nil if it is valid.
  func problems(in document: JSONDocument) -> Diagnostics? {
    do throws(Diagnostics) {
      _ = try StreamFile(document, identity: identity).compile(loader.options())
      return nil
    } catch {
      return error
    }
  }

  /// A file that the user named exists; a path at which it belongs need not, as in a merge that renames it.
  private var identity: String { (try? loader.identity(of: path)) ?? loader.identity(belongingAt: path) }

  /// The text of the file with this value. Unchanged parts stay byte for byte as they were.
  ///
  /// - Throws: the diagnostics of that text, if it is not a valid stream file.
  func text(of value: Value) throws(Diagnostics) -> String {
    var editor = StreamEditor(
      document, identity: identity,
      options: loader.options())
    do throws(Diagnostics) {
      try editor.change(into: value)
    } catch {
      guard let refused = editor.refused else { throw error }
      // The diagnostics show lines of the text that was refused.
      console.remember(refused.source)
      for diagnostic in error.all { console.report(diagnostic) }
      throw Diagnostics(
        .patchFailed, "the result is not a valid stream file; nothing was written",
        help: "the lines shown above are lines of the result")
    }
    return editor.text
  }
}
