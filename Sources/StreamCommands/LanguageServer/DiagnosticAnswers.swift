internal import StreamCore
internal import StreamFiles
internal import StreamTools

/// The diagnostics of a file in the form of the protocol.
struct DiagnosticAnswers {
  let client: ClientAbilities

  init(_ client: ClientAbilities) { self.client = client }

  /// The parameters of `textDocument/publishDiagnostics`.
  func parameters(for file: OpenFiles.File) -> Value {
    var members: [(Value, Value)] = [("uri", .string(file.uri)), ("diagnostics", .list(values(for: file)))]
    if file.version != .null { members.insert(("version", file.version), at: 1) }
    return .map(ValueMap(members))
  }

  /// All diagnostics, in their order.
  func values(for file: OpenFiles.File) -> [Value] { file.document.diagnostics.map { value($0, in: file) } }

  private func value(_ diagnostic: Diagnostic, in file: OpenFiles.File) -> Value {
    let text = file.document.text
    let isHere = diagnostic.location.map { $0.file == file.document.file } ?? true
    let place = isHere ? diagnostic.location?.bytes ?? 0..<0 : self.place(of: diagnostic, in: file)
    let range = text.value(of: place, in: client.units)
    var lines = [diagnostic.message]
    var related: [Value] = []
    if !isHere, let location = diagnostic.location {
      lines = ["\(location.file):\(location.line):\(location.column): \(diagnostic.message)"]
      related.append(self.related(FileURI.uri(location.file), Self.point(location), "reported there"))
    }
    for note in diagnostic.notes {
      if client.takesRelatedInformation, isHere {
        related.append(self.related(file.uri, range, note))
      } else {
        lines.append("note: \(note)")
      }
    }
    if let help = diagnostic.help { lines.append("help: \(help)") }
    var members: [(Value, Value)] = [
      ("range", range), ("severity", .int(Self.number(of: diagnostic.severity))),
      ("code", .string(diagnostic.code.rawValue)), ("source", "streamrun"),
      ("message", .string(lines.joined(separator: "\n"))),
    ]
    if client.takesRelatedInformation, !related.isEmpty { members.append(("relatedInformation", .list(related))) }
    return .map(ValueMap(members))
  }

  /// Returns the range of the reference to the file that contains the error.
  private func place(of diagnostic: Diagnostic, in file: OpenFiles.File) -> Range<Int> {
    let references = file.document.fileReferences
    let directory = Path.directory(of: file.identity)
    let found = references.first { Path.join(directory, $0.path) == diagnostic.location?.file }
    return (found ?? references.first)?.range ?? 0..<0
  }

  private func related(_ uri: String, _ range: Value, _ message: String) -> Value {
    ["location": ["uri": .string(uri), "range": range], "message": .string(message)]
  }

  /// Returns a position in a text that is not available, in Unicode scalars.
  private static func point(_ location: Diagnostic.Location) -> Value {
    let place = EditorPosition(line: location.line - 1, character: location.column - 1).value
    return ["start": place, "end": place]
  }

  private static func number(of severity: Diagnostic.Severity) -> Int64 {
    switch severity {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }
}
