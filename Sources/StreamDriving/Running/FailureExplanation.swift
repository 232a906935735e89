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
      help: failure.help ?? selectionHelp(for: failure) ?? expressionHelp(for: failure))
    guard !failure.pointer.tokens.isEmpty else { return diagnostic }
    let located = locateWithNotes(diagnostic)
    guard let place = failure.location else { return located }
    return Self.pointing(located, to: place)
  }

  /// Returns help for an operator that has reached its limit; nil for other failures.
  private static func help(for problem: Diagnostic, in document: JSONDocument) -> String? {
    guard problem.code == .limitExceeded, case .map(let members)? = document.value[problem.pointer],
      let spec = members.keys.lazy.compactMap({ $0.text.flatMap(Operator.entry(named:)) }).first?.spec
    else { return nil }
    let names = Set(spec.fields.map(\.name))
    let bounds = ["idle", "whenFull"].filter(names.contains).map { "'\($0)'" }
    guard names.contains("limit") else { return nil }
    if problem.message.contains("--memory") {
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
    var warning = dropped.warning
    if dropped.reason == .ended { warning.help = Self.helpForValues(leftIn: dropped.name) }
    return warning.pointer.tokens.isEmpty ? warning : locateWithNotes(warning)
  }

  /// Returns the way to publish the values that wait in an operator when its stream ends.
  private static func helpForValues(leftIn name: String) -> String {
    if Operator.entry(named: name)?.spec.fields.contains(where: { $0.name == "onFinish" }) == true {
      return "write onFinish: flush, or \"onFinish\": \"flush\" in a file, to publish them"
    }
    return name == "sample"
      ? "'collectTime' publishes the values of the last interval, too" : "no other stream had a value for them"
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

  /// The way to a place: notes about the references, outermost first, and the document of the place.
  private struct Trail {
    var notes: [String] = []
    var document: JSONDocument?
  }

  /// Returns the diagnostic, whose pointer is that of the main file, with its location in this file or another.
  package func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    var trail = Trail()
    return locate(diagnostic, in: stream, &trail)
  }

  /// Returns the diagnostic with its location, with help for its operator, and with notes about the references that lead
  /// to its definition or file.
  private func locateWithNotes(_ diagnostic: Diagnostic) -> Diagnostic {
    var trail = Trail()
    var located = locate(diagnostic, in: stream, &trail)
    located.notes += ReferenceNote.shown(trail.notes.reversed())
    located.help = located.help ?? trail.document.flatMap { Self.help(for: located, in: $0) }
    return located
  }

  /// Returns the location of a pointer, in another file if it leads through the path of that file.
  private func locate(_ diagnostic: Diagnostic, in stream: StreamFile, _ trail: inout Trail) -> Diagnostic {
    let tokens = diagnostic.pointer.tokens
    for length in tokens.indices.dropFirst() {
      let reference = JSONPointer(Array(tokens[..<length]))
      guard case .string(let name)? = stream.document.value[reference] else { continue }
      let isApplied = length > 1 && tokens[length - 2] == Operator.Custom.applyName
      var moved = diagnostic
      moved.pointer = JSONPointer(Array(tokens[length...]))
      if isApplied, tokens[length - 1] == "definition" {
        // The operators of a definition are in the same file.
        trail.notes.append(note(ReferenceNote.definition(name), applied: reference, in: stream.document))
        return locate(moved, in: stream, &trail)
      }
      guard trail.notes.count < 200, let inner = try? loader.load(name, relativeTo: stream.identity) else { break }
      trail.notes.append(
        isApplied
          ? note(ReferenceNote.file(name), applied: reference, in: stream.document)
          : note(ReferenceNote.file(name), usedAt: reference, in: stream.document))
      return locate(moved, in: inner, &trail)
    }
    trail.document = stream.document
    return stream.document.locate(diagnostic)
  }

  private func note(_ name: String, applied reference: JSONPointer, in document: JSONDocument) -> String {
    let place = JSONPointer(Array(reference.tokens.dropLast(2)))
    return ReferenceNote.applied(name, at: [ReferenceNote.place(of: place, in: document)])
  }

  /// Returns the note about a file whose stream is a source.
  ///
  /// A file that is used several times without arguments is compiled once, so that all of these places are meant.
  private func note(_ name: String, usedAt reference: JSONPointer, in document: JSONDocument) -> String {
    var places = [reference]
    if let field = reference.tokens.last, let fields = document.value[JSONPointer(Array(reference.tokens.dropLast()))],
      fields.member("inputs") == nil, fields.member("parameters") == nil
    {
      Self.collect(["stream": fields], in: document.value, at: JSONPointer()) { source in
        let place = source + JSONPointer(["stream", field])
        if place != reference { places.append(place) }
      }
    }
    let shown = places.prefix(3).map { ReferenceNote.place(of: $0, in: document) }
    return ReferenceNote.used(name, at: shown + (places.count > 3 ? ["\(places.count - 3) more places"] : []))
  }

  /// Finds the places of a value within another.
  private static func collect(
    _ wanted: Value, in value: Value, at pointer: JSONPointer, _ found: (JSONPointer) -> Void
  ) {
    if value == wanted { return found(pointer) }
    switch value {
    case .map(let map):
      for case (.string(let key), let member) in map.pairs {
        collect(wanted, in: member, at: pointer.appending(key), found)
      }
    case .list(let list):
      for (index, element) in list.elements.enumerated() {
        collect(wanted, in: element, at: pointer.appending(index), found)
      }
    default: return
    }
  }

  private static func short(_ value: Value) -> String {
    let text = JSONWriter.beginning(of: value, bytes: 8 * width)
    guard text.unicodeScalars.count > width else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(width))) + "…"
  }
}
