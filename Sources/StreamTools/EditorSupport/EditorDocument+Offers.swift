internal import CEL
internal import StreamCore
internal import StreamKit

extension EditorDocument {
  /// A name that an editor can insert.
  struct NameOffer {
    let name: String
    /// The type, or a few words.
    let detail: String
    /// In Markdown.
    let documentation: String
    /// The text of the value: of the member that a key begins, or of the name itself.
    let value: String
  }

  // MARK: Keys

  /// The names that can be keys of an object.
  func offers(ofKeysOf object: Int, _ view: SchemaView) -> [NameOffer] {
    let owner = tree.nodes[object].parent
    let ownerView = owner.map(tree.view(of:)) ?? .anything
    guard let use = use(ofKeysOf: object, view, owner, ownerView) else {
      return remoteNames(ofKeysOf: object, view, owner, ownerView).map { remote in
        let value = remote.kind == .input ? "\"$1\"" : Self.snippet(remote.type, remote.defaultValue)
        return NameOffer(
          name: remote.name, detail: remote.type.map { "\($0)" } ?? "", documentation: remote.text, value: value)
      }
    }
    return targets(visibleFrom: object, use).map { target in
      let type = type(of: target)
      let documentation = EditorText.about(target, in: self)
      guard target.kind == .parameter else {
        return NameOffer(
          name: target.name, detail: target.kind == .output ? "what is expected" : "what is fed",
          documentation: documentation, value: "{ \"values\": [$1] }")
      }
      return NameOffer(
        name: target.name, detail: type.map { "\($0)" } ?? "", documentation: documentation,
        value: Self.snippet(type, defaultValue(of: target)))
    }
  }

  private func defaultValue(of target: EditorTarget) -> Value? {
    analysis.value(at: tree.pointer(to: target.node), in: tree).member("default")
  }

  /// Returns the first text for a value of a type.
  private static func snippet(_ type: CELType?, _ value: Value?) -> String {
    if let value { return "${1:\(SnippetText.escaped(JSONWriter.compact(value)))}" }
    switch type {
    case .choice(let values)?: return "${1|\(values.map(JSONWriter.compact).joined(separator: ","))|}"
    case .bool?: return "${1|true,false|}"
    case .int?, .uint?, .double?: return "${1:1}"
    case .string?, .timestamp?, .duration?: return "\"$1\""
    case .list?: return "[$1]"
    case .map?, .record?: return "{ $1 }"
    default: return "$1"
    }
  }

  // MARK: Values

  /// The names that a string can be.
  func offers(ofValue key: String?, _ view: SchemaView, in parent: Int, _ outer: SchemaView) -> [NameOffer] {
    let owner = tree.nodes[parent].parent
    let ownerView = owner.map(tree.view(of:)) ?? .anything
    if key == "output", outer.isNamed("source.stream") {
      return remoteOutputs(of: parent).map { remote in
        NameOffer(
          name: remote.name, detail: remote.type.map { "\($0)" } ?? "", documentation: remote.text,
          value: SnippetText.quoted(remote.name))
      }
    }
    let isType = view.isNamed("valueType")
    guard let use = isType ? .type : use(ofValue: key, view, in: parent, outer, owner, ownerView) else { return [] }
    var all = targets(visibleFrom: parent, use)
    if use == .parameter, let owner, let field = tree.nodes[parent].key?.name {
      all = fitting(all, field, of: owner, ownerView)
    }
    return all.map { offer($0, written: SnippetText.quoted($0.name)) }
  }

  /// The parameters that can be the value of a member of an object.
  func parameters(fitting key: String, of object: Int, _ view: SchemaView, _ value: SchemaView) -> [NameOffer] {
    guard takesParameter(key, of: object, view), value.expressionTitle == nil, !value.isNamed("operators") else {
      return []
    }
    return fitting(targets(visibleFrom: object, .parameter), key, of: object, view).map {
      offer($0, written: "{ \"parameter\": \(SnippetText.quoted($0.name)) }")
    }
  }

  private func offer(_ target: EditorTarget, written: String) -> NameOffer {
    NameOffer(
      name: target.name, detail: type(of: target).map { "\($0)" } ?? "",
      documentation: EditorText.about(target, in: self), value: written)
  }

  /// The type and the default of the parameter that a member gives a value to; nil for another member.
  func argument(
    named key: String, in object: Int, _ view: SchemaView
  ) -> (type: CELType?, defaultValue: Value?)? {
    let owner = tree.nodes[object].parent
    let ownerView = owner.map(tree.view(of:)) ?? .anything
    if let use = use(ofKeysOf: object, view, owner, ownerView) {
      guard use.kinds == [.parameter], let target = target(of: key, use, from: object) else { return nil }
      return (type(of: target), defaultValue(of: target))
    }
    let remote = remoteNames(ofKeysOf: object, view, owner, ownerView).first { $0.name == key && $0.kind == .parameter }
    return remote.map { ($0.type, $0.defaultValue) }
  }

  /// The parameters whose values a member of an object may have.
  private func fitting(
    _ all: [EditorTarget], _ key: String, of object: Int, _ view: SchemaView
  ) -> [EditorTarget] {
    let field = view.spec?.fields.first { $0.name == key }
    let argument = field == nil ? self.argument(named: key, in: object, view) : nil
    return all.filter { target in
      guard let type = type(of: target) else { return true }
      return field?.kind.mayBe(type) ?? argument?.type?.mayBe(type, numbers: .mixed) ?? true
    }
  }
}

extension CELType {
  /// All values of the type, if they are few.
  var words: [Value] {
    switch self {
    case .choice(let values): values
    case .bool: [true, false]
    default: []
    }
  }
}
