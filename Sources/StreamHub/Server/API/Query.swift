internal import StreamSharing

/// The parameters of a query, as forms encode them: `+` is a space, and `%2B` a plus sign.
struct Query {
  private var values: [String: String] = [:]

  /// - Throws: If a parameter is unknown, repeated or badly encoded.
  init(_ text: some StringProtocol, allowing names: Set<String>) throws(Problem) {
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(pair[0]), let value = pair.count == 2 ? Self.decode(pair[1]) : "" else {
        throw Problem(.badRequest, "the query is not percent-encoded UTF-8")
      }
      guard names.contains(name) else {
        let known =
          names.isEmpty ? "this resource has no parameters" : "known: \(names.sorted().joined(separator: ", "))"
        throw Problem(.badRequest, "unknown parameter '\(name.prefix(60))'; \(known)")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw Problem(.badRequest, "the parameter '\(name)' is repeated")
      }
    }
  }

  private static func decode(_ text: some StringProtocol) -> String? {
    PercentEncoding.decode(String(text).replacing("+", with: " "))
  }

  subscript(name: String) -> String? { values[name] }

  /// A parameter as an integer.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let expected =
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      throw Problem(.badRequest, "'\(name)' is '\(text.prefix(60))'; expected an integer, \(expected)")
    }
    return number
  }
}
