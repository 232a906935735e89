/// All functions and operators, for the type checker and the documentation.
public enum FunctionCatalogue {
  /// The documentation of a function.
  public struct Entry: Hashable, Sendable {
    /// The function's name, or the operator's symbol.
    public let name: String
    public let isOperator: Bool
    public let family: FunctionFamily
    /// A description of the result, in one sentence without a full stop.
    public let summary: String
    public let signatures: [Signature]
  }

  /// The library, by family.
  static let tables: [(family: FunctionFamily, functions: [Function])] = [
    (.operators, operators), (.conversions, conversions), (.strings, strings), (.strings, stringExtensions),
    (.strings, characters), (.times, times), (.collections, collections), (.optionals, optionals),
    (.collections, lists), (.collections, sets), (.numbers, mathExtensions), (.strings, formatting),
    (.patterns, regexExtensions), (.encodings, encoders), (.addresses, network), (.numbers, numberHelpers),
    (.collections, listSummaries), (.collections, listGroups), (.collections, maps), (.numbers, powers),
    (.times, dateTexts), (.patterns, regexGroups), (.numbers, randoms),
  ]

  static let functions: [String: Function] = Dictionary(
    tables.lazy.flatMap(\.functions).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the function or operator with a name; nil if there is none.
  static func function(named name: String) -> Function? {
    // NB: Names of operators are short, so a linear search is faster than a hash table lookup.
    if name.utf8.first == UInt8(ascii: "_") {
      for place in operators.indices where operators[place].name == name { return operators[place] }
    }
    return functions[name]
  }

  /// Returns every function and operator with its overloads, by name.
  public static func entries(_ numbers: Numbers = .mixed) -> [Entry] {
    tables.flatMap { family, functions in
      functions.filter { !$0.name.hasPrefix("@") || $0.name == Operators.in }.map { function in
        Entry(
          name: Operators.displayName(function.name), isOperator: Operators.isOperator(function.name), family: family,
          summary: function.summary, signatures: function.signatures(numbers))
      }
    }.sorted { ($0.isOperator ? 0 : 1, $0.name) < ($1.isOperator ? 0 : 1, $1.name) }
  }

  /// Every macro: its name, its number of arguments, whether it is called as a method, and a description of its result.
  public static var macros: [(name: String, argumentCount: Int, isMember: Bool, summary: String)] {
    Macro.all.map { ($0.name, $0.argumentCount, $0.isMember, $0.summary) }
  }
}
