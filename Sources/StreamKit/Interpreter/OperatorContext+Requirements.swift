internal import CEL
internal import StreamCore

extension OperatorContext {
  /// Refuses an upstream whose values are known to be of a type that the operator cannot take.
  ///
  /// - Parameters:
  ///   - accepts: whether values of a known type will do.
  ///   - expected: what the operator takes, for the message.
  func requireInput(_ expected: String, _ accepts: (CELType) -> Bool) throws(Diagnostics) {
    if inputType == .dyn || inputType == .undetermined || accepts(inputType) { return }
    throw Diagnostics([
      Diagnostic(
        .typeMismatch, "'\(name)' needs \(expected), but its input has the type \(inputType)",
        help: "convert the values with a 'map' before it")
    ])
  }
}
