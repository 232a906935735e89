internal import CEL
internal import StreamKit

extension EditorDocument {
  /// Returns the name of a stream or an input at a node: its key, or its value.
  func name(at node: Int) -> EditorName? {
    guard let parent = tree.nodes[node].parent else { return nil }
    return name(at: node, tree.view(of: node), parent, tree.view(of: parent))
  }

  /// Returns the name of a stream or an input at a node whose schema and whose parent's schema are known.
  func name(at node: Int, _ view: SchemaView, _ parent: Int, _ outer: SchemaView) -> EditorName? {
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

  /// Returns the streams that contain a node, innermost first.
  private func scopes(around node: Int) -> [Int] {
    zip(tree.path(to: node), tree.views(to: node)).filter { place, view in
      tree.nodes[place].kind == .object && view.isNamed("stream")
    }.map(\.0).reversed()
  }

  /// Returns the types that a declaration at a node can name.
  private func types(around node: Int) -> TypeTable {
    for scope in scopes(around: node) {
      if let section = tree.member("types", of: scope) {
        let model: Value = ["types": analysis.value(at: tree.pointer(to: section), in: tree)]
        return StreamModel.read(model).0.typeTable
      }
    }
    return .unknown
  }

  /// Returns the type of the values that a target publishes, if known.
  func type(of target: EditorTarget) -> CELType? {
    let pointer = tree.pointer(to: target.node)
    switch target.kind {
    case .stream: return analysis.type(ofStreamAt: pointer)
    case .input:
      return InputDeclaration.read(analysis.value(at: pointer, in: tree)).0
        .declaredType(in: types(around: target.node))
    }
  }
}
