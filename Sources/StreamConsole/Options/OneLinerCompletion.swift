internal import ArgumentParser
internal import StreamKit

/// The completions of shells for a one-liner.
package enum OneLinerCompletion {
  /// Returns the candidates for the word of a command line, in the form that the shell takes.
  ///
  /// - Parameter prefix: The word up to the cursor, with its quotation mark.
  package static func candidates(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    // NB: zsh counts the word up to the cursor from the last space, even in quotation marks.
    let isWhole = CompletionShell.requesting == .zsh && words.indices.contains(index)
    let text = unquoted(isWhole ? words[index] : prefix)
    let (start, found) = ShortForm.completions(after: text)
    let bytes = Array(text.utf8)
    let before = String(decoding: bytes[..<min(start, bytes.count)], as: UTF8.self)
    var all = found.map { (text: before + $0.text, summary: $0.summary) }
    // A shell closes the quotation mark after the only candidate, so that one is accompanied by its continuation.
    if let only = found.first, found.count == 1 {
      all.append((before + only.text + only.continuation, only.summary))
    }
    switch CompletionShell.requesting {
    case .bash?: return all.map { escaped($0.text, #"\'"$`"#) }
    case .zsh?:
      return all.map { escaped($0.text, #"\:"#) + ($0.summary.isEmpty ? "" : ":" + line($0.summary)) }
    case .fish?: return all.map { $0.text + ($0.summary.isEmpty ? "" : "\t" + line($0.summary)) }
    default: return all.map(\.text)
    }
  }

  private static func line(_ summary: String) -> String { String(summary.map { $0.isNewline ? " " : $0 }) }

  private static func escaped(_ text: String, _ signs: String) -> String {
    String(text.flatMap { signs.contains($0) ? ["\\", $0] : [$0] })
  }

  /// Returns the text of a word that may be begun in quotation marks.
  static func unquoted(_ word: String) -> String {
    guard let first = word.first else { return "" }
    if first == "'" { return String(word.dropFirst().replacing("'\\''", with: "'")) }
    var text = ""
    var isEscaped = false
    for sign in first == "\"" ? word.dropFirst() : word[...] {
      if sign == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      // In double quotation marks a backslash escapes few characters.
      if isEscaped, first == "\"", !#"\"$`"#.contains(sign) { text.append("\\") }
      text.append(sign)
      isEscaped = false
    }
    return text
  }
}
