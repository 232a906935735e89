import StreamCore

/// Writes one model of the playground as a stream file of format 1.
struct StreamFileWriter {
  /// Assumptions and untranslatable parts; their pointers refer to the old file.
  var diagnostics = Diagnostics()
  let directory: StreamDirectory
  /// The named streams of the file, in the order of their first use.
  var streams: [(Value, Value)] = []
  /// The inputs of the file.
  var inputs: [(Value, Value)] = []
  var names = NameTable()
  /// The name that each embedded stream of the directory has in this file.
  var embedded: [String: String] = [:]

  init(_ directory: StreamDirectory) { self.directory = directory }

  /// The stream file, keys in the order of the format.
  mutating func file(of model: PlaygroundModel) -> Value {
    var operators: [Value] = []
    let content: (key: String, value: Value)
    let kind: ElementKind
    switch model.body {
    case .items(let items):
      let (values, itemKind) = written(items)
      content = ("stream", .list(values))
      kind = itemKind
    case .stream(let reference):
      let sources = references(reference.map { [$0] }, count: 1, roles: ["stream"], of: model)
      content = ("source", sources.first?.source ?? ["empty": [:]])
      kind = sources.first?.kind ?? .texts
    case .union(let union, let ids):
      let (source, unionKind) = united(union, ids, of: model, into: &operators)
      content = ("source", source)
      kind = unionKind
    }
    var translation = OperatorTranslation(of: kind)
    for old in model.operators { translation.append(old) }
    diagnostics.append(contentsOf: translation.diagnostics)
    operators += translation.operators

    var fields: [(Value, Value)] = [("format", 1)]
    fields += described(model, named: true)
    if !inputs.isEmpty { fields.append(("inputs", .map(ValueMap(inputs)))) }
    if !streams.isEmpty { fields.append(("streams", .map(ValueMap(streams)))) }
    fields.append((.string(content.key), content.value))
    if !operators.isEmpty { fields.append(("operators", .list(operators))) }
    return .map(ValueMap(fields))
  }

  private func described(_ model: PlaygroundModel, named: Bool) -> [(Value, Value)] {
    let texts = [("id", model.uuid), ("name", named ? model.name : nil), ("description", model.description)]
    return texts.compactMap { key, text in text.map { (.string(key), .string($0)) } }
  }

  /// Returns the items of a stream, and the known kind of their values.
  private mutating func written(_ items: [PlaygroundItem]) -> ([Value], ElementKind) {
    var values: [Value] = []
    var kinds: [ElementKind] = []
    for item in items {
      var translation = OperatorTranslation(of: ElementKind(item.value))
      for old in item.operators { translation.append(old) }
      diagnostics.append(contentsOf: translation.diagnostics)
      var fields: [(Value, Value)] = [("value", item.value)]
      if !translation.operators.isEmpty { fields.append(("operators", .list(translation.operators))) }
      values.append(.map(ValueMap(fields)))
      kinds.append(translation.kind)
    }
    return (values, .joined(kinds))
  }

  /// Adds a stream of the directory to this file, once; its notes are reported with its own file.
  mutating func embed(_ entry: StreamDirectory.Entry) -> (name: String, kind: ElementKind) {
    let said = diagnostics
    defer { diagnostics = said }
    let (values, itemKind) = written(entry.items)
    var translation = OperatorTranslation(of: itemKind)
    for old in entry.model.operators { translation.append(old) }
    if let name = embedded[entry.name] { return (name, translation.kind) }
    let name = names.unique(entry.name)
    embedded[entry.name] = name
    var fields = described(entry.model, named: false)
    fields.append(("stream", .list(values)))
    if !translation.operators.isEmpty { fields.append(("operators", .list(translation.operators))) }
    streams.append((.string(name), .map(ValueMap(fields))))
    return (name, translation.kind)
  }
}
