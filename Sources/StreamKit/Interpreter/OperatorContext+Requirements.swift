internal import CEL
internal import StreamCore

extension OperatorContext {
  /// Rejects an upstream whose known type the operator does not support.
  ///
  /// - Parameters:
  ///   - accepts: Whether the operator supports a known type.
  ///   - expected: A description of the supported values, for the message.
  func requireInput(_ expected: String, _ accepts: (CELType) -> Bool) throws(Diagnostics) {
    if inputType == .dyn || inputType == .undetermined || accepts(inputType) { return }
    throw Diagnostics(
      .typeMismatch, "'\(name)' needs \(expected), but its input has the type \(inputType)",
      help: "convert the values with a 'map' before it")
  }
}
