internal import StreamCore
internal import StreamTools

// Handles file notifications of the editor. Malformed ones are ignored, since notifications have no response.

extension LanguageServer {
  func handle(_ method: String, _ parameters: Value) -> [Value] {
    let document = parameters.member("textDocument")
    guard let uri = document?.member("uri")?.text else {
      if method == "workspace/didChangeWatchedFiles" { files.refreshAll() }
      return []
    }
    switch method {
    case "textDocument/didOpen":
      files.open(uri, document?.member("text")?.text ?? "", version: Self.version(document))
    case "textDocument/didChange":
      guard case .list(let changes)? = parameters.member("contentChanges") else { return [] }
      files.change(uri, changes.compactMap(Self.change), units: client.units, version: Self.version(document))
    case "textDocument/didSave": files.refreshAll()
    case "textDocument/didClose":
      guard files[uri] != nil else { return [] }
      files.close(uri)
      return [notification("textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []])]
    default: break
    }
    return []
  }

  private static func version(_ document: Value?) -> Value {
    if case .int? = document?.member("version") { document?.member("version") ?? .null } else { .null }
  }

  private static func change(_ change: Value) -> (range: Range<EditorPosition>?, text: String)? {
    guard let text = change.member("text")?.text else { return nil }
    guard let range = change.member("range") else { return (nil, text) }
    return EditorPosition.range(range).map { ($0, text) }
  }
}

extension EditorPosition {
  /// Parses a position in a message; nil if it is malformed.
  init?(_ value: Value?) {
    guard case .int(let line)? = value?.member("line"), case .int(let character)? = value?.member("character") else {
      return nil
    }
    self.init(line: Int(line), character: Int(character))
  }

  var value: Value { ["line": .int(Int64(line)), "character": .int(Int64(character))] }

  /// A range as messages write it; one whose end comes before its start is empty.
  static func range(_ value: Value?) -> Range<EditorPosition>? {
    guard let start = EditorPosition(value?.member("start")), let end = EditorPosition(value?.member("end")) else {
      return nil
    }
    return start..<max(start, end)
  }
}

extension EditorText {
  /// A range of bytes as messages write it.
  func value(of range: Range<Int>, in units: EditorUnits) -> Value {
    [
      "start": position(of: range.lowerBound, in: units).value, "end": position(of: range.upperBound, in: units).value,
    ]
  }

  func value(of edit: EditorEdit, in units: EditorUnits) -> Value {
    ["range": value(of: edit.range, in: units), "newText": .string(edit.text)]
  }
}
