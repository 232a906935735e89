internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The errors and the outline of a draft, which the page shows while it is edited.
struct Analysis {
  private let open: OpenDraft
  private let document: EditorDocument
  private var text: EditorText { document.text }
  private var name: String? { document.document?.value.member("name")?.text }

  init(_ open: OpenDraft) {
    self.open = open
    document = open.document
  }

  var value: Value {
    let stream = document.document.flatMap { try? StreamFile($0, identity: open.identity) }
    let outline = stream.map { StreamOutline($0, options: open.compileOptions) }
    let fixes = document.fixes(in: 0..<text.bytes.count)
    return [
      "diagnostics": .list(
        document.diagnostics.enumerated().map { number, diagnostic in
          value(of: diagnostic, fixes.first { $0.diagnostic == number })
        }),
      "outline": Value(outline.map(value)), "name": .text(stream?.model.name),
      "inputs": .list((outline?.inputs ?? []).map(value)),
      "outputs": .list((stream?.model.outputNames ?? []).map(Value.string)),
      "tests": .list(
        (stream?.model.placedTests ?? []).map { placed in
          [
            "name": .string(placed.test.name), "pointer": .string("\(placed.pointer)"),
            "range": range(of: placed.pointer),
          ]
        }),
    ]
  }

  private func value(of diagnostic: Diagnostic, _ fix: EditorFix?) -> Value {
    let place = diagnostic.location
    return [
      "code": .string(diagnostic.code.rawValue), "severity": .string(diagnostic.severity.rawValue),
      "message": .string(diagnostic.message),
      "range": Value(place.flatMap { $0.file == open.draft.path ? text.value(of: $0.bytes) : nil }),
      "file": .text(place?.file), "pointer": .string("\(diagnostic.pointer)"),
      "notes": .list(diagnostic.notes.map(Value.string)), "help": .text(diagnostic.help),
      "fix": Value(fix.map { ["title": .string($0.title), "edits": [$0.edit.value(in: text)]] }),
    ]
  }

  private func range(of pointer: JSONPointer) -> Value {
    Value(document.document.map { text.value(of: $0.range(of: pointer)) })
  }

  // MARK: Outline

  private func value(of input: StreamOutline.Input) -> Value {
    var members: [(Value, Value)] = [("name", .string(input.name)), ("type", .string(input.type))]
    if let initial = input.initialValue { members.append(("initial", PageValue(initial).value)) }
    if let buffer = input.buffer { members.append(("buffer", .string("\(buffer)"))) }
    return .map(ValueMap(members))
  }

  private func value(of outline: StreamOutline) -> Value {
    [
      "name": .text(outline.name ?? (outline.pointer.tokens.isEmpty ? name : nil)),
      "pointer": .string("\(outline.pointer)"), "range": range(of: outline.pointer),
      "inputs": .list(outline.inputs.map(value)), "steps": .list(outline.steps.map(value)),
      "streams": .list(outline.streams.map(value)),
      "outputs": .list(
        outline.outputs.map {
          ["name": .string($0.name), "pointer": .string("\($0.pointer)"), "stream": value(of: $0.stream)]
        }),
    ]
  }

  private func value(of step: StreamOutline.Step) -> Value {
    let written = document.document?.value[step.pointer]
    return [
      "kind": .string("\(step.kind)"), "name": .string(step.name), "label": .text(step.label),
      "id": Value(written?.member("id")), "detail": .string(step.detail), "pointer": .string("\(step.pointer)"),
      "range": range(of: step.pointer), "fields": Value(written?.member(step.name)),
      "branches": .list(step.branches.map(value)),
    ]
  }

  private func value(of branch: StreamOutline.Branch) -> Value {
    var members: [(Value, Value)] = [
      ("relation", .string("\(branch.relation)")), ("field", .string(branch.field)),
    ]
    switch branch.content {
    case .name(let name): members.append(("name", .string(name)))
    case .outline(let outline): members.append(("outline", value(of: outline)))
    }
    return .map(ValueMap(members))
  }
}
