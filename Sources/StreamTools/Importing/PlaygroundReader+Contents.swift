import StreamCore
internal import StreamKit

// Reads the source of a model: its own values, one stream, or several.

extension PlaygroundReader {
  mutating func contents(
    _ map: ValueMap, at pointer: JSONPointer
  ) -> (body: PlaygroundModel.Body, operators: [PlaygroundOperator])? {
    if let stream = map["stream"] {
      let items = items(stream, at: pointer.appending("stream"))
      return (.items(items), operators(map, at: pointer))
    }
    if PlaygroundShape.isItem(map) {
      note("a single item is not a stream of the playground; it is imported as a stream of one item", at: pointer)
      return (.items([item(map, at: pointer)].compactMap(\.self)), [])
    }
    for key in ["operationType", "operatorType"] {
      guard let name = map[key] else { continue }
      narrow(to: [.linked])
      return union(name, map, at: pointer, key: key)
    }
    if let item = map["operatorItem"], isUnion(item) { return union(item, map, at: pointer, key: "operatorItem") }
    guard map["operatorItem"] != nil || map["operators"] != nil else {
      fail(.missingField, "'stream', 'operators' or 'operatorItem' is missing", at: pointer)
      return nil
    }
    let source = map["streamModelId"].flatMap { reference($0, at: pointer.appending("streamModelId")) }
    if source != nil {
      narrow(to: [.typed, .linked, .linkedUnions])
    } else if map["operatorItem"] != nil {
      narrow(to: [.withoutReferences])
    }
    return (.stream(source), operators(map, at: pointer))
  }

  private mutating func items(_ value: Value, at pointer: JSONPointer) -> [PlaygroundItem] {
    guard case .list(let elements) = value else {
      fail(.wrongType, "'stream' is \(value.describedType); expected an array of items", at: pointer)
      return []
    }
    var items: [PlaygroundItem] = []
    for (index, element) in elements.enumerated() {
      let place = pointer.appending(index)
      guard let map = object(element, at: place, "an item") else { continue }
      if let item = item(map, at: place) { items.append(item) }
    }
    return items
  }

  private mutating func item(_ map: ValueMap, at pointer: JSONPointer) -> PlaygroundItem? {
    warnOfUnknown(map, at: pointer, known: ["value", "operators", "operatorItem"])
    if map["operators"] == nil { narrow(to: PlaygroundGeneration.allLinked.union([.typed])) }
    let operators = operators(map, at: pointer)
    guard let value = map["value"] else {
      fail(.missingField, "the item has no 'value'", at: pointer)
      return nil
    }
    return PlaygroundItem(value: value, operators: operators)
  }

  private mutating func reference(_ value: Value, at pointer: JSONPointer) -> PlaygroundReference? {
    guard case .string(let id) = value else {
      fail(.wrongType, "the id of a stream is \(value.describedType); expected a string", at: pointer)
      return nil
    }
    return PlaygroundReference(id: id, pointer: pointer)
  }
}

// MARK: - Several streams

extension PlaygroundReader {
  /// Whether an `operatorItem` unites streams: `"merge"`, or `{"merge": …}`.
  private func isUnion(_ item: Value) -> Bool {
    switch item {
    case .string: true
    case .map(let map):
      map.keys.contains { key in
        if case .string(let name) = key { PlaygroundUnion(rawValue: name) != nil && map["type"] == nil } else { false }
      } && !PlaygroundOperator.names.contains { map[$0] != nil }
    default: false
    }
  }

  private mutating func union(
    _ item: Value, _ map: ValueMap, at pointer: JSONPointer, key: String
  ) -> (body: PlaygroundModel.Body, operators: [PlaygroundOperator])? {
    let place = pointer.appending(key)
    let references = references(map, at: pointer)
    if references != nil, key == "operatorItem" { narrow(to: [.typed, .linkedUnions]) }
    switch item {
    case .string(let name):
      if references == nil { narrow(to: [.plainUnions, .initialValues]) }
      guard let union = PlaygroundUnion(rawValue: name) else {
        fail(
          .unknownOperator, "'\(name)' is not an operation that combines streams", at: place,
          help: "expected one of \(PlaygroundUnion.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))")
        return nil
      }
      return (.union(union, references), map["operators"] == nil ? [] : operators(map, at: pointer))
    case .map(let keyed):
      if references == nil { narrow(to: [.withoutReferences, .arrays]) }
      let names = keyed.keys.filter { $0 != "next" }
      guard names.count == 1, case .string(let name)? = names.first, let union = PlaygroundUnion(rawValue: name) else {
        fail(.notOneOperator, "expected exactly one operator, found \(names.count)", at: place)
        return nil
      }
      return (.union(union, references), following(keyed, name, at: place))
    default:
      fail(.wrongType, "'\(key)' is \(item.describedType); expected a string", at: place)
      return nil
    }
  }

  private mutating func references(_ map: ValueMap, at pointer: JSONPointer) -> [PlaygroundReference]? {
    guard let value = map["streamModelIds"], value != .null else { return nil }
    let place = pointer.appending("streamModelIds")
    guard case .list(let elements) = value else {
      fail(.wrongType, "'streamModelIds' is \(value.describedType); expected an array of ids", at: place)
      return nil
    }
    var references: [PlaygroundReference] = []
    for (index, element) in elements.enumerated() {
      if let reference = reference(element, at: place.appending(index)) { references.append(reference) }
    }
    return references
  }

  /// Returns the operators after `{"merge": …}`, which contains the next operator, or null.
  private mutating func following(_ keyed: ValueMap, _ name: String, at pointer: JSONPointer) -> [PlaygroundOperator] {
    let place = pointer.appending(name)
    if let next = keyed["next"], next != .null { return chain(next, at: pointer.appending("next")) }
    switch keyed[name] {
    case nil, .null:
      note("'{\"\(name)\": null}' could not be read by the build that wrote it; it is read as '\(name)'", at: place)
      return []
    case .map(let map) where map.isEmpty: return []
    case .map(let map):
      guard map.count == 1, let next = map["next"] else { return chain(.map(map), at: place) }
      return next == .null ? [] : chain(next, at: place.appending("next"))
    case .some(let other):
      fail(.wrongType, "found \(other.describedType), expected an operator", at: place)
      return []
    }
  }
}
