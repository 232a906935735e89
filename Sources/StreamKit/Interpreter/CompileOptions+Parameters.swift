internal import CEL
internal import StreamCore

extension CompileOptions {
  /// Records the parameters of the file whose names occur in an expression.
  func noteParameters(in expression: CELExpression) {
    guard let usedParameters else { return }
    for name in expression.text.words where bound[name]?.isOfFile == true { usedParameters.insert(name) }
  }
}

extension String {
  /// The names and numbers in the text, each once.
  package var words: Set<String> {
    Set(utf8.split { !($0.isLetterOrUnderscore || $0.isDecimalDigit) }.map { String(Substring($0)) })
  }
}
