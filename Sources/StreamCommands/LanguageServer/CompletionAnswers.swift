internal import StreamCore
internal import StreamTools

/// Completions in the form of the protocol.
struct CompletionAnswers {
  let document: EditorDocument
  let client: ClientAbilities

  func items(_ all: [EditorCompletion]) -> [Value] {
    all.enumerated().map { number, completion in item(completion, number) }
  }

  private func item(_ completion: EditorCompletion, _ number: Int) -> Value {
    let written = client.takesSnippets ? completion.edit.text : completion.plainText
    let digits = String(number)
    var members: [(Value, Value)] = [
      ("label", .string(completion.label)), ("kind", .int(Self.number(of: completion.kind))),
      // Editors sort by the label else; the tables have an order of their own.
      ("sortText", .string(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)),
      ("filterText", .string(completion.filter.isEmpty ? completion.label : completion.filter)),
      ("insertTextFormat", client.takesSnippets ? 2 : 1),
      ("textEdit", document.text.value(of: EditorEdit(completion.edit.range, written), in: client.units)),
    ]
    if !completion.detail.isEmpty { members.append(("detail", .string(completion.detail))) }
    if !completion.documentation.isEmpty {
      members.append(("documentation", ["kind": "markdown", "value": .string(completion.documentation)]))
    }
    if !completion.further.isEmpty {
      members.append(
        ("additionalTextEdits", .list(completion.further.map { document.text.value(of: $0, in: client.units) })))
    }
    return .map(ValueMap(members))
  }

  private static func number(of kind: EditorCompletion.Kind) -> Int64 {
    switch kind {
    case .operator, .function: 3
    case .variable: 6
    case .source: 7
    case .field: 10
    case .snippet: 15
    case .name: 18
    case .word: 20
    }
  }
}
