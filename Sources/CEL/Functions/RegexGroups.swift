import StreamCore

extension FunctionCatalogue {
  /// The named groups of a match.
  static let regexGroups: [Function] = [
    Function(
      "regex.groups",
      "The parts of the first match that the pattern's named groups, (?P<name>…), captured, by name, as an optional",
      cost: .steps(perByte: 1), [.function([.string, .string], .optional(.map(.string, .string)))],
      pattern: .init(place: 1) { (pattern, _) throws(PatternProblem) in
        let finder: RegexFinder
        do throws(RegexError) {
          finder = try RegexFinder(pattern)
        } catch {
          throw PatternProblem(error, in: pattern, argument: 1)
        }
        if finder.names.isEmpty { throw PatternProblem(noNames, argument: 1) }
        return .init(size: finder.size) { (values, activation) throws(EvaluationError) in
          guard case .string(let text) = values[0] else { throw .noOverload(name, values[0]) }
          return try groups(text, finder, activation)
        }
      },
      .two { (text, pattern, activation) throws(EvaluationError) in
        guard case .string(let text) = text, case .string(let pattern) = pattern else {
          throw .noOverload(name, text, pattern)
        }
        let finder = try RegexFinder(pattern, activation)
        if finder.names.isEmpty { throw noNames }
        return try groups(text, finder, activation)
      })
  ]

  private static let name = "regex.groups"

  private static var noNames: EvaluationError {
    EvaluationError(
      .expressionFailed, "the pattern of 'regex.groups' has no named group; write (?P<name>…) for a part")
  }

  private static func groups(
    _ text: String, _ finder: RegexFinder, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let scalars = Array(text.unicodeScalars)
    guard let match = try finder.first(in: scalars, from: 0, activation) else { return .optional(nil) }
    var pairs: [(Value, Value)] = []
    for (name, number) in finder.names {
      guard let range = match.groups[number - 1] else { continue }
      try activation.chargeEntry(.string(name))
      try activation.charge(range.count)
      pairs.append((.string(name), .string(String(String.UnicodeScalarView(scalars[range])))))
    }
    return .optional(.map(ValueMap(pairs)))
  }
}
