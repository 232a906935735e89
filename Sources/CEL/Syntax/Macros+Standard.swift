import StreamCore

extension Macro {
  /// The macros of the language definition.
  static let standard: [Macro] = [
    Macro("has", 1, isMember: false, "Whether a map has the field.") {
      (parser, _, arguments, range) throws(Parser.Stop) in
      guard case .select(let operand, let field, isTest: false) = parser.syntax.nodes[arguments[0]] else {
        throw parser.fail(
          Diagnostic(
            .invalidMacro, "'has' needs a field access", part: .text(parser.syntax.ranges[arguments[0]]),
            help: "write has(\(parser.hyphenatedMember(arguments[0]) ?? "value.field"))"))
      }
      return try parser.add(.select(operand: operand, field: field, isTest: true), range)
    },
    .quantifier(.all, 2, "Whether the predicate holds for every element."),
    .quantifier(.exists, 2, "Whether the predicate holds for at least one element."),
    .existsOne("exists_one", 2, "Whether the predicate holds for exactly one element."),
    .existsOne("existsOne", 2, "Whether the predicate holds for exactly one element."),
    Macro("map", 2, "The list of the expression's results for each element.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.collect("map", target, arguments[0], predicate: nil, element: arguments[1], range)
    },
    Macro("map", 3, "The list of the expression's results for the elements for which the predicate holds.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.collect("map", target, arguments[0], predicate: arguments[1], element: arguments[2], range)
    },
    Macro("filter", 2, "The list of the elements for which the predicate holds.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.collect("filter", target, arguments[0], predicate: arguments[1], element: arguments[0], range)
    },
  ]

  static func quantifier(_ quantifier: Parser.Quantifier, _ argumentCount: Int, _ summary: String) -> Macro {
    Macro(quantifier.rawValue, argumentCount, summary) { (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.quantifier(quantifier, target, arguments, range)
    }
  }

  static func existsOne(_ name: String, _ argumentCount: Int, _ summary: String) -> Macro {
    Macro(name, argumentCount, summary) { (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.existsOne(name, target, arguments, range)
    }
  }
}

extension Parser {
  /// Returns the member that a difference is if its minus belongs to the member's name; nil for other nodes.
  func hyphenatedMember(_ id: Syntax.ID) -> String? {
    guard case .call("_-_", nil, let operands) = syntax.nodes[id] else { return nil }
    return MemberNames.member(in: literals.bytes, at: syntax.ranges[operands[1]].lowerBound)
  }

  enum Quantifier: String { case all, exists }

  /// `all` starts with true, continues unless the accumulator is false, and combines the predicates by `&&`; `exists`
  /// is its dual.
  mutating func quantifier(
    _ quantifier: Quantifier, _ target: Syntax.ID?, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target else { return nil }
    let isAll = quantifier == .all
    let predicate = arguments[arguments.count - 1]
    let variables = try loopVariables(arguments, arguments.count - 1, of: quantifier.rawValue)
    let initial = try add(.literal(.bool(isAll)), range)
    var goesOn = try addAccumulator(range)
    if !isAll { goesOn = try addCall(Operators.not, [goesOn], range) }
    let condition = try addCall(Operators.notStrictlyFalse, [goesOn], range)
    let accumulator = try addAccumulator(range)
    let step = try addCall(
      isAll ? Operators.and : Operators.or, [accumulator, predicate], syntax.ranges[predicate])
    return try addLoop(
      over: target, variables, initial: initial, condition: condition, step: step, result: try addAccumulator(range),
      range)
  }

  /// Counts the elements for which the predicate holds, without stopping early: an error in any of them fails the loop.
  mutating func existsOne(
    _ name: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target else { return nil }
    let predicate = arguments[arguments.count - 1]
    let variables = try loopVariables(arguments, arguments.count - 1, of: name)
    let initial = try add(.literal(.int(0)), range)
    let condition = try add(.literal(.bool(true)), range)
    let one = try add(.literal(.int(1)), range)
    let sum = try addCall(Operators.add, [try addAccumulator(range), one], range)
    let step = try addCall(Operators.conditional, [predicate, sum, try addAccumulator(range)], range)
    let result = try addCall(Operators.equal, [try addAccumulator(range), one], range)
    return try addLoop(
      over: target, variables, initial: initial, condition: condition, step: step, result: result, range)
  }

  mutating func addLoop(
    over target: Syntax.ID, _ variables: (first: String, second: String?), initial: Syntax.ID, condition: Syntax.ID,
    step: Syntax.ID, result: Syntax.ID, _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID {
    try add(
      .comprehension(
        .init(
          variable: variables.first, secondVariable: variables.second, range: target, accumulator: Self.accumulator,
          initial: initial, condition: condition, step: step, result: result)), range)
  }

  /// Appends `element` to a list for each element for which `predicate` holds.
  mutating func collect(
    _ name: String, _ target: Syntax.ID?, _ variable: Syntax.ID, predicate: Syntax.ID?, element: Syntax.ID,
    _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target else { return nil }
    let variable = try loopVariable(variable, of: name)
    return try collect(target, (variable, nil), predicate: predicate, element: element, range)
  }

  mutating func collect(
    _ target: Syntax.ID, _ variables: (first: String, second: String?), predicate: Syntax.ID?, element: Syntax.ID,
    _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID {
    let initial = try add(.list([]), range)
    let condition = try add(.literal(.bool(true)), range)
    let single = try add(.list([element]), range)
    var step = try addCall(Operators.add, [try addAccumulator(range), single], range)
    if let predicate {
      step = try addCall(Operators.conditional, [predicate, step, try addAccumulator(range)], range)
    }
    return try addLoop(
      over: target, variables, initial: initial, condition: condition, step: step, result: try addAccumulator(range),
      range)
  }
}
