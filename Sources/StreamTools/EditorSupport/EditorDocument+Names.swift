internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorDocument {
  /// A node with the schemas of its place.
  struct PlacedNode {
    let node: Int
    let view: SchemaView
    /// The object or array around the node.
    let parent: Int
    let outer: SchemaView
    /// The object or array around the parent; nil if the parent is the whole file.
    let owner: Int?
    let ownerView: SchemaView
  }

  /// The schemas at a node; nil for the whole file.
  func place(of node: Int) -> PlacedNode? {
    guard let parent = tree.nodes[node].parent else { return nil }
    let views = tree.views(to: node)
    return PlacedNode(
      node: node, view: views[views.count - 1], parent: parent, outer: views[views.count - 2],
      owner: tree.nodes[parent].parent, ownerView: views.count > 2 ? views[views.count - 3] : .anything)
  }

  /// Returns the name that contains the byte at `offset`, and the node that it is part of.
  func name(at offset: Int) -> (node: Int, name: EditorName)? {
    guard let (node, _) = tree.node(at: offset), let place = place(of: node) else { return nil }
    return names(at: place).first { $0.range.contains(offset) }.map { (node, $0) }
  }

  /// Returns the names at a node: its key, its value, and the names in an expression or a type.
  ///
  /// - Parameter isMeant: Selects names before expressions are analyzed. Default: every name.
  func names(at place: PlacedNode, where isMeant: (String) -> Bool = { _ in true }) -> [EditorName] {
    var names: [EditorName] = []
    let node = tree.nodes[place.node]
    if let key = node.key, let role = role(ofKeysOf: place.parent, place.outer, place.owner, place.ownerView, key.name),
      isMeant(key.name)
    {
      names.append(EditorName(text: key.name, role: role, range: key.range))
    }
    guard node.kind == .string, let text = tree.text(of: place.node) else { return names }
    if let use = use(ofValue: node.key?.name, place.view, in: place.parent, place.outer, place.owner, place.ownerView) {
      if isMeant(text) { names.append(EditorName(text: text, role: .use(use), range: node.range)) }
    } else if place.view.isNamed("valueType") {
      names += typeNames(at: place.node).filter { isMeant($0.text) }
    } else if let expression = expression(at: place.node) {
      for name in expression.help.names where isMeant(name.text) && expression.parameters.contains(name.text) {
        names.append(
          EditorName(
            text: name.text, role: .use(.parameter), range: expression.range(of: name.range), isString: false))
      }
    }
    return names
  }

  /// The names of the file's types in the text of a type.
  private func typeNames(at node: Int) -> [EditorName] {
    let text = TolerantText(tree.bytes, tree.nodes[node].range, isClosed: tree.nodes[node].isClosed)
    var names: [EditorName] = []
    var start: Int?
    for (place, byte) in (text.decoded + [UInt8(ascii: " ")]).enumerated() {
      let belongs = TolerantSyntaxTree.isNameByte(byte)
      if belongs, start == nil { start = place }
      guard !belongs, let first = start else { continue }
      start = nil
      let name = String(decoding: text.decoded[first..<place], as: UTF8.self)
      guard name.first?.isUppercase == true else { continue }
      names.append(
        EditorName(text: name, role: .use(.type), range: text.range(of: first..<place), isString: false))
    }
    return names
  }

  // MARK: Places of names

  /// Returns the role of a key of an object; nil for a key that is not a name.
  private func role(
    ofKeysOf object: Int, _ view: SchemaView, _ owner: Int?, _ ownerView: SchemaView, _ key: String
  ) -> EditorName.Role? {
    // NB: an extension's members look like nothing here, since their views are empty.
    if let section = tree.nodes[object].key?.name, let kind = EditorTarget.Kind(section: section),
      ownerView.isNamed("stream") || kind == .parameter && ownerView.isNamed("definition")
    {
      return .declaration(kind)
    }
    if view.isNamed("apply"), !isArgument(key, ofApplied: object) || key.hasPrefix("x-") { return nil }
    return use(ofKeysOf: object, view, owner, ownerView).map { .use($0) }
  }

  /// Returns the declarations that the keys of an object name; nil if they name none of this file.
  func use(ofKeysOf object: Int, _ view: SchemaView, _ owner: Int?, _ ownerView: SchemaView) -> EditorName.Use? {
    if view.isNamed("apply") {
      return appliedDefinition(at: object).map { EditorName.Use(kinds: [.parameter], owner: $0.node) }
    }
    let section = tree.nodes[object].key?.name
    if ownerView.isNamed("test") {
      return section == "inputs" ? .streamOrInput : section == "parameters" ? .parameter : nil
    }
    return ownerView.isNamed("expected") && section == "outputs" ? .output : nil
  }

  /// Returns the declarations that a string can name at a place; nil if it cannot be a name.
  ///
  /// - Parameters:
  ///   - key: The name of the member; nil for an element of an array.
  ///   - view: The schema of the string.
  func use(
    ofValue key: String?, _ view: SchemaView, in parent: Int, _ outer: SchemaView, _ owner: Int?,
    _ ownerView: SchemaView
  ) -> EditorName.Use? {
    if view.isNamed("streamReference") { return .streamOrInput }
    if bindsInputs(parent, owner, ownerView) { return .streamOrInput }
    switch key {
    case "name": return outer.isNamed("source.stream") ? .streamOrInput : outer.isNamed("source.input") ? .input : nil
    case "definition": return outer.isNamed("apply") ? .definition : nil
    case "parameter":
      guard let field = tree.nodes[parent].key?.name, let owner else { return nil }
      return takesParameter(field, of: owner, ownerView) ? .parameter : nil
    default: return nil
    }
  }

  /// Whether a member of an object can be `{"parameter": …}`.
  func takesParameter(_ key: String, of object: Int, _ view: SchemaView) -> Bool {
    if view.isNamed("apply") { return isArgument(key, ofApplied: object) }
    if tree.nodes[object].key?.name == "parameters", let stream = tree.nodes[object].parent {
      return tree.view(of: stream).isNamed("source.stream")
    }
    return view.takesParameters
  }

  /// Whether a member of an `apply` is an argument.
  private func isArgument(_ key: String, ofApplied object: Int) -> Bool {
    switch key {
    case "definition", "file": false
    case "inputs": tree.member("file", of: object) == nil
    default: true
    }
  }

  /// Whether an object contains the streams for the inputs of another file.
  ///
  /// - Parameter owner: The fields of an `apply` or of a source, which contain the object.
  func bindsInputs(_ object: Int, _ owner: Int?, _ ownerView: SchemaView) -> Bool {
    guard tree.nodes[object].key?.name == "inputs", let owner else { return false }
    return ownerView.isNamed("source.stream") || ownerView.isNamed("apply") && tree.member("file", of: owner) != nil
  }

  /// The definition that an object of `apply` names, if this file declares it.
  func appliedDefinition(at object: Int) -> EditorTarget? {
    guard let node = tree.member("definition", of: object), let name = tree.text(of: node) else { return nil }
    return target(of: name, .definition, from: object)
  }

  // MARK: Targets

  /// The declaration of a name that can be seen from a node.
  func target(of name: String, _ use: EditorName.Use, from node: Int) -> EditorTarget? {
    let scopes = use.owner.map { [$0] } ?? scopes(around: node)
    for kind in use.kinds {
      for scope in scopes {
        if let section = tree.member(kind.section, of: scope), let found = tree.member(name, of: section) {
          return EditorTarget(kind: kind, name: name, node: found)
        }
      }
    }
    return nil
  }

  /// The declarations that can be seen from a node, the nearest first; a name that a nearer one has is left out.
  func targets(visibleFrom node: Int, _ use: EditorName.Use) -> [EditorTarget] {
    var names: Set<String> = []
    var all: [EditorTarget] = []
    let scopes = use.owner.map { [$0] } ?? scopes(around: node)
    for kind in use.kinds {
      for scope in scopes {
        guard let section = tree.member(kind.section, of: scope) else { continue }
        for child in tree.nodes[section].children {
          guard let name = tree.nodes[child].key?.name, names.insert(name).inserted else { continue }
          all.append(EditorTarget(kind: kind, name: name, node: child))
        }
      }
    }
    return all
  }

  /// Returns the streams and the definition that contain a node, innermost first.
  private func scopes(around node: Int) -> [Int] {
    zip(tree.path(to: node), tree.views(to: node)).filter { place, view in
      tree.nodes[place].kind == .object && (view.isNamed("stream") || view.isNamed("definition"))
    }.map(\.0).reversed()
  }

  // MARK: Types

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

  /// Returns the type of the values that a target publishes or has, if known.
  func type(of target: EditorTarget) -> CELType? {
    let pointer = tree.pointer(to: target.node)
    let value = analysis.value(at: pointer, in: tree)
    func declared(_ type: TypeDeclaration?) -> CELType? {
      type.flatMap { try? CELType.declared($0, field: "type", in: types(around: target.node)) }
    }
    switch target.kind {
    case .stream: return analysis.type(ofStreamAt: pointer)
    case .input: return InputDeclaration.read(value).0.declaredType(in: types(around: target.node))
    case .parameter:
      let parameter = ParameterDeclaration.read(value).0
      return declared(parameter.type) ?? parameter.defaultValue.map(CELType.of)
    case .type: return declared(TypeDeclaration(json: value))
    case .output:
      return analysis.types(at: pointer)?.output ?? value.member("type").flatMap { declared(TypeDeclaration(json: $0)) }
    case .definition: return nil
    }
  }
}
