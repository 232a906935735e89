import StreamCore

extension FunctionCatalogue {
  /// cel-spec's regex extension: extraction and replacement of matches.
  static let regexExtensions: [Function] = [
    search(
      "regex.extract", "The first match of the pattern, or of its only group, in the string", .optional(.string),
      extract),
    search(
      "regex.extractAll", "All matches of the pattern, or of its only group, in the string", .list(.string), extractAll),
    Function(
      "regex.replace", "The string with the matches of the pattern replaced; \\1 inserts the match of the first group",
      cost: .steps(perByte: 1),
      [.function([.string, .string, .string], .string), .function([.string, .string, .string, .int], .string)],
      pattern: .init(place: 1) { (pattern, known) throws(PatternProblem) in
        let finder = try finder(for: pattern, in: replaceName)
        if known.count > 2, case .string(let replacement)? = known[2] {
          do throws(EvaluationError) {
            _ = try RegexReplacement(replacement, groupCount: finder.groupCount)
          } catch {
            throw PatternProblem(error, argument: 2)
          }
        }
        return .init(size: finder.size) { (values, activation) throws(EvaluationError) in
          try replace(values, finder, activation)
        }
      },
      .many { (values, activation) throws(EvaluationError) in
        guard values.count > 1 else { throw replaceArguments }
        return try replace(values, finder(for: values[1], in: replaceName, activation), activation)
      }),
  ]

  /// Returns a function of a string and a pattern.
  private static func search(
    _ name: String, _ summary: String, _ result: CELType,
    _ find: @escaping @Sendable (String, RegexFinder, Activation) throws(EvaluationError) -> Value
  ) -> Function {
    Function(
      name, summary, cost: .steps(perByte: 1), [.function([.string, .string], result)],
      pattern: .init(place: 1) { (pattern, _) throws(PatternProblem) in
        let finder = try finder(for: pattern, in: name)
        return .init(size: finder.size) { (values, activation) throws(EvaluationError) in
          try find(string(values[0], name), finder, activation)
        }
      },
      .two { (text, pattern, activation) throws(EvaluationError) in
        try find(string(text, name), finder(for: pattern, in: name, activation), activation)
      })
  }

  private static let replaceName = "regex.replace"

  private static var replaceArguments: EvaluationError {
    EvaluationError(.noSuchOverload, "'regex.replace' takes three strings and an optional int")
  }

  private static func string(_ value: Value, _ function: String) throws(EvaluationError) -> String {
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    return text
  }

  // MARK: Patterns

  /// Returns the finder of a pattern that is known before the evaluation.
  private static func finder(for pattern: String, in function: String) throws(PatternProblem) -> RegexFinder {
    let finder: RegexFinder
    do throws(RegexError) {
      finder = try RegexFinder(pattern)
    } catch {
      throw PatternProblem(error, in: pattern, argument: 1)
    }
    if let problem = problem(with: finder, in: function) { throw PatternProblem(problem, argument: 1) }
    return finder
  }

  private static func finder(
    for pattern: Value, in function: String, _ activation: Activation
  ) throws(EvaluationError) -> RegexFinder {
    let finder = try RegexFinder(string(pattern, function), activation)
    if let problem = problem(with: finder, in: function) { throw problem }
    return finder
  }

  private static func problem(with finder: RegexFinder, in function: String) -> EvaluationError? {
    guard finder.groupCount > 1, function != replaceName else { return nil }
    return EvaluationError(
      .expressionFailed,
      "'\(function)' takes a pattern with at most one group, this one has \(finder.groupCount); write (?:…) for a group "
        + "that is not captured")
  }

  // MARK: Searching

  private static func extract(
    _ text: String, _ finder: RegexFinder, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let scalars = Array(text.unicodeScalars)
    guard let match = try finder.first(in: scalars, from: 0, activation) else { return .optional(nil) }
    return .optional(part(match, of: scalars).map(Value.string))
  }

  private static func extractAll(
    _ text: String, _ finder: RegexFinder, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    let scalars = Array(text.unicodeScalars)
    var parts: [Value] = []
    try forEachMatch(of: finder, in: scalars, .max, activation) { match throws(EvaluationError) in
      if let part = part(match, of: scalars) { parts.append(.string(part)) }
    }
    return .list(parts)
  }

  private static func forEachMatch(
    of finder: RegexFinder, in text: [Unicode.Scalar], _ count: Int, _ activation: Activation,
    _ body: (RegexFinder.Match) throws(EvaluationError) -> Void
  ) throws(EvaluationError) {
    var found = 0
    var place = 0
    var last: Int?
    while found < count, place <= text.count, let match = try finder.first(in: text, from: place, activation) {
      // An empty match directly after another match does not count.
      if !match.range.isEmpty || match.range.lowerBound != last {
        try activation.charge(64 + match.range.count)
        try body(match)
        found += 1
        last = match.range.upperBound
      }
      place = match.range.isEmpty ? match.range.upperBound + 1 : match.range.upperBound
    }
  }

  /// Returns the match of the only group, or the whole match if there is no group; nil if the group has no match.
  private static func part(_ match: RegexFinder.Match, of text: [Unicode.Scalar]) -> String? {
    (match.groups.isEmpty ? match.range : match.groups[0]).map {
      String(String.UnicodeScalarView(text[$0]))
    }
  }

  private static func replace(
    _ values: [Value], _ finder: RegexFinder, _ activation: Activation
  ) throws(EvaluationError) -> Value {
    var count = Int.max
    if values.count == 4, case .int(let number) = values[3] {
      if number >= 0 { count = Int(clamping: number) }
    } else if values.count != 3 {
      throw replaceArguments
    }
    let text = Array(try string(values[0], replaceName).unicodeScalars)
    let replacement = try RegexReplacement(string(values[2], replaceName), groupCount: finder.groupCount)
    var result: [UInt8] = []
    var place = 0
    try forEachMatch(of: finder, in: text, count, activation) { match throws(EvaluationError) in
      result.append(scalars: text[place..<match.range.lowerBound])
      // The replacement may have many pieces, and each may be a long group.
      for piece in replacement.pieces {
        switch piece {
        case .text(let bytes):
          try activation.charge(1 + bytes.count >> 4)
          try activation.limitBytes(result.count + bytes.count)
          result += bytes
        case .group(let number):
          guard let range = number == 0 ? match.range : match.groups[number - 1] else { continue }
          try activation.charge(1 + range.count)
          try activation.limitBytes(result.count + range.count)
          result.append(scalars: text[range])
        }
      }
      place = match.range.upperBound
    }
    result.append(scalars: text[place...])
    try activation.checkBytes(result.count)
    return .string(String(decoding: result, as: UTF8.self))
  }
}

/// The literals and group references of a replacement: `\1` is a group, `\\` a backslash.
private struct RegexReplacement {
  enum Piece {
    case text([UInt8])
    case group(Int)
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String, groupCount: Int) throws(EvaluationError) {
    var plain: [UInt8] = []
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      switch iterator.next() {
      case UInt8(ascii: "\\"): plain.append(byte)
      case let digit? where digit.isDigit && Int(digit - UInt8(ascii: "0")) <= groupCount:
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = []
        pieces.append(.group(Int(digit - UInt8(ascii: "0"))))
      default:
        throw EvaluationError(
          .expressionFailed,
          "a '\\' in a replacement must be followed by a group's number up to \(groupCount), or by '\\'")
      }
    }
    if !plain.isEmpty { pieces.append(.text(plain)) }
  }
}

extension [UInt8] {
  /// Appends the UTF-8 bytes of these scalars.
  fileprivate mutating func append(scalars: ArraySlice<Unicode.Scalar>) {
    for scalar in scalars {
      if scalar.isASCII {
        append(UInt8(truncatingIfNeeded: scalar.value))
      } else if let bytes = UTF8.encode(scalar) {
        append(contentsOf: bytes)
      }
    }
  }
}
