internal import CEL
internal import StreamCore
internal import StreamKit

/// The result of reading and compiling a document: its errors and warnings, and the types of its valid parts.
struct EditorAnalysis {
  /// The document, if it is JSON.
  let document: JSONDocument?
  /// The value of the text as far as it can be parsed; null if it is JSON.
  let repaired: Value
  let diagnostics: [Diagnostic]
  private let record: CompileRecord

  init(_ editor: EditorDocument) {
    record = CompileRecord()
    do throws(Diagnostics) {
      let document = try JSONDocument(reading: editor.text.bytes, file: editor.file)
      self.document = document
      repaired = .null
      let (model, problems) = StreamFile.read(
        document, identity: editor.identity, options: editor.options, record: record)
      guard !problems.hasErrors else {
        diagnostics = problems.all
        return
      }
      var options = editor.options
      let remarks = RemarkLog()
      options.remarks = remarks
      var errors: [Diagnostic] = []
      do throws(Diagnostics) {
        let compiled = try Compiler.compile(
          model, document: document, identity: editor.identity, options: options, record: record)
        let file = StreamFile(model, document, identity: editor.identity)
        try TestRunner(file, options: options).validate(compiled)
      } catch {
        errors = error.all
      }
      diagnostics = errors + remarks.all.map(document.locate)
    } catch {
      diagnostics = error.all
      document = nil
      // The parsable part is compiled only for its types.
      repaired = editor.tree.value
      _ = try? Compiler.compile(
        StreamModel.read(repaired).0, document: nil, identity: editor.identity, options: editor.options, record: record)
    }
  }

  /// Returns the input and output types of an operator, or the output type of a source.
  func types(at pointer: JSONPointer) -> (input: CELType?, output: CELType?)? {
    record.entries[place(of: pointer)].map { ($0.input, $0.output) }
  }

  /// Returns the variables of an expression; nil if the compiler has not reached it.
  func variables(at pointer: JSONPointer) -> [Variable]? { record.variables[place(of: pointer)] }

  /// The location in the compiled stream: a definition is compiled where it is applied.
  private func place(of pointer: JSONPointer) -> JSONPointer {
    let definition = JSONPointer(Array(pointer.tokens.prefix(2)))
    return record.definitions[definition].map { $0 + pointer } ?? pointer
  }

  func type(ofStreamAt pointer: JSONPointer) -> CELType? { record.streams[pointer] }
}
