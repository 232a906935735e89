import StreamCore

extension Macro {
  /// Macros on lists that CEL does not have.
  static let folding: [Macro] = [
    Macro(
      "fold", 4,
      "The result of the last argument after the last element, with the first name bound to the result so far."
    ) { (parser, target, arguments, range) throws(Parser.Stop) in
      guard let target else { return nil }
      let names = try parser.loopVariables(arguments, 2, of: "fold")
      return try parser.add(
        .comprehension(
          .init(
            variable: names.second ?? "@unused", secondVariable: nil, range: target, accumulator: names.first,
            initial: arguments[2], condition: try parser.add(.literal(.bool(true)), range), step: arguments[3],
            result: try parser.addName(names.first, range))), range)
    },
    Macro("groupBy", 2, "The map from each result of the expression to the list of the elements with it.") {
      (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.keyed("groupBy", "@groupByKeys", "@grouped", target, arguments, range)
    },
    Macro(
      "sortBy", 2,
      "The list's elements in ascending order of the expression's result for each; results that are lists compare by "
        + "their elements."
    ) { (parser, target, arguments, range) throws(Parser.Stop) in
      try parser.keyed("sortBy", "@sortByKeys", "@sorted", target, arguments, range)
    },
  ]
}

extension Parser {
  /// Calls a function with a list and the list of its elements' keys.
  fileprivate mutating func keyed(
    _ macro: String, _ function: String, _ name: String, _ target: Syntax.ID?, _ arguments: [Syntax.ID],
    _ range: Range<Int>
  ) throws(Stop) -> Syntax.ID? {
    guard let target else { return nil }
    let variable = try loopVariable(arguments[0], of: macro)
    let keys = try collect(
      try addName(name, range), (variable, nil), predicate: nil, element: arguments[1], range)
    let call = try add(.call(function: function, target: try addName(name, range), arguments: [keys]), range)
    return try bind(name, to: target, in: call, range)
  }
}
