import StreamCore
@_spi(_Unicode) internal import Swift

extension FunctionCatalogue {
  /// String functions on the level of readers: characters of one or more Unicode scalars, and case in every script.
  static let characters: [Function] = [
    Function(
      "characters", "The characters of the string as a reader sees them, each a string of one or more Unicode scalars",
      cost: .steps(perByte: 8),
      [.method([.string], .list(.string))],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("characters", value) }
        try activation.limitCount(text.utf8.count)
        return .list(text.map { .string(String($0)) })
      }),
    Function(
      "normalize", "The string in Unicode's normalization form C, in which equal texts have equal characters",
      cost: .steps(perByte: 8), [.method([.string], .string)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("normalize", value) }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return value }
        var result = String.UnicodeScalarView()
        for scalar in text._nfc { result.append(scalar) }
        let normalized = String(result)
        try activation.checkBytes(normalized.utf8.count)
        return .string(normalized)
      }),
    cased("lowercased", "The string in lowercase, in every script") { $0.lowercased() },
    cased("uppercased", "The string in uppercase, in every script") { $0.uppercased() },
  ]

  private static func cased(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (String) -> String
  ) -> Function {
    Function(
      name, summary, cost: .steps(perByte: 4), [.method([.string], .string)],
      .one { (value, activation) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload(name, value) }
        let result = body(text)
        try activation.checkBytes(result.utf8.count)
        return .string(result)
      })
  }
}
