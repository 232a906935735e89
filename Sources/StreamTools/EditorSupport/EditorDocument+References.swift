extension EditorDocument {
  /// Returns the bytes of the key that declares the name at a byte.
  package func definition(at offset: Int) -> Range<Int>? {
    guard let target = target(at: offset) else { return nil }
    return tree.nodes[target.node].key?.range
  }

  /// The path of the stream file that is named at a byte, or whose input, parameter or output is.
  package func fileReference(at offset: Int) -> String? {
    guard let (node, isKey) = tree.node(at: offset), let place = place(of: node) else { return nil }
    if !isKey, ["file", "output"].contains(tree.nodes[node].key?.name), place.outer.namesFile {
      return path(inFieldsAt: place.parent)
    }
    guard isKey else { return nil }
    if place.outer.isNamed("apply") { return path(inFieldsAt: place.parent) }
    guard let owner = place.owner,
      bindsInputs(place.parent, owner, place.ownerView)
        || place.ownerView.isNamed("source.stream") && tree.nodes[place.parent].key?.name == "parameters"
    else { return nil }
    return path(inFieldsAt: owner)
  }

  /// The path of the file that the fields of an `apply` or of a source name.
  func path(inFieldsAt fields: Int) -> String? { tree.member("file", of: fields).flatMap { tree.text(of: $0) } }

  /// The paths of stream files that the file names, and where, in the order of the text.
  package var fileReferences: [(path: String, range: Range<Int>)] {
    tree.nodes.compactMap { node in
      guard node.kind == .string, node.key?.name == "file", let parent = node.parent,
        let owner = tree.nodes[parent].parent,
        tree.nodes[parent].key?.name == "apply"
          || tree.nodes[parent].key?.name == "stream" && tree.nodes[owner].key?.name == "source"
      else { return nil }
      return (TolerantText(tree.bytes, node.range, isClosed: node.isClosed).text, node.range)
    }
  }

  /// Every place of the name at a byte that has the same declaration, in the order of the text.
  package func references(at offset: Int) -> [Range<Int>] {
    guard let target = target(at: offset) else { return [] }
    return uses(of: target).map(\.range)
  }

  func target(at offset: Int) -> EditorTarget? { name(at: offset).flatMap { target(of: $0.name, at: $0.node) } }

  func target(of name: EditorName, at node: Int) -> EditorTarget? {
    switch name.role {
    case .declaration(let kind): EditorTarget(kind: kind, name: name.text, node: node)
    case .use(let use): target(of: name.text, use, from: node)
    }
  }

  /// The declaration and all uses. An input is one, however often it is declared under its name.
  func uses(of target: EditorTarget) -> [EditorName] {
    allNames(target.name).compactMap { node, name in
      guard let found = self.target(of: name, at: node) else { return nil }
      let isSame = target.kind == .input ? found.kind == .input : found == target
      return isSame ? name : nil
    }
  }

  /// All places of a name, whatever it refers to.
  private func allNames(_ text: String) -> [(Int, EditorName)] {
    var found: [(Int, EditorName)] = []
    // NB: without recursion, since a text may nest however deep.
    var next = [(node: 0, view: SchemaView.file, owner: Int?.none, ownerView: SchemaView.anything)]
    while let (parent, outer, owner, ownerView) = next.popLast() {
      guard tree.nodes.indices.contains(parent) else { break }
      for node in tree.nodes[parent].children {
        let view = tree.nodes[node].key.map { outer.member($0.name) } ?? outer.element
        if tree.nodes[node].key?.name == text || tree.text(of: node)?.contains(text) == true {
          let place = PlacedNode(
            node: node, view: view, parent: parent, outer: outer, owner: owner, ownerView: ownerView)
          found += names(at: place) { $0 == text }.map { (node, $0) }
        }
        // A parameter may be the value of a field that has any value.
        let isWorthwhile = !view.forms.isEmpty || tree.member("parameter", of: node) != nil
        if isWorthwhile, !tree.nodes[node].children.isEmpty { next.append((node, view, parent, outer)) }
      }
    }
    return found.sorted { $0.1.range.lowerBound < $1.1.range.lowerBound }
  }
}
