internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamTools

extension Draft {
  /// The draft as a file of the folder, which may name other files there.
  func opened(in folder: StudioFolder) throws(StudioProblem) -> OpenDraft {
    let identity = try folder.place(of: path)
    let loader = FileLoader(
      folder.access, opened: [identity: Array(text.utf8)], checking: CompileBound.ofServer.check)
    loader.allowFiles(beside: identity)
    return OpenDraft(draft: self, identity: identity, loader: loader)
  }
}

/// A draft with what it takes to compile it.
struct OpenDraft: Sendable {
  let draft: Draft
  /// The place of the file, which need not exist.
  let identity: String
  let loader: FileLoader

  var bytes: [UInt8] { Array(draft.text.utf8) }

  var compileOptions: CompileOptions { loader.options() }

  /// The draft for the answers of an editor.
  var document: EditorDocument {
    EditorDocument(bytes, file: draft.path, identity: identity, options: compileOptions)
  }

  /// Reads the draft as JSON.
  func json() throws(StudioProblem) -> JSONDocument {
    do throws(Diagnostics) { return try JSONDocument(reading: bytes, file: draft.path) } catch {
      throw StudioProblem(error)
    }
  }

  /// Reads the draft as a stream file.
  func stream() throws(StudioProblem) -> StreamFile {
    do throws(Diagnostics) {
      return try StreamFile(try JSONDocument(reading: bytes, file: draft.path), identity: identity)
    } catch { throw StudioProblem(error) }
  }
}
