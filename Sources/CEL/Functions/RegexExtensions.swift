import StreamCore

extension FunctionCatalogue {
  /// cel-spec's regular expressions: what a pattern finds in a text.
  static let regexExtensions: [Function] = [
    Function(
      "regex.extract", "What the pattern, or its only group, first matches in the text",
      [.function([.string, .string], .optional(.string))],
      .two { (text, pattern, activation) throws(EvaluationError) in
        let (scalars, finder) = try prepare("regex.extract", text, pattern, activation)
        guard let match = try finder.first(in: scalars, from: 0, activation) else { return .optional(nil) }
        return .optional(part(match, of: scalars).map(Value.string))
      }),
    Function(
      "regex.extractAll", "All that the pattern, or its only group, matches in the text",
      [.function([.string, .string], .list(.string))],
      .two { (text, pattern, activation) throws(EvaluationError) in
        let (scalars, finder) = try prepare("regex.extractAll", text, pattern, activation)
        let matches = try matches(of: finder, in: scalars, .max, activation)
        return .list(matches.compactMap { part($0, of: scalars).map(Value.string) })
      }),
    Function(
      "regex.replace", "The text with what the pattern matches replaced; \\1 stands for what the first group matches",
      [.function([.string, .string, .string], .string), .function([.string, .string, .string, .int], .string)],
      .three { (text, pattern, replacement, activation) throws(EvaluationError) in
        try replace(text, pattern, replacement, .max, activation)
      },
      .many { (values, activation) throws(EvaluationError) in
        guard values.count == 4, case .int(let count) = values[3] else {
          throw EvaluationError(.noSuchOverload, "'regex.replace' takes three strings and an int")
        }
        return try replace(
          values[0], values[1], values[2], count < 0 ? .max : Int(clamping: count), activation)
      }),
  ]

  private static func prepare(
    _ function: String, _ text: Value, _ pattern: Value, _ activation: Activation
  ) throws(EvaluationError) -> ([Unicode.Scalar], RegexFinder) {
    guard case .string(let text) = text, case .string(let pattern) = pattern else {
      throw .noOverload(function, text, pattern)
    }
    try activation.charge(pattern.utf8.count * 4 + text.utf8.count / 16)
    let finder = try RegexFinder(pattern)
    if finder.groupCount > 1 && function != "regex.replace" {
      throw EvaluationError(.expressionFailed, "'\(function)' takes a pattern with one group at most")
    }
    return (Array(text.unicodeScalars), finder)
  }

  private static func matches(
    of finder: RegexFinder, in text: [Unicode.Scalar], _ count: Int, _ activation: Activation
  ) throws(EvaluationError) -> [RegexFinder.Match] {
    var result: [RegexFinder.Match] = []
    var place = 0
    while result.count < count, place <= text.count,
      let match = try finder.first(in: text, from: place, activation)
    {
      // A match of nothing directly behind another match does not count.
      if !match.range.isEmpty || match.range.lowerBound != result.last?.range.upperBound { result.append(match) }
      place = match.range.isEmpty ? match.range.upperBound + 1 : match.range.upperBound
      try activation.charge(1)
    }
    return result
  }

  /// What the only group covers, or the whole match.
  private static func part(_ match: RegexFinder.Match, of text: [Unicode.Scalar]) -> String? {
    (match.groups.isEmpty ? match.range : match.groups[0]).map { string(text[$0]) }
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func replace(
    _ text: Value, _ pattern: Value, _ replacement: Value, _ count: Int, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let (scalars, finder) = try prepare("regex.replace", text, pattern, activation)
    guard case .string(let replacement) = replacement else { throw .noOverload("regex.replace", replacement) }
    let pieces = try pieces(of: replacement, groupCount: finder.groupCount)
    var result = String.UnicodeScalarView()
    var bytes = 0
    var place = 0
    for match in try matches(of: finder, in: scalars, count, activation) {
      result.append(contentsOf: scalars[place..<match.range.lowerBound])
      for piece in pieces {
        switch piece {
        case .scalar(let scalar):
          result.append(scalar)
          bytes += 1
        case .group(let number):
          guard let range = number == 0 ? match.range : match.groups[number - 1] else { continue }
          result.append(contentsOf: scalars[range])
          bytes += range.count
        }
      }
      place = match.range.upperBound
      try activation.limitBytes(bytes)
    }
    result.append(contentsOf: scalars[place...])
    let replaced = String(result)
    try activation.checkBytes(replaced.utf8.count)
    return .string(replaced)
  }

  private enum Piece {
    case scalar(Unicode.Scalar)
    case group(Int)
  }

  /// A replacement's texts and groups: `\1` is a group, `\\` a backslash.
  private static func pieces(of replacement: String, groupCount: Int) throws(EvaluationError) -> [Piece] {
    var pieces: [Piece] = []
    var iterator = replacement.unicodeScalars.makeIterator()
    while let scalar = iterator.next() {
      guard scalar == "\\" else {
        pieces.append(.scalar(scalar))
        continue
      }
      switch iterator.next() {
      case "\\": pieces.append(.scalar("\\"))
      case let digit? where digit.isASCII && UInt8(ascii: digit).isDigit && digit.value - 48 <= groupCount:
        pieces.append(.group(Int(digit.value - 48)))
      default:
        throw EvaluationError(
          .expressionFailed, "after '\\' in a replacement stands a group's number up to \(groupCount), or '\\'")
      }
    }
    return pieces
  }
}
