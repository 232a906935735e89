internal import StreamCore
internal import StreamEditing
internal import StreamFiles
internal import StreamTools

extension LanguageServer {
  /// Returns the result of a request.
  func answer(_ method: String, _ parameters: Value) throws(ServerError) -> Value {
    switch method {
    case "textDocument/hover":
      let place = try place(parameters)
      guard let hover = place.document.hover(at: place.offset) else { return .null }
      return [
        "contents": ["kind": "markdown", "value": .string(hover.text)], "range": value(hover.range, in: place.document),
      ]
    case "textDocument/completion":
      let place = try place(parameters)
      let answers = CompletionAnswers(document: place.document, client: client)
      return ["isIncomplete": false, "items": .list(answers.items(place.document.completions(at: place.offset)))]
    case "textDocument/definition": return definition(try place(parameters))
    case "textDocument/references": return references(try place(parameters), parameters)
    case "textDocument/documentSymbol":
      let file = try file(parameters)
      return .list(SymbolAnswers(file: file, client: client).symbols)
    case "textDocument/formatting":
      let document = try file(parameters).document
      let formatted = document.document.flatMap { document.edit(to: StreamFormat.text(of: $0)) }
      return .list(formatted.map { [document.text.value(of: $0, in: client.units)] } ?? [])
    case "textDocument/codeAction": return try codeActions(parameters)
    case "textDocument/prepareRename":
      let place = try place(parameters)
      guard let (name, range) = place.document.renamable(at: place.offset) else { return .null }
      return ["range": value(range, in: place.document), "placeholder": .string(name)]
    case "textDocument/rename": return try rename(parameters)
    default: throw ServerError(.methodNotFound, "unknown method '\(method)'")
    }
  }

  // MARK: Places

  /// A place in a file that is open.
  struct Place {
    let file: OpenFiles.File
    let offset: Int
    var document: EditorDocument { file.document }
  }

  private func file(_ parameters: Value) throws(ServerError) -> OpenFiles.File {
    guard let uri = parameters[JSONPointer(["textDocument", "uri"])]?.text else {
      throw ServerError(.invalidParameters, "the parameters have no 'textDocument' with a 'uri'")
    }
    guard let file = files[uri] else {
      throw ServerError(.invalidParameters, "the file '\(uri)' is not open; open it with 'textDocument/didOpen'")
    }
    return file
  }

  private func place(_ parameters: Value) throws(ServerError) -> Place {
    let file = try file(parameters)
    guard let position = EditorPosition(parameters.member("position")) else {
      throw ServerError(.invalidParameters, "the parameters have no 'position' with 'line' and 'character'")
    }
    return Place(file: file, offset: file.document.text.offset(of: position, in: client.units))
  }

  private func value(_ range: Range<Int>, in document: EditorDocument) -> Value {
    document.text.value(of: range, in: client.units)
  }

  private func location(_ range: Range<Int>, in file: OpenFiles.File) -> Value {
    ["uri": .string(file.uri), "range": value(range, in: file.document)]
  }

  // MARK: Names

  private func definition(_ place: Place) -> Value {
    if let range = place.document.definition(at: place.offset) { return location(range, in: place.file) }
    guard let path = place.document.fileReference(at: place.offset),
      let real = place.file.loader.realPath(of: path, relativeTo: place.file.identity)
    else { return .null }
    let start = EditorPosition(line: 0, character: 0)
    return ["uri": .string(FileURI.uri(real)), "range": ["start": start.value, "end": start.value]]
  }

  private func references(_ place: Place, _ parameters: Value) -> Value {
    let definition = place.document.definition(at: place.offset)
    let isWhole = parameters[JSONPointer(["context", "includeDeclaration"])] != false
    return .list(
      place.document.references(at: place.offset).filter { isWhole || $0 != definition }.map {
        location($0, in: place.file)
      })
  }

  private func rename(_ parameters: Value) throws(ServerError) -> Value {
    let place = try place(parameters)
    guard let name = parameters.member("newName")?.text else {
      throw ServerError(.invalidParameters, "the parameters have no 'newName'")
    }
    do throws(Diagnostic) {
      return workspaceEdit(try place.document.rename(at: place.offset, to: name), in: place.file)
    } catch {
      throw ServerError(.failed, error.message + (error.help.map { "; \($0)" } ?? ""))
    }
  }

  private func workspaceEdit(_ edits: [EditorEdit], in file: OpenFiles.File) -> Value {
    let values = edits.map { file.document.text.value(of: $0, in: client.units) }
    return ["changes": .map(ValueMap([(.string(file.uri), .list(values))]))]
  }

  // MARK: Fixes

  private func codeActions(_ parameters: Value) throws(ServerError) -> Value {
    let file = try file(parameters)
    guard let range = EditorPosition.range(parameters.member("range")) else {
      throw ServerError(.invalidParameters, "the parameters have no 'range' with 'start' and 'end'")
    }
    if case .list(let kinds)? = parameters[JSONPointer(["context", "only"])],
      !kinds.contains(where: { $0 == "quickfix" || $0 == "" })
    {
      return []
    }
    let text = file.document.text
    let bytes =
      text.offset(of: range.lowerBound, in: client.units)..<text.offset(of: range.upperBound, in: client.units)
    let told = DiagnosticAnswers(client).values(for: file)
    return .list(
      file.document.fixes(in: bytes).map { fix in
        [
          "title": .string(fix.title), "kind": "quickfix", "isPreferred": true,
          "diagnostics": .list(told.indices.contains(fix.diagnostic) ? [told[fix.diagnostic]] : []),
          "edit": workspaceEdit([fix.edit], in: file),
        ]
      })
  }
}
