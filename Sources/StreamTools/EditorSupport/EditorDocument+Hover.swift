internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorDocument {
  /// Returns the hover text for the item at a byte; nil if there is none.
  package func hover(at offset: Int) -> EditorHover? {
    guard let (node, isKey) = tree.node(at: offset) else { return nil }
    if let (node, name) = name(at: offset), let target = target(of: name, at: node) {
      return EditorHover(range: name.range, text: EditorText.about(target, in: self))
    }
    if isKey { return hover(ofKeyOf: node) }
    guard tree.nodes[node].kind == .string || tree.nodes[node].kind == .word else { return nil }
    if let expression = expression(at: node) {
      return hover(in: expression, at: offset) ?? hover(ofFieldOf: node)
    }
    return hover(ofFieldOf: node)
  }

  /// The field that a value belongs to.
  private func hover(ofFieldOf node: Int) -> EditorHover? {
    guard tree.nodes[node].key != nil, let about = hover(ofKeyOf: node) else { return nil }
    return EditorHover(range: tree.nodes[node].range, text: about.text)
  }

  private func hover(in expression: PlacedExpression, at offset: Int) -> EditorHover? {
    // The quotation mark before it belongs to the field.
    guard expression.text.offsets.first.map({ $0 <= offset }) == true,
      let part = expression.help.part(at: expression.text.place(of: offset))
    else { return nil }
    var lines = ["```cel"]
    if part.forms.isEmpty {
      lines.append(part.type.map { "\(part.text): \($0)" } ?? part.text)
    } else {
      lines += part.forms.prefix(12)
      if part.forms.count > 12 { lines.append("…") }
    }
    lines.append("```")
    if let summary = part.summary { lines += ["", summary + "."] }
    if !part.forms.isEmpty, let type = part.type { lines += ["", "Type of the result: `\(type)`."] }
    if part.forms.isEmpty, part.summary == nil, part.type == nil { return nil }
    return EditorHover(range: expression.range(of: part.range), text: lines.joined(separator: "\n"))
  }

  // MARK: Keys

  private func hover(ofKeyOf node: Int) -> EditorHover? {
    guard let key = tree.nodes[node].key, let parent = tree.nodes[node].parent else { return nil }
    func hover(_ text: String) -> EditorHover { EditorHover(range: key.range, text: text) }
    if let name = place(of: node).flatMap({ names(at: $0).first { $0.range == key.range } }),
      let target = target(of: name, at: node)
    {
      return hover(EditorText.about(target, in: self))
    }
    if let about = aboutRemoteName(ofKeyAt: node) { return hover(about) }
    let outer = tree.view(of: parent)
    let view = outer.member(key.name)
    if let spec = view.spec {
      let isOperator = view.isNamed("operator.\(key.name)")
      let place = tree.pointer(to: isOperator ? parent : node)
      return hover(spec.documentation(isOperator: isOperator, types: types(at: place)))
    }
    if let spec = outer.spec, let field = spec.fields.first(where: { $0.name == key.name }) {
      return hover(spec.documentation(of: field))
    }
    guard let description = view.description else { return nil }
    var lines = ["**`\(key.name)`**" + (view.expectation.map { ": \($0)" } ?? ""), "", description]
    if let value = view.defaultValue { lines += ["", "Default `\(JSONWriter.compact(value))`."] }
    return hover(lines.joined(separator: "\n"))
  }

  /// Returns the input and output types, as far as they are known.
  private func types(at pointer: JSONPointer) -> String? {
    guard let types = analysis.types(at: pointer) else { return nil }
    switch (types.input, types.output) {
    case (let input?, let output?): return "Values: `\(input)` → `\(output)`"
    case (let input?, nil): return "Input: `\(input)`"
    case (nil, let output?): return "Output: `\(output)`"
    case (nil, nil): return nil
    }
  }
}

extension OperatorSpec {
  /// All about the operator or source, in Markdown.
  func documentation(isOperator: Bool, types: String? = nil) -> String {
    let isSource = Source.table.contains { $0.spec.name == name }
    let family = isOperator ? Operator.entry(named: name)?.family.rawValue : isSource ? "source" : nil
    var parts = ["**`\(name)`**" + (family.map { " (\($0))" } ?? ""), summary]
    if let types { parts.append(types) }
    if !fields.isEmpty { parts.append(fields.map { "- " + $0.line }.joined(separator: "\n")) }
    if memory != .nothing { parts.append("Keeps \(memory.what).") }
    let shown = examples.first { if case .marbles = $0.outcome { true } else { false } }
    if let shown { parts.append("```json\n\(shown.json)\n```") }
    return parts.joined(separator: "\n\n")
  }

  /// Everything about a field, in Markdown.
  func documentation(of field: FieldSpec) -> String {
    let kind = field.expressionVariables ?? expectation(of: field)
    return "**`\(field.name)`**\(field.isRequired ? " (required)" : ""): \(kind)\n\n\(field.text)"
  }
}

extension FieldSpec {
  /// The field in one line of Markdown.
  var line: String { "`\(name)`\(isRequired ? " (required)" : ""): \(text)" }

  /// The variables of an expression in words; nil for other fields.
  fileprivate var expressionVariables: String? {
    guard case .expression(let variables) = kind else { return nil }
    let names = variables.map { $0.hasPrefix("(") ? "the \($0.filter(\.isLetter))" : "`\($0)`" }
    return names.isEmpty ? "a CEL expression" : "a CEL expression over \(names.joined(separator: ", "))"
  }
}
