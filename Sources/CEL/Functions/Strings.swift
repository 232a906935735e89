import StreamCore

extension FunctionCatalogue {
  /// The string functions of the language definition.
  static let strings: [Function] = [
    test("contains", "Whether the string contains the other string", cost: .bytes(perStep: 2).plus(perCall: 20)) {
      (text, part, activation) throws(EvaluationError) in
      try TextSearch.find(part, in: text, from: 0, activation) != nil
    },
    test("startsWith", "Whether the string begins with the other string", cost: .bytes(perStep: 8).plus(perCall: 10)) {
      text, part, _ in
      text.starts(with: part)
    },
    test("endsWith", "Whether the string ends with the other string", cost: .bytes(perStep: 8).plus(perCall: 10)) {
      text, part, _ in text.suffix(part.count).elementsEqual(part)
    },
    Function(
      "matches", "Whether a part of the string matches the regular expression (RE2)",
      [.method([.string, .string], .bool), .function([.string, .string], .bool)],
      pattern: .init(place: 1) { (pattern, _) throws(PatternProblem) in
        let regex: Regex
        do throws(RegexError) {
          regex = try Regex(pattern)
        } catch {
          throw PatternProblem(error, in: pattern, argument: 1)
        }
        return .init(size: regex.size) { (values, activation) throws(EvaluationError) in
          guard case .string(let text) = values[0] else { throw .noOverload("matches", values[0], values[1]) }
          return .bool(try regex.matches(text, activation))
        }
      },
      .two { (text, pattern, activation) throws(EvaluationError) in
        guard case .string(let text) = text, case .string(let pattern) = pattern else {
          throw .noOverload("matches", text, pattern)
        }
        return .bool(try Regex(pattern, activation).matches(text, activation))
      }),
  ]

  private static func test(
    _ name: String, _ summary: String, cost: FunctionCost,
    _ body: @escaping @Sendable ([UInt8], [UInt8], Activation) throws(EvaluationError) -> Bool
  ) -> Function {
    Function(
      name, summary, cost: cost, [.method([.string, .string], .bool)],
      .two { (text, part, activation) throws(EvaluationError) in
        guard case .string(let text) = text, case .string(let part) = part else {
          throw .noOverload(name, text, part)
        }
        return .bool(try body(Array(text.utf8), Array(part.utf8), activation))
      })
  }
}

/// Searches byte sequences in linear time (Knuth-Morris-Pratt algorithm).
enum TextSearch {
  /// Returns the first offset at or after `start` where `part` begins; nil if there is none.
  static func find(
    _ part: [UInt8], in text: [UInt8], from start: Int, _ activation: Activation
  ) throws(EvaluationError) -> Int? {
    part.count > text.count ? nil : try TextFinder(part, activation).find(in: text, from: start)
  }

  /// Returns the last offset at or before `end` where `part` begins; nil if there is none.
  static func findLast(
    _ part: [UInt8], in text: [UInt8], upTo end: Int, _ activation: Activation
  ) throws(EvaluationError) -> Int? {
    let last = min(end, text.count - part.count)
    guard last >= 0 else { return nil }
    let reversed = Array(text[..<(last + part.count)].reversed())
    try activation.charge((reversed.count + part.count) >> 1)
    return try find(part.reversed(), in: reversed, from: 0, activation).map { last - $0 }
  }
}

/// A byte sequence prepared for repeated searches.
struct TextFinder {
  let part: [UInt8]
  /// For each prefix, the length of its longest border: a proper suffix that is a prefix too.
  private let borders: [Int]

  /// Prepares the sequence, and charges for it.
  init(_ part: [UInt8], _ activation: Activation) throws(EvaluationError) {
    try activation.charge(part.count * 2)
    self.part = part
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for index in part.indices.dropFirst() {
      while length > 0, part[index] != part[length] { length = borders[length - 1] }
      if part[index] == part[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  /// Returns the first offset at or after `start` where the sequence begins; nil if there is none.
  func find(in text: [UInt8], from start: Int) -> Int? {
    guard let first = part.first else { return start <= text.count ? start : nil }
    guard start + part.count <= text.count else { return nil }
    var index = start
    var matched = 0
    while index < text.count {
      let byte = text[index]
      if matched == 0, byte != first {
        index += 1
        continue
      }
      while matched > 0, byte != part[matched] { matched = borders[matched - 1] }
      if byte == part[matched] { matched += 1 }
      index += 1
      if matched == part.count { return index - part.count }
    }
    return nil
  }
}
