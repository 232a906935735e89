internal import CEL
internal import StreamCore

extension CompileOptions {
  /// The parameters as variables, for completion and hover.
  var constantVariables: [Variable] {
    constants.isEmpty ? [] : constants.sorted { $0.key < $1.key }.map { Variable($0.key, CELType.of($0.value)) }
  }

  /// Records the parameters whose names occur in an expression.
  func noteConstants(in expression: CELExpression) {
    guard let usedParameters else { return }
    for name in constants.keys where expression.text.contains(name) { usedParameters.insert(name) }
  }
}
