internal import CEL
internal import StreamCore
internal import StreamKit

/// A declaration of another file.
struct RemoteName {
  let kind: EditorTarget.Kind
  let name: String
  let type: CELType?
  /// Paragraphs in Markdown.
  let details: [String]
  /// The value if none is given.
  var defaultValue: Value?

  var text: String {
    ([EditorText.title(kind, name, type.map { "`\($0)`" })] + details).joined(separator: "\n\n")
  }
}

extension EditorDocument {
  /// The declarations of another file that the keys of an object name.
  func remoteNames(ofKeysOf object: Int, _ view: SchemaView, _ owner: Int?, _ ownerView: SchemaView) -> [RemoteName] {
    if view.isNamed("apply") { return otherFile(namedAt: object).map { names($0.model, .parameter) } ?? [] }
    guard let owner, let section = tree.nodes[object].key?.name, let kind = EditorTarget.Kind(section: section),
      bindsInputs(object, owner, ownerView) || kind == .parameter && ownerView.isNamed("source.stream")
    else { return [] }
    return otherFile(namedAt: owner).map { names($0.model, kind) } ?? []
  }

  /// The outputs of the file that the fields of a source name.
  func remoteOutputs(of fields: Int) -> [RemoteName] {
    otherFile(namedAt: fields).map { names($0.model, .output) } ?? []
  }

  /// Describes the declaration of another file that a key names; nil if it names none.
  func aboutRemoteName(ofKeyAt node: Int) -> String? {
    guard let place = place(of: node), let key = tree.nodes[node].key?.name else { return nil }
    return remoteNames(ofKeysOf: place.parent, place.outer, place.owner, place.ownerView).first { $0.name == key }?.text
  }

  /// The file that the fields of an `apply` or of a source name; nil if it cannot be read.
  private func otherFile(namedAt fields: Int) -> StreamFile? {
    guard let path = path(inFieldsAt: fields), let loader = options.loader else { return nil }
    return try? loader.load(path, relativeTo: identity)
  }

  private func names(_ model: StreamModel, _ kind: EditorTarget.Kind) -> [RemoteName] {
    let types = model.typeTable
    func declared(_ type: TypeDeclaration?) -> CELType? {
      type.flatMap { try? CELType.declared($0, field: "type", in: types) }
    }
    return switch kind {
    case .input: model.inputs.map { RemoteName(kind: kind, name: $0, type: declared($1.type), details: []) }
    case .parameter:
      model.parameters.map { name, parameter in
        RemoteName(
          kind: kind, name: name, type: declared(parameter.type), details: EditorText.about(parameter),
          defaultValue: parameter.defaultValue)
      }
    case .output:
      model.outputs.map { name, output in
        RemoteName(
          kind: kind, name: name, type: declared(output.type), details: [output.description].compactMap(\.self))
      }
    case .stream, .definition, .type: []
    }
  }
}
