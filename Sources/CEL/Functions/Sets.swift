import StreamCore

extension FunctionCatalogue {
  private static let pair: [CELType] = [.list(.dyn), .list(.dyn)]

  /// cel-spec's sets extension: lists as sets.
  static let sets: [Function] = [
    relation("sets.contains", "Whether the first list contains every element of the second") {
      (first, second, activation) throws(EvaluationError) in
      try contains(first, second, activation)
    },
    relation("sets.equivalent", "Whether each list contains every element of the other") {
      (first, second, activation) throws(EvaluationError) in
      let isContained = try contains(first, second, activation)
      return isContained ? try contains(second, first, activation) : false
    },
    relation("sets.intersects", "Whether the lists have an element in common") {
      (first, second, activation) throws(EvaluationError) in
      let set = try elementSet(first, activation)
      for element in second where try set.contains(element, activation) { return true }
      return false
    },
  ]

  private static func relation(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable ([Value], [Value], Activation) throws(EvaluationError) -> Bool
  ) -> Function {
    Function(
      name, summary, [.function(pair, .bool)],
      .two { (first, second, activation) throws(EvaluationError) in
        guard case .list(let a) = first, case .list(let b) = second else { throw .noOverload(name, first, second) }
        return .bool(try body(a.elements, b.elements, activation))
      })
  }

  private static func elementSet(_ list: [Value], _ activation: Activation) throws(EvaluationError) -> ElementSet {
    var set = ElementSet()
    for element in list { _ = try set.insert(element, activation) }
    return set
  }

  private static func contains(
    _ list: [Value], _ wanted: [Value], _ activation: Activation
  ) throws(EvaluationError) -> Bool {
    let set = try elementSet(list, activation)
    for element in wanted where try !set.contains(element, activation) { return false }
    return true
  }
}
