import StreamCore
internal import StreamKit

/// Reads the playground's models of any generation from JSON.
///
/// It continues after an error to report all errors at once.
struct PlaygroundReader {
  /// Errors of all models, and notes on the whole input.
  var diagnostics = Diagnostics()
  /// The generations that could have written the model being read.
  private var generations: Set<PlaygroundGeneration> = []

  /// All models of a file, in order.
  mutating func models(in value: Value) -> [PlaygroundModel] {
    switch PlaygroundShape(value) {
    case .model: return [model(value, at: JSONPointer())].compactMap(\.self)
    case .models: return list(value, at: JSONPointer())
    case .store: return store(value)
    case .unknown:
      diagnostics.append(
        Diagnostic(
          .unsupportedImport, "this is not a file of the Combine playground",
          notes: ["expected an object with 'stream', 'operators' or 'operatorItem', or an array of them"]))
      return []
    }
  }

  private mutating func list(_ value: Value, at pointer: JSONPointer) -> [PlaygroundModel] {
    guard case .list(let elements) = value else { return [model(value, at: pointer)].compactMap(\.self) }
    var models: [PlaygroundModel] = []
    for (index, element) in elements.enumerated() {
      if let model = model(element, at: pointer.appending(index)) { models.append(model) }
    }
    return models
  }

  private mutating func store(_ value: Value) -> [PlaygroundModel] {
    guard case .map(let map) = value else { return [] }
    var models: [PlaygroundModel] = []
    for case (.string(let key), let value) in map.pairs {
      let pointer = JSONPointer([key])
      let isKnown = PlaygroundShape.storeKeys.contains(key)
      let isContainer = if case .list = value { true } else if case .map = value { true } else { false }
      if isContainer, isKnown || PlaygroundShape(value).isCertain {
        models += list(value, at: pointer)
      } else if isKnown {
        fail(.wrongType, "'\(key)' is \(value.describedType); expected an array of models", at: pointer)
      } else {
        warn("'\(key)' is not a key of the playground; it was omitted", at: pointer, part: .key)
      }
    }
    return models
  }

  /// Reads one model; its notes and warnings move into it.
  private mutating func model(_ value: Value, at pointer: JSONPointer) -> PlaygroundModel? {
    let outer = diagnostics
    diagnostics = Diagnostics()
    generations = Set(PlaygroundGeneration.allCases)
    var model = modelWithoutNotes(value, at: pointer)
    model?.notes = diagnostics.all.filter { $0.severity != .error }
    diagnostics = Diagnostics(outer.all + diagnostics.all.filter { $0.severity == .error })
    return model
  }

  private mutating func modelWithoutNotes(_ value: Value, at pointer: JSONPointer) -> PlaygroundModel? {
    guard let map = object(value, at: pointer, "a model") else { return nil }
    if !PlaygroundShape.isItem(map) {
      warnOfUnknown(
        map, at: pointer,
        known: [
          "id", "name", "description", "isDefault", "stream", "operators", "operatorItem", "operationType",
          "operatorType", "streamModelId", "streamModelIds",
        ])
    }
    guard let (body, operators) = contents(map, at: pointer) else { return nil }
    let id = text(map, "id", at: pointer)
    return PlaygroundModel(
      pointer: pointer, id: id, uuid: uuid(id, at: pointer), name: text(map, "name", at: pointer),
      description: text(map, "description", at: pointer), isDefault: flag(map, "isDefault", at: pointer), body: body,
      operators: operators, generations: generations)
  }

  /// Keeps only the generations that could have written the current form.
  mutating func narrow(to others: Set<PlaygroundGeneration>) {
    let narrowed = generations.intersection(others)
    generations = narrowed.isEmpty ? others : narrowed
  }
}
