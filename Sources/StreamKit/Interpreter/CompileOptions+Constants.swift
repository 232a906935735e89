internal import CEL
internal import StreamCore

extension CompileOptions {
  /// Records the parameters of the file whose names occur in an expression.
  func noteConstants(in expression: CELExpression) {
    guard let usedParameters, !countedParameters.isEmpty else { return }
    for name in countedParameters where expression.text.hasWord(name) { usedParameters.insert(name) }
  }
}

extension String {
  /// Whether the text has a name that is not a part of a longer one.
  package func hasWord(_ name: String) -> Bool {
    let (text, word) = (utf8, Array(name.utf8))
    guard !word.isEmpty else { return false }
    var current: [UInt8] = []
    for byte in text {
      if byte.isLetterOrUnderscore || byte.isDecimalDigit {
        current.append(byte)
      } else {
        if current == word { return true }
        current.removeAll(keepingCapacity: true)
      }
    }
    return current == word
  }
}
