@_spi(Engine) import StreamCore

extension FunctionCatalogue {
  private static let map = CELType.map(.dyn, .dyn)

  /// Functions on maps. The type checker gives `merge`, `without` and `rename` of records a record as their result.
  static let maps: [Function] = [
    Function(
      "merge", "The map with the entries of the other: a known key keeps its place, new keys follow", form: .merge,
      [.method([map, map], map)],
      .two { (first, second, activation) throws(EvaluationError) in
        guard case .map(let map) = first, case .map(let other) = second else {
          throw .noOverload("merge", first, second)
        }
        return .map(try merge(map, other, activation))
      }),
    Function(
      "without", "The map without the keys, which need not exist", form: .without,
      [.method([map, .dyn], map), .method([map, .list(.dyn)], map)],
      .many { (values, activation) throws(EvaluationError) in
        guard values.count > 1, case .map(let map) = values[0] else {
          throw .noOverload("without", values.first ?? .null)
        }
        var keys = ValueList(values.dropFirst())
        if values.count == 2, case .list(let list) = values[1] { keys = list }
        return .map(try without(map, keys, activation))
      }),
    Function(
      "rename", "The map with other names for keys, each in its place", form: .rename,
      [.method([map, map], map)],
      .two { (first, second, activation) throws(EvaluationError) in
        guard case .map(let map) = first, case .map(let names) = second else {
          throw .noOverload("rename", first, second)
        }
        return .map(try rename(map, names, activation))
      }),
    Function(
      "keys", "The list of the map's keys, in order", [.method([.map(.parameter("K"), .dyn)], .list(.parameter("K")))],
      .one { (value, _) throws(EvaluationError) in
        guard case .map(let map) = value else { throw .noOverload("keys", value) }
        return .list(map.keys)
      }),
    Function(
      "values", "The list of the map's values, in the order of its keys",
      [.method([.map(.dyn, .parameter("V"))], .list(.parameter("V")))],
      .one { (value, _) throws(EvaluationError) in
        guard case .map(let map) = value else { throw .noOverload("values", value) }
        return .list(Array(map.slots))
      }),
  ]

  private static func merge(
    _ map: ValueMap, _ other: ValueMap, _ activation: Activation
  ) throws(EvaluationError) -> ValueMap {
    try activation.charge(map.count / 2 + other.count * 12)
    var slots = Array(map.slots)
    var keys: [Value] = []
    for (key, value) in other.pairs {
      try activation.charge(key: key)
      if let place = map.shape.index(of: key) {
        slots[place] = value
      } else {
        keys.append(key)
        slots.append(value)
      }
    }
    if keys.isEmpty { return ValueMap(shape: map.shape, slots: slots) }
    let shape = try activation.shape(of: map.shape, .adding(keys)) { () throws(EvaluationError) in map.keys + keys }
    return ValueMap(shape: shape, slots: slots)
  }

  private static func without(
    _ map: ValueMap, _ keys: ValueList, _ activation: Activation
  ) throws(EvaluationError) -> ValueMap {
    var places: Set<Int> = []
    for key in keys {
      try activation.charge(16)
      if let problem = key.problemAsKey { throw problem }
      try activation.charge(key: key)
      if let place = map.shape.index(of: key) { places.insert(place) }
    }
    if places.isEmpty { return map }
    let kept = map.keys.indices.filter { !places.contains($0) }
    try activation.charge(map.count * 4)
    let shape = try activation.shape(of: map.shape, .removing(keys)) { () throws(EvaluationError) in
      kept.map { map.keys[$0] }
    }
    return ValueMap(shape: shape, slots: kept.map { map.slots[$0] })
  }

  private static func rename(
    _ map: ValueMap, _ names: ValueMap, _ activation: Activation
  ) throws(EvaluationError) -> ValueMap {
    try activation.charge(map.count / 2 + names.count * 12)
    let shape = try activation.shape(of: map.shape, .renaming(names)) { () throws(EvaluationError) in
      var keys = map.keys
      for (old, new) in names.pairs {
        if let problem = new.problemAsKey { throw problem }
        if let place = map.shape.index(of: old) { keys[place] = new }
      }
      var seen: Set<MapKey> = []
      for key in keys {
        if !seen.insert(MapKey(key)).inserted {
          throw EvaluationError(.expressionFailed, "'rename' gives the map the key \(key.shortText) twice")
        }
      }
      return keys
    }
    return ValueMap(shape: shape, slots: Array(map.slots))
  }
}
