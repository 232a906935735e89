internal import CEL
internal import StreamCore

extension CompileOptions {
  /// Records the parameters whose names occur in an expression.
  func noteConstants(in expression: CELExpression) {
    guard let usedParameters else { return }
    for name in constants.keys where expression.text.contains(name) { usedParameters.insert(name) }
  }
}
