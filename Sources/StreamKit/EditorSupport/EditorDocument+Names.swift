internal import CEL
internal import StreamCore

/// A stream or an input of a file.
struct EditorTarget: Hashable {
  enum Kind: Hashable { case stream, input }

  let kind: Kind
  let name: String
  /// The member of `streams` or `inputs`.
  let node: Int
}

/// A place where a stream or an input is named.
struct EditorName: Hashable {
  enum Role: Hashable {
    case definition
    /// Streams come before inputs, unless only inputs are meant.
    case use(Use)
  }

  enum Use: Hashable { case streamOrInput, input }

  let text: String
  let role: Role
  /// What is defined.
  var kind = EditorTarget.Kind.stream
  /// The string with its quotation marks.
  let range: Range<Int>
}

extension EditorDocument {
  /// The name of a stream or an input that stands at a node: its key, or its value.
  func name(at node: Int) -> EditorName? {
    guard let parent = tree.nodes[node].parent else { return nil }
    return name(at: node, tree.view(of: node), parent, tree.view(of: parent))
  }

  private func name(at node: Int, _ view: SchemaView, _ parent: Int, _ outer: SchemaView) -> EditorName? {
    if let key = tree.nodes[node].key, let owner = tree.nodes[parent].parent,
      let section = tree.nodes[parent].key?.name,
      section == "streams" || section == "inputs"
    {
      // NB: an extension's members look like nothing here, since their views are empty.
      let holder = tree.view(of: owner)
      if holder.isNamed("stream") {
        return EditorName(
          text: key.name, role: .definition, kind: section == "streams" ? .stream : .input, range: key.range)
      }
      if holder.isNamed("test"), section == "inputs" {
        return EditorName(text: key.name, role: .use(.streamOrInput), range: key.range)
      }
    }
    guard tree.nodes[node].kind == .string, let text = tree.text(of: node) else { return nil }
    let range = tree.nodes[node].range
    if view.isNamed("streamReference") { return EditorName(text: text, role: .use(.streamOrInput), range: range) }
    guard tree.nodes[node].key?.name == "name" else { return nil }
    if outer.isNamed("source.stream") { return EditorName(text: text, role: .use(.streamOrInput), range: range) }
    if outer.isNamed("source.input") { return EditorName(text: text, role: .use(.input), range: range) }
    return nil
  }

  /// The stream of a name that can be seen from a node, else the input of it.
  func target(of name: String, _ use: EditorName.Use, from node: Int) -> EditorTarget? {
    let scopes = scopes(around: node)
    if use == .streamOrInput {
      for scope in scopes {
        if let section = tree.member("streams", of: scope), let found = tree.member(name, of: section) {
          return EditorTarget(kind: .stream, name: name, node: found)
        }
      }
    }
    for scope in scopes {
      if let section = tree.member("inputs", of: scope), let found = tree.member(name, of: section) {
        return EditorTarget(kind: .input, name: name, node: found)
      }
    }
    return nil
  }

  /// The streams and inputs that can be seen from a node, the nearest first; a name that a nearer one has is left out.
  func targets(visibleFrom node: Int, _ use: EditorName.Use) -> [EditorTarget] {
    var names: Set<String> = []
    var all: [EditorTarget] = []
    let sections: [(String, EditorTarget.Kind)] =
      use == .input ? [("inputs", .input)] : [("streams", .stream), ("inputs", .input)]
    for (key, kind) in sections {
      for scope in scopes(around: node) {
        guard let section = tree.member(key, of: scope) else { continue }
        for child in tree.nodes[section].children {
          guard let name = tree.nodes[child].key?.name, names.insert(name).inserted else { continue }
          all.append(EditorTarget(kind: kind, name: name, node: child))
        }
      }
    }
    return all
  }

  /// The streams that a node stands in, the innermost first.
  private func scopes(around node: Int) -> [Int] {
    zip(tree.path(to: node), tree.views(to: node)).filter { place, view in
      tree.nodes[place].kind == .object && view.isNamed("stream")
    }.map(\.0).reversed()
  }

  /// What a target publishes, where it is known.
  func type(of target: EditorTarget) -> CELType? {
    let pointer = tree.pointer(to: target.node)
    switch target.kind {
    case .stream: return analysis.type(ofStreamAt: pointer)
    case .input: return InputDeclaration.read(analysis.value(at: pointer, in: tree)).0.declaredType
    }
  }

  // MARK: Where it is

  /// Where the name at a byte is defined: the bytes of its key.
  package func definition(at offset: Int) -> Range<Int>? {
    guard let target = target(at: offset) else { return nil }
    return tree.nodes[target.node].key?.range
  }

  /// The path of the stream file that is named at a byte.
  package func fileReference(at offset: Int) -> String? {
    guard let (node, isKey) = tree.node(at: offset), !isKey, tree.nodes[node].key?.name == "file",
      let parent = tree.nodes[node].parent, tree.view(of: parent).isNamed("source.stream")
    else { return nil }
    return tree.text(of: node)
  }

  /// The paths of stream files that the file names, and where, in the order of the text.
  package var fileReferences: [(path: String, range: Range<Int>)] {
    tree.nodes.compactMap { node in
      guard node.kind == .string, node.key?.name == "file", let parent = node.parent,
        tree.nodes[parent].key?.name == "stream", let source = tree.nodes[parent].parent,
        tree.nodes[source].key?.name == "source"
      else { return nil }
      return (LooseText(tree.bytes, node.range, isClosed: node.isClosed).text, node.range)
    }
  }

  /// Every place that names the same stream or input as the one at a byte, in the order of the text.
  package func references(at offset: Int) -> [Range<Int>] {
    guard let target = target(at: offset) else { return [] }
    return uses(of: target).map(\.range)
  }

  func target(at offset: Int) -> EditorTarget? {
    guard let (node, _) = tree.node(at: offset), let name = name(at: node), name.range.contains(offset) else {
      return nil
    }
    return target(of: name, at: node)
  }

  private func target(of name: EditorName, at node: Int) -> EditorTarget? {
    switch name.role {
    case .definition: EditorTarget(kind: name.kind, name: name.text, node: node)
    case .use(let use): target(of: name.text, use, from: node)
    }
  }

  /// The definition and all uses. An input is one, however often it is declared under its name.
  func uses(of target: EditorTarget) -> [EditorName] {
    allNames { $0 == target.name }.compactMap { node, name in
      guard let found = self.target(of: name, at: node) else { return nil }
      let isSame = target.kind == .input ? found.kind == .input : found == target
      return isSame ? name : nil
    }
  }

  /// All places that name a stream or an input so.
  private func allNames(_ isMeant: (String) -> Bool) -> [(Int, EditorName)] {
    var found: [(Int, EditorName)] = []
    // NB: without recursion, since a text may nest however deep.
    var next = [(node: 0, view: SchemaView.file)]
    while let (parent, outer) = next.popLast() {
      guard tree.nodes.indices.contains(parent) else { break }
      for node in tree.nodes[parent].children {
        let view = tree.nodes[node].key.map { outer.member($0.name) } ?? outer.element
        let text = tree.nodes[node].key?.name
        if text.map(isMeant) == true || tree.text(of: node).map(isMeant) == true,
          let name = name(at: node, view, parent, outer), isMeant(name.text)
        {
          found.append((node, name))
        }
        if !view.forms.isEmpty, !tree.nodes[node].children.isEmpty { next.append((node, view)) }
      }
    }
    return found.sorted { $0.1.range.lowerBound < $1.1.range.lowerBound }
  }
}

extension EditorText {
  /// What a stream or an input is, in Markdown.
  static func about(_ target: EditorTarget, in document: EditorDocument) -> String {
    let type = document.type(of: target)
    let title = "**\(target.kind == .stream ? "Stream" : "Input") `\(target.name)`**"
    var parts = [type.map { "\(title): `\($0)`" } ?? title]
    let value = document.analysis.value(at: document.tree.pointer(to: target.node), in: document.tree)
    switch target.kind {
    case .stream:
      if let name = value.member("name")?.text { parts.append(name) }
      if let description = value.member("description")?.text { parts.append(description) }
    case .input:
      parts.append("Is fed by the host.")
      if let initial = value.member("initialValue") {
        parts.append("Begins with `\(FieldText.shortened(JSONWriter.compact(initial)))`.")
      }
    }
    return parts.joined(separator: "\n\n")
  }
}

extension EditorAnalysis {
  /// What stands at a place.
  func value(at pointer: JSONPointer, in tree: LooseTree) -> Value {
    (document?.value ?? repaired)[pointer] ?? .null
  }
}
