internal import StreamCore
internal import StreamTools

/// The capabilities that the editor has announced.
struct ClientAbilities {
  /// The unit of character positions. Default UTF-16, as the protocol specifies.
  let units: EditorUnits
  /// Whether completions may contain cursor stops.
  let takesSnippets: Bool
  /// Whether diagnostics may lead to further places.
  let takesRelatedInformation: Bool
  /// Whether symbols may have children.
  let takesHierarchicalSymbols: Bool

  init(_ abilities: Value) {
    let encodings = abilities[JSONPointer(["general", "positionEncodings"])]
    units =
      if case .list(let all)? = encodings, all.contains(.string(EditorUnits.utf8.rawValue)) { .utf8 } else { .utf16 }
    func can(_ path: String...) -> Bool { abilities[JSONPointer(["textDocument"] + path)] == true }
    takesSnippets = can("completion", "completionItem", "snippetSupport")
    takesRelatedInformation = can("publishDiagnostics", "relatedInformation")
    takesHierarchicalSymbols = can("documentSymbol", "hierarchicalDocumentSymbolSupport")
  }
}

/// The capabilities of the server.
enum ServerAbilities {
  static func result(for client: ClientAbilities) -> Value {
    [
      "capabilities": [
        "positionEncoding": .string(client.units.rawValue),
        // Texts come whole when they are opened, and then their changes.
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "hoverProvider": true,
        "completionProvider": ["triggerCharacters": ["\"", ".", ":"], "resolveProvider": false],
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
        "renameProvider": ["prepareProvider": true],
      ],
      "serverInfo": ["name": "streamrun", "version": .string(Streamrun.version)],
    ]
  }
}
