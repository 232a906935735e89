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
    for name in namesToFeed(in: object) where !present.contains(name.name) {
      all.append(
        key(
          name.name, .name, "what is fed", EditorText.about(name, in: self), value: "{ \"values\": [$1] }",
          slot, hasColon))
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

  /// Whether a name is excluded because a file has only one of `stream` and `source`.
  private func isExcluded(_ name: String, by present: Set<String>, in view: SchemaView) -> Bool {
    view.isNamed("stream")
      && (name == "stream" && present.contains("source") || name == "source" && present.contains("stream"))
  }

  /// Returns the streams and inputs that a test can feed, if the object is the test's `inputs`.
  private func namesToFeed(in object: Int) -> [EditorTarget] {
    guard tree.nodes[object].key?.name == "inputs", let test = tree.nodes[object].parent,
      tree.view(of: test).isNamed("test")
    else { return [] }
    return targets(visibleFrom: test, .streamOrInput)
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
    let names = names(for: view, outer, key, from: parent).map { target in
      let quoted = JSONWriter.compact(.string(target.name))
      return completion(
        target.name, .name, type(of: target).map { "\($0)" } ?? "", EditorText.about(target, in: self),
        SnippetText.escaped(quoted), filter: quoted, slot)
    }
    var all = names
    for word in view.words {
      let text = JSONWriter.compact(word)
      // Within quotation marks only texts may stand.
      if isInText, word.text == nil { continue }
      all.append(
        completion(
          word.text ?? text, .word, word == view.defaultValue ? "default" : "", view.description ?? "",
          SnippetText.escaped(text), filter: text, slot))
    }
    guard !isInText else { return all }
    if let value = view.defaultValue, view.words.isEmpty {
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
    let written = view.snippet()
    let isWorthwhile = all.isEmpty || !view.isNamed("operator") && (view.accepts("object") || view.accepts("array"))
    if isWorthwhile, !view.forms.isEmpty, written != "$1" {
      all.append(
        completion(
          label(SnippetText.plain(written)), .snippet, written.hasPrefix("{") ? "an object" : view.expectation ?? "",
          view.description ?? "", written,
          filter: SnippetText.plain(written), slot))
    }
    return all
  }

  /// The text with no space between brackets that have nothing in them.
  private func label(_ text: String) -> String { text.replacing("{  }", with: "{}") }

  /// The streams or inputs that may be named there.
  private func names(for view: SchemaView, _ outer: SchemaView, _ key: String?, from node: Int) -> [EditorTarget] {
    if view.isNamed("streamReference") { return targets(visibleFrom: node, .streamOrInput) }
    guard key == "name" else { return [] }
    if outer.isNamed("source.stream") { return targets(visibleFrom: node, .streamOrInput) }
    return outer.isNamed("source.input") ? targets(visibleFrom: node, .input) : []
  }

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
