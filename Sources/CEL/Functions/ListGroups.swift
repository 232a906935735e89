@_spi(Engine) import StreamCore

extension FunctionCatalogue {
  private static let list = CELType.list(.parameter("T"))

  /// Functions that combine lists, and the function behind the macro `groupBy`.
  static let listGroups: [Function] = [
    Function(
      "zip", "The list of pairs of the elements at the same index, as long as the shorter list",
      [.method([.list(.dyn), .list(.dyn)], .list(.list(.dyn)))],
      .two { (left, right, activation) throws(EvaluationError) in
        guard case .list(let a) = left, case .list(let b) = right else { throw .noOverload("zip", left, right) }
        let count = min(a.count, b.count)
        try activation.checkCount(count)
        try activation.charge(count * 12)
        return .list(zip(a, b).map { .list([$0, $1]) })
      }),
    Function(
      "@groupByKeys", "The map from each key to the list of its elements",
      [.method([list, .list(.parameter("K"))], .map(.parameter("K"), list))],
      .two { (list, keys, activation) throws(EvaluationError) in
        guard case .list(let elements) = list, case .list(let keys) = keys, elements.count == keys.count else {
          throw .noOverload("groupBy", list, keys)
        }
        var places: [MapKey: Int] = [:]
        var names: [Value] = []
        var groups: [[Value]] = []
        for (element, key) in zip(elements, keys) {
          if key.problemAsKey != nil {
            throw EvaluationError(
              .noSuchOverload,
              "\(key.shortText) cannot be a key of 'groupBy'; a key is a string, int, uint or bool, or write "
                + "string(…)")
          }
          try activation.charge(60)
          try activation.charge(key: key)
          if let place = places[MapKey(key)] {
            groups[place].append(element)
          } else {
            try activation.chargeEntry(key)
            places[MapKey(key)] = names.count
            names.append(key)
            groups.append([element])
          }
        }
        return .map(ValueMap(shape: names.isEmpty ? .empty : Shape(names), slots: groups.map { .list($0) }))
      }),
  ]
}
