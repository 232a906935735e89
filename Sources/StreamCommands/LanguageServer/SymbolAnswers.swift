internal import StreamCore
internal import StreamTools

/// The symbols of a file in the form of the protocol.
struct SymbolAnswers {
  let file: OpenFiles.File
  let client: ClientAbilities

  /// The symbols with their children, or as a flat array if the editor does not support children.
  var symbols: [Value] {
    let all = file.document.symbols
    return client.takesHierarchicalSymbols ? all.map(nested) : all.flatMap { flat($0, in: nil) }
  }

  private func nested(_ symbol: EditorSymbol) -> Value {
    let text = file.document.text
    return [
      "name": .string(symbol.name), "detail": .string(symbol.detail), "kind": .int(Self.number(of: symbol.kind)),
      "range": text.value(of: symbol.range, in: client.units),
      "selectionRange": text.value(of: symbol.selection, in: client.units),
      "children": .list(symbol.children.map(nested)),
    ]
  }

  private func flat(_ symbol: EditorSymbol, in container: String?) -> [Value] {
    var members: [(Value, Value)] = [
      ("name", .string(symbol.name)), ("kind", .int(Self.number(of: symbol.kind))),
      (
        "location",
        ["uri": .string(file.uri), "range": file.document.text.value(of: symbol.range, in: client.units)]
      ),
    ]
    if let container { members.append(("containerName", .string(container))) }
    return [.map(ValueMap(members))] + symbol.children.flatMap { flat($0, in: symbol.name) }
  }

  private static func number(of kind: EditorSymbol.Kind) -> Int64 {
    switch kind {
    case .stream: 2
    case .test: 6
    case .operator, .definition: 12
    case .input: 13
    case .parameter: 14
    case .type: 23
    case .source: 24
    }
  }
}
