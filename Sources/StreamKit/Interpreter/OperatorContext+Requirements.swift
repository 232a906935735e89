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
        .typeMismatch, "'\(name)' takes \(expected); what comes in is of type \(inputType)",
        help: "put a 'map' before it that makes what it takes")
    ])
  }
}
