internal import StreamCore

extension SwapReport: CustomStringConvertible {
  /// A one-line summary: `kept #total and 2 others; operator 2 (drop) is reset: its 'count' changed`.
  public var description: String {
    var sentences: [String] = []
    let kept = parts.filter { $0.outcome == .kept }
    if let sentence = Self.kept(kept) { sentences.append(sentence) }
    for part in parts {
      switch part.outcome {
      case .kept: break
      case .begunAnew(let reason): sentences.append("\(part.label) is reset: \(reason)")
      case .lost(let reason): sentences.append("\(part.label) is lost: \(reason)")
      }
    }
    if addedCount > 0 { sentences.append("\(addedCount) operator\(addedCount == 1 ? " is" : "s are") new") }
    return sentences.isEmpty ? "no active operator had state" : sentences.joined(separator: "; ")
  }

  /// Describes the parts with an `id`, and at most one of the others.
  private static func kept(_ parts: [Part]) -> String? {
    guard !parts.isEmpty else { return nil }
    var named = parts.filter { $0.id != nil }.prefix(namedLimit).map(\.label)
    if named.isEmpty { named = [parts[0].label] }
    let others = parts.count - named.count
    if others > 0 { named.append(others.counted("other")) }
    return "kept " + list(named)
  }

  /// Maximum number of parts listed by name.
  private static let namedLimit = 3

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension SwapReport.Part {
  /// The part by its id, else in words.
  fileprivate var label: String {
    if let id { return (file.map { "\($0):" } ?? "") + "#\(id)" }
    return (file.map { "\($0): " } ?? "") + words
  }
}
