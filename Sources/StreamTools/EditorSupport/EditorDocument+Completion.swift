internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorDocument {
  /// Returns the completions at a position between two bytes, even in incomplete text.
  package func completions(at offset: Int) -> [EditorCompletion] {
    let offset = min(max(offset, 0), text.bytes.count)
    switch tree.spot(at: offset) {
    case .outside: return tree.nodes.isEmpty ? [wholeFile(at: offset)] : []
    case .key(let object, let slot): return keys(of: object, slot)
    case .value(let parent, let key, let slot): return values(in: parent, key, slot, isInText: false)
    case .text(let node):
      if let expression = expression(at: node) { return candidates(in: expression, at: offset) }
      guard let parent = tree.nodes[node].parent else { return [] }
      let value = tree.nodes[node]
      let slot = TolerantSyntaxTree.Slot(
        node: node, replaced: tree.written(value.range, isClosed: value.isClosed, offset))
      return values(in: parent, value.key?.name, slot, isInText: true)
    }
  }

  // MARK: Keys

  private func keys(of object: Int, _ slot: TolerantSyntaxTree.Slot) -> [EditorCompletion] {
    let view = tree.view(of: object)
    let siblings = tree.nodes[object].children.filter { $0 != slot.node }
    let present = Set(siblings.compactMap { tree.nodes[$0].key?.name })
    let hasColon = slot.node.flatMap { tree.nodes[$0].key?.colon } != nil
    var all: [EditorCompletion] = []
    for offer in offers(ofKeysOf: object, view) where !present.contains(offer.name) {
      all.append(key(offer.name, .name, offer.detail, offer.documentation, value: offer.value, slot, hasColon))
    }
    let isAlone = view.isNamed("operator") || view.isNamed("source")
    // An operator and a source have one name.
    let hasName = isAlone && present.contains { Self.isKind($0, in: view) }
    for (name, schema) in view.members where !present.contains(name) && !(hasName && Self.isKind(name, in: view)) {
      let member = SchemaView(schema)
      if let spec = member.spec {
        let isOperator = view.isNamed("operator")
        all.append(
          key(
            name, isOperator ? .operator : .source, spec.summary, spec.documentation(isOperator: isOperator),
            value: SnippetText.json(spec.snippet), slot, hasColon))
      } else if let spec = view.spec, let field = spec.fields.first(where: { $0.name == name }) {
        all.append(
          key(
            name, .field, field.isRequired ? "required" : spec.expectation(of: field), spec.documentation(of: field),
            value: SnippetText.json(field.kind.snippet(stop: 1)), slot, hasColon))
      } else if !isExcluded(name, by: present, in: view) {
        all.append(
          key(
            name, .field, member.expectation ?? "", member.description ?? "", value: member.snippet(), slot, hasColon))
      }
    }
    return all
  }

  /// Whether a member is the name of an operator or a source.
  private static func isKind(_ name: String, in view: SchemaView) -> Bool {
    SchemaView.specs[specName(name, in: view)] != nil || view.isNamed("operator") && name == "apply"
  }

  private static func specName(_ name: String, in view: SchemaView) -> String {
    (view.isNamed("operator") ? "operator." : "source.") + name
  }

  /// Whether a name is excluded because a file has only one of `stream` and `source`, or `apply` a definition or a file.
  private func isExcluded(_ name: String, by present: Set<String>, in view: SchemaView) -> Bool {
    func isOther(_ one: String, _ other: String) -> Bool {
      name == one && present.contains(other) || name == other && present.contains(one)
    }
    return view.isNamed("stream") && isOther("stream", "source")
      || view.isNamed("apply") && (isOther("definition", "file") || name == "inputs" && !present.contains("file"))
  }

  private func key(
    _ name: String, _ kind: EditorCompletion.Kind, _ detail: String, _ documentation: String, value: String,
    _ slot: TolerantSyntaxTree.Slot, _ hasColon: Bool
  ) -> EditorCompletion {
    let quoted = JSONWriter.compact(.string(name))
    let written = SnippetText.escaped(quoted)
    return completion(
      name, kind, detail, documentation, hasColon ? written : "\(written): \(value)", filter: quoted, slot)
  }

  // MARK: Values

  private func values(
    in parent: Int, _ key: String?, _ slot: TolerantSyntaxTree.Slot, isInText: Bool
  ) -> [EditorCompletion] {
    let outer = tree.view(of: parent)
    let view = key.map { outer.member($0) } ?? outer.element
    var all = offers(ofValue: key, view, in: parent, outer).map { offer in
      completion(
        offer.name, .name, offer.detail, offer.documentation, SnippetText.escaped(offer.value), filter: offer.value,
        slot)
    }
    let argument = key.flatMap { self.argument(named: $0, in: parent, outer) }
    for word in view.words + (argument?.type?.words ?? []) {
      let text = JSONWriter.compact(word)
      // Within quotation marks only texts may stand.
      if isInText, word.text == nil { continue }
      let isDefault = word == view.defaultValue || word == argument?.defaultValue
      all.append(
        completion(
          word.text ?? text, .word, isDefault ? "default" : "", view.description ?? "",
          SnippetText.escaped(text), filter: text, slot))
    }
    guard !isInText else { return all }
    if let value = view.defaultValue ?? argument?.defaultValue, view.words.isEmpty,
      argument?.type?.words.isEmpty != false
    {
      let text = JSONWriter.compact(value)
      all.append(
        completion(text, .word, "default", view.description ?? "", SnippetText.escaped(text), filter: text, slot))
    }
    for (name, schema) in view.members where view.isNamed("operator") || view.isNamed("source") {
      guard let spec = SchemaView(schema).spec else { continue }
      let isOperator = view.isNamed("operator")
      let fields = SnippetText.json(spec.snippet)
      all.append(
        completion(
          name, isOperator ? .operator : .source, spec.summary, spec.documentation(isOperator: isOperator),
          "{ \(JSONWriter.compact(.string(name))): \(fields) }", filter: name, slot))
    }
    let plain = view.withoutParameter
    let written = plain.snippet()
    let isWorthwhile = all.isEmpty || !view.isNamed("operator") && (plain.accepts("object") || plain.accepts("array"))
    if isWorthwhile, !plain.forms.isEmpty, written != "$1" {
      all.append(
        completion(
          label(SnippetText.plain(written)), .snippet, written.hasPrefix("{") ? "an object" : view.expectation ?? "",
          view.description ?? "", written,
          filter: SnippetText.plain(written), slot))
    }
    if let key {
      all += parameters(fitting: key, of: parent, outer, view).map { offer in
        completion(
          offer.name, .name, offer.detail, offer.documentation, SnippetText.escaped(offer.value), filter: offer.name,
          slot)
      }
    }
    return all
  }

  /// The text with no space between brackets that have nothing in them.
  private func label(_ text: String) -> String { text.replacing("{  }", with: "{}") }

  private func wholeFile(at offset: Int) -> EditorCompletion {
    completion(
      "a stream file", .snippet, "", "A source and its operators.",
      "{\n  \"source\": { $1 },\n  \"operators\": [\n    { $2 }\n  ]\n}", filter: "",
      TolerantSyntaxTree.Slot(node: nil, replaced: offset..<offset))
  }

  private func completion(
    _ label: String, _ kind: EditorCompletion.Kind, _ detail: String, _ documentation: String, _ written: String,
    filter: String, _ slot: TolerantSyntaxTree.Slot
  ) -> EditorCompletion {
    EditorCompletion(
      label: label, kind: kind, detail: detail, documentation: documentation,
      edit: EditorEdit(slot.replaced, written + (slot.needsCommaBehind ? "," : "")), filter: filter,
      further: slot.commaBefore.map { [EditorEdit($0..<$0, ",")] } ?? [])
  }

  // MARK: Expressions

  private func candidates(in expression: PlacedExpression, at offset: Int) -> [EditorCompletion] {
    guard !expression.text.isWithinEscape(offset) else { return [] }
    let (replaced, all) = expression.help.candidates(at: expression.text.place(of: offset))
    let range = expression.range(of: replaced)
    return all.map { candidate in
      var written = SnippetText.escaped(candidate.name)
      if let arguments = candidate.arguments {
        let places = arguments.enumerated().map { "${\($0.offset + 1):\(SnippetText.escaped($0.element))}" }
        written += "(\(places.joined(separator: ", ")))"
      }
      return EditorCompletion(
        label: candidate.name, kind: candidate.kind.shown, detail: candidate.detail,
        documentation: candidate.summary.map { $0 + "." } ?? "", edit: EditorEdit(range, written),
        filter: candidate.name, further: [])
    }
  }
}

extension ExpressionHelp.Candidate.Kind {
  fileprivate var shown: EditorCompletion.Kind {
    switch self {
    case .variable: .variable
    case .field: .field
    case .function, .macro: .function
    case .word: .word
    }
  }
}
