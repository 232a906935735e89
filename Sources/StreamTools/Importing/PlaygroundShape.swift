import StreamCore

/// The classification of a JSON value by the importer.
enum PlaygroundShape {
  /// One model; `isCertain` if only the playground writes this form.
  case model(isCertain: Bool)
  /// An array of models, as stored under one key of UserDefaults.
  case models(isCertain: Bool)
  /// An object of arrays of models, by UserDefaults keys.
  case store
  /// Not a file of the playground.
  case unknown

  init(_ value: Value) {
    switch value {
    case .list(let elements):
      let shapes = elements.map { PlaygroundShape(model: $0) }
      // An array is never a stream file of ours, so that one model is enough.
      self = .models(isCertain: shapes.contains { $0.isModel })
    case .map(let map):
      guard map["format"] == nil, map["streams"] == nil, map["source"] == nil else {
        self = .unknown
        return
      }
      let shape = PlaygroundShape(model: value)
      if shape.isModel {
        self = shape
      } else if map.keys.contains(where: { PlaygroundShape.isStoreKey($0) }) {
        self = .store
      } else if map.slots.contains(where: { PlaygroundShape(model: $0).isModel || PlaygroundShape.isModelList($0) }) {
        self = .store
      } else {
        self = .unknown
      }
    default: self = .unknown
    }
  }

  /// Classifies a value that may be a model.
  private init(model value: Value) {
    guard case .map(let map) = value else {
      self = .unknown
      return
    }
    let telling = ["isDefault", "operatorItem", "operationType", "operatorType", "streamModelId", "streamModelIds"]
    if telling.contains(where: { map[$0] != nil }) {
      self = .model(isCertain: true)
    } else if case .list(let items) = map["stream"] {
      // Without `isDefault` it may be a stream file of ours, which has the article's shape.
      let isLinked = items.contains { item in
        guard case .map(let item) = item else { return false }
        return item["operatorItem"] != nil
      }
      self = .model(isCertain: isLinked)
    } else if case .list = map["operators"] {
      self = .model(isCertain: true)
    } else {
      self = .unknown
    }
  }

  /// Whether an object is an item of a stream, with a value and its operators, rather than a stream.
  static func isItem(_ map: ValueMap) -> Bool {
    let ofModels = [
      "id", "name", "isDefault", "stream", "operationType", "operatorType", "streamModelId", "streamModelIds",
    ]
    return map["value"] != nil && !ofModels.contains { map[$0] != nil }
  }

  /// Whether it is the playground's without doubt.
  var isCertain: Bool {
    switch self {
    case .model(let isCertain), .models(let isCertain): isCertain
    case .store: true
    case .unknown: false
    }
  }

  private var isModel: Bool {
    if case .model = self { true } else { false }
  }

  private static func isModelList(_ value: Value) -> Bool {
    guard case .list(let elements) = value else { return false }
    return elements.contains { PlaygroundShape(model: $0).isModel }
  }

  /// The keys under which the playground kept its streams, over all generations.
  static let storeKeys: Set<String> = [
    "storedStreams", "storedOperationStreams", "storedTransformingOperationStreams", "storedUnifyingOperationStreams",
    "storedJoinOperationStreams", "storedGroupOperationStreams", "storedCombineGroupOperationStreams", "currentStream",
  ]

  static func isStoreKey(_ key: Value) -> Bool {
    if case .string(let name) = key { storeKeys.contains(name) } else { false }
  }
}
