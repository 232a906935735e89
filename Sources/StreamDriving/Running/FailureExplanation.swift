package import StreamCore
package import StreamEngine
package import StreamFiles
package import StreamKit

/// Makes diagnostics of the failures of a running stream, with their places in the files.
package struct FailureExplanation {
  let stream: StreamFile
  let loader: FileLoader

  package init(stream: StreamFile, loader: FileLoader) {
    self.stream = stream
    self.loader = loader
  }

  /// The longest value that is shown, in Unicode scalars.
  private static let width = 200

  package func diagnostic(of failure: StreamFailure) -> Diagnostic {
    var notes: [String] = []
    if let value = failure.value { notes.append("the value was \(Self.short(value))") }
    if case .map? = failure.payload, let payload = failure.payload {
      notes.append("the error is \(Self.short(payload))")
    }
    var cause = failure.cause
    while let next = cause, notes.count < 10 {
      notes.append("caused by \(next.code): \(next.message)")
      cause = next.cause
    }
    let diagnostic = Diagnostic(
      DiagnosticCode(rawValue: failure.code) ?? .streamFailed, failure.message, at: failure.pointer,
      part: failure.range.map(Diagnostic.Part.text) ?? .value, notes: notes,
      help: failure.help ?? help(for: failure) ?? expressionHelp(for: failure))
    guard !failure.pointer.tokens.isEmpty else { return diagnostic }
    let located = locate(diagnostic, in: stream, depth: 0)
    guard let place = failure.location else { return located }
    return Self.pointing(located, to: place)
  }

  /// Returns help for an operator that has reached its limit; nil for other failures.
  private func help(for failure: StreamFailure) -> String? {
    guard failure.code == DiagnosticCode.limitExceeded.rawValue,
      case .map(let members)? = stream.document.value[failure.pointer],
      let spec = members.keys.lazy.compactMap({ $0.text.flatMap(Operator.entry(named:)) }).first?.spec
    else { return nil }
    let names = Set(spec.fields.map(\.name))
    let bounds = ["idle", "whenFull"].filter(names.contains).map { "'\($0)'" }
    guard names.contains("limit") else { return nil }
    if failure.message.contains("--memory") {
      let idle = names.contains("idle") ? "'idle', or " : ""
      let full = names.contains("whenFull") ? " with 'whenFull'" : ""
      return "raise --memory; \(idle)a smaller 'limit'\(full), bounds what is kept"
    }
    let verb = bounds.count == 1 ? "bounds" : "bound"
    let alternatives = bounds.isEmpty ? "" : "; \(bounds.joined(separator: " and ")) \(verb) what is kept"
    return "write a greater 'limit'\(alternatives)"
  }

  /// Returns the warning about dropped values, at the operator that has dropped them.
  package func diagnostic(of dropped: Execution.DroppedValues) -> Diagnostic {
    dropped.pointer.tokens.isEmpty ? dropped.warning : locate(dropped.warning, in: stream, depth: 0)
  }

  /// Returns the diagnostic located in the data; its location in the stream file becomes a note.
  private static func pointing(_ diagnostic: Diagnostic, to place: Diagnostic.Location) -> Diagnostic {
    var moved = diagnostic
    let prefix = StreamFailure.prefix(of: place)
    if moved.message.hasPrefix(prefix) { moved.message.removeFirst(prefix.count) }
    if let source = diagnostic.location {
      moved.notes.append("read by the source at \(source.file):\(source.line):\(source.column)")
    }
    (moved.location, moved.pointer) = (place, JSONPointer())
    return moved
  }

  /// Returns the diagnostic, whose pointer is that of the main file, with its location in this file or another.
  package func locate(_ diagnostic: Diagnostic) -> Diagnostic { locate(diagnostic, in: stream, depth: 0) }

  /// Whether the location is that of the name of a definition to apply.
  private static func isDefinition(_ tokens: ArraySlice<String>) -> Bool {
    tokens.last == "definition" && tokens.dropLast().last == "apply"
  }

  /// Returns the location of a pointer, in another file if it leads through the path of that file.
  private func locate(_ diagnostic: Diagnostic, in stream: StreamFile, depth: Int) -> Diagnostic {
    let tokens = diagnostic.pointer.tokens
    for length in tokens.indices.dropFirst() {
      guard case .string(let path)? = stream.document.value[JSONPointer(Array(tokens[..<length]))] else { continue }
      if Self.isDefinition(tokens[..<length]) {
        // The operators of a definition are in the same file.
        var moved = diagnostic
        moved.pointer = JSONPointer(Array(tokens[length...]))
        let located = locate(moved, in: stream, depth: depth + 1)
        return located
      }
      guard depth < 200, let inner = try? loader.load(path, relativeTo: stream.identity) else { break }
      var moved = diagnostic
      moved.pointer = JSONPointer(Array(tokens[length...]))
      return locate(moved, in: inner, depth: depth + 1)
    }
    return stream.document.locate(diagnostic)
  }

  private static func short(_ value: Value) -> String {
    let text = JSONWriter.beginning(of: value, bytes: 8 * width)
    guard text.unicodeScalars.count > width else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(width))) + "…"
  }
}
