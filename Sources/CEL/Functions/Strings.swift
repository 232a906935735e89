import StreamCore

extension FunctionCatalogue {
  /// The text functions of the language's definition.
  static let strings: [Function] = [
    test("contains", "Whether the text has the other one in it") { TextSearch.find($1, in: $0, from: 0) != nil },
    test("startsWith", "Whether the text begins with the other one") { $0.starts(with: $1) },
    test("endsWith", "Whether the text ends with the other one") { $0.suffix($1.count).elementsEqual($1) },
    Function(
      "matches", "Whether some part of the text matches the regular expression (RE2)",
      [.method([.string, .string], .bool), .function([.string, .string], .bool)],
      .two { (text, pattern, activation) throws(EvaluationError) in
        guard case .string(let text) = text, case .string(let pattern) = pattern else {
          throw .noOverload("matches", text, pattern)
        }
        try activation.charge(pattern.utf8.count * 4)
        return .bool(try Regex(pattern).matches(text, activation))
      }),
  ]

  private static func test(
    _ name: String, _ summary: String, _ body: @escaping @Sendable ([UInt8], [UInt8]) -> Bool
  ) -> Function {
    Function(
      name, summary, [.method([.string, .string], .bool)],
      .two { (text, part, activation) throws(EvaluationError) in
        guard case .string(let text) = text, case .string(let part) = part else {
          throw .noOverload(name, text, part)
        }
        try activation.charge((text.utf8.count + part.utf8.count) / 64)
        return .bool(body(Array(text.utf8), Array(part.utf8)))
      })
  }
}

/// Finds sequences in sequences in linear time (Knuth, Morris, Pratt).
enum TextSearch {
  /// The first place at or after `start` where `part` begins.
  static func find<Element: Equatable>(_ part: [Element], in text: [Element], from start: Int) -> Int? {
    if part.isEmpty { return start <= text.count ? start : nil }
    guard start + part.count <= text.count else { return nil }
    let borders = borders(of: part)
    var matched = 0
    for index in start..<text.count {
      while matched > 0, text[index] != part[matched] { matched = borders[matched - 1] }
      if text[index] == part[matched] { matched += 1 }
      if matched == part.count { return index - part.count + 1 }
    }
    return nil
  }

  /// The last place at or before `end` where `part` begins.
  static func findLast<Element: Equatable>(_ part: [Element], in text: [Element], upTo end: Int) -> Int? {
    let last = min(end, text.count - part.count)
    guard last >= 0 else { return nil }
    let reversed = Array(text[..<(last + part.count)].reversed())
    return find(part.reversed(), in: reversed, from: 0).map { last - $0 }
  }

  /// For each length of a beginning, the longest of its ends that is a beginning too.
  private static func borders<Element: Equatable>(of part: [Element]) -> [Int] {
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length - 1] }
      if part[index] == part[length] { length += 1 }
      borders[index] = length
    }
    return borders
  }
}
