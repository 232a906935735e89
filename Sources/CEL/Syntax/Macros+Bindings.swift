import StreamCore

extension Macro {
  /// Macros that bind names to values within an expression.
  static let bindings: [Macro] = [
    Macro("bind", 3, "The last argument, evaluated with the name bound to the value of the second.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      guard let target, parser.isName(target, "cel") else { return nil }
      let name = try parser.loopVariable(arguments[0], of: "cel.bind")
      return try parser.bind(name, to: arguments[1], in: arguments[2], range)
    }
  ]

  /// Macros on optionals.
  static let optionals: [Macro] = [
    Macro("optMap", 2, "An optional of the expression's result for the value, if there is a value.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.optionalMap("optMap", target, arguments, wraps: true, range)
    },
    Macro("optFlatMap", 2, "The optional that the expression returns for the value, if there is a value.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.optionalMap("optFlatMap", target, arguments, wraps: false, range)
    },
  ]

  /// Macros that represent the output of an optimizer; only tests use them.
  static let blocks: [Macro] = [
    Macro("block", 2, "The second argument, evaluated with cel.index(n) bound to element n of the list.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      guard let target, parser.isName(target, "cel"), case .list(let elements) = parser.syntax.nodes[arguments[0]]
      else { return nil }
      var result = arguments[1]
      for (index, element) in elements.enumerated().reversed() {
        result = try parser.bind("@index\(index)", to: element, in: result, range)
      }
      return result
    },
    Macro("index", 1, "The block's element at this index.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.blockName("@index", target, arguments, range)
    },
    Macro("iterVar", 2, "The variable of a loop.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.blockName("@it", target, arguments, range)
    },
    Macro("accuVar", 2, "The accumulator of a loop.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.blockName("@ac", target, arguments, range)
    },
  ]
}

extension Parser {
  func isName(_ id: Syntax.ID, _ name: String) -> Bool {
    if case .name(name, isAbsolute: false) = syntax.nodes[id] { return true }
    return false
  }

  mutating func addName(_ name: String, _ range: Range<Int>) throws(Stop) -> Syntax.ID {
    try add(.name(name, isAbsolute: false), range)
  }

  /// Adds a binding in cel-spec's form: a loop over an empty list whose accumulator is the name.
  mutating func bind(
    _ name: String, to value: Syntax.ID, in result: Syntax.ID, _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID {
    let nothing = try add(.list([]), range)
    let condition = try add(.literal(.bool(false)), range)
    let step = try addName(name, range)
    return try add(
      .comprehension(
        .init(
          variable: "@unused", range: nothing, accumulator: name, initial: value, condition: condition, step: step,
          result: result)), range)
  }

  fileprivate mutating func optionalMap(
    _ macro: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID], wraps: Bool, _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target else { return nil }
    let variable = try loopVariable(arguments[0], of: macro)
    let subject = "@optional"
    let hasValue = try add(
      .call(function: "hasValue", target: try addName(subject, range), arguments: []), syntax.ranges[target])
    let value = try add(
      .call(function: "value", target: try addName(subject, range), arguments: []), syntax.ranges[target])
    var mapped = try bind(variable, to: value, in: arguments[1], range)
    if wraps { mapped = try addCall("optional.of", [mapped], range) }
    let none = try addCall("optional.none", [], range)
    let choice = try addCall(Operators.conditional, [hasValue, mapped, none], range)
    return try bind(subject, to: target, in: choice, range)
  }

  /// Adds a name that no user can write, built from the numbers in a test's macro.
  fileprivate mutating func blockName(
    _ prefix: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID], _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target, isName(target, "cel") else { return nil }
    var numbers: [String] = []
    for argument in arguments {
      guard case .literal(.int(let number)) = syntax.nodes[argument] else { return nil }
      numbers.append(String(number))
    }
    return try addName(prefix + numbers.joined(separator: ":"), range)
  }
}
