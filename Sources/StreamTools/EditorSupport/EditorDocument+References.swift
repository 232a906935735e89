extension EditorDocument {
  /// Returns the bytes of the key that defines the name at a byte.
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
      return (TolerantText(tree.bytes, node.range, isClosed: node.isClosed).text, node.range)
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

  func target(of name: EditorName, at node: Int) -> EditorTarget? {
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
