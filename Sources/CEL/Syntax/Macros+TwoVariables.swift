import StreamCore

extension Macro {
  /// cel-spec's macros with two variables: a list's index and element, or a map's key and value.
  static let twoVariables: [Macro] = [
    .quantifier(.all, 3, "Whether the predicate holds for every entry."),
    .quantifier(.exists, 3, "Whether the predicate holds for at least one entry."),
    .existsOne("exists_one", 3, "Whether the predicate holds for exactly one entry."),
    .existsOne("existsOne", 3, "Whether the predicate holds for exactly one entry."),
    Macro("transformList", 3, "The list of the expression's results for each entry.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.transformList(target, arguments, predicate: nil, range)
    },
    Macro("transformList", 4, "The list of the expression's results for the entries for which the predicate holds.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.transformList(target, arguments, predicate: arguments[2], range)
    },
    .transformMap("transformMap", 3, "The map from the same keys to the expression's result for each entry."),
    .transformMap(
      "transformMap", 4,
      "The map from the keys to the expression's results for the entries for which the predicate holds."),
    .transformMap("transformMapEntry", 3, "The map of the entries that the expression returns for each entry."),
    .transformMap(
      "transformMapEntry", 4,
      "The map of the entries that the expression returns for the entries for which the predicate holds."),
  ]

  /// With four arguments, the third one is the predicate.
  private static func transformMap(_ name: String, _ argumentCount: Int, _ summary: String) -> Macro {
    Macro(name, argumentCount, summary) { (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.transformMap(name, target, arguments, predicate: argumentCount == 4 ? arguments[2] : nil, range)
    }
  }
}

extension Parser {
  /// Returns the loop's variables: the first argument and, if `count` exceeds 1, the second.
  mutating func loopVariables(
    _ arguments: [Syntax.ID], _ count: Int, of macro: String
  ) throws(Stop) -> (first: String, second: String?) {
    let first = try loopVariable(arguments[0], of: macro)
    guard count > 1 else { return (first, nil) }
    let second = try loopVariable(arguments[1], of: macro)
    if first == second {
      throw fail(
        Diagnostic(
          .invalidMacro, "the two variables of '\(macro)' have the same name", part: .text(syntax.ranges[arguments[1]]))
      )
    }
    return (first, second)
  }

  mutating func transformList(
    _ target: Syntax.ID?, _ arguments: [Syntax.ID], predicate: Syntax.ID?, _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target, let element = arguments.last else { return nil }
    let variables = try loopVariables(arguments, 2, of: "transformList")
    return try collect(target, variables, predicate: predicate, element: element, range)
  }

  /// Inserts entries into a map: the key and a new value, or the entries of a map.
  mutating func transformMap(
    _ name: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID], predicate: Syntax.ID?, _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target, let entry = arguments.last else { return nil }
    let (first, second) = try loopVariables(arguments, 2, of: name)
    let initial = try add(.map(keys: [], values: []), range)
    let condition = try add(.literal(.bool(true)), range)
    var parts = [try addAccumulator(range)]
    if name == "transformMap" { parts.append(try add(.name(first, isAbsolute: false), range)) }
    var step = try addCall(Operators.mapInsert, parts + [entry], syntax.ranges[entry])
    if let predicate {
      step = try addCall(Operators.conditional, [predicate, step, try addAccumulator(range)], range)
    }
    return try addLoop(
      over: target, (first, second), initial: initial, condition: condition, step: step,
      result: try addAccumulator(range), range)
  }
}
