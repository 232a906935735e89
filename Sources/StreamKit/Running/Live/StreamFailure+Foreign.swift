package import StreamCore
package import StreamEngine

extension StreamFailure {
  /// Creates the failure for an error thrown by the host's code: a `StreamFailure` unchanged, any other error with this
  /// code, and with an `Encodable` error as its payload.
  ///
  /// - Parameters:
  ///   - message: A description of the failed action; the error is appended.
  ///   - value: The value being processed.
  package init(foreign error: any Error, _ code: DiagnosticCode, _ message: String, value: Value? = nil) {
    if let failure = error as? StreamFailure {
      self = failure
      return
    }
    let payload = (error as? any Encodable).flatMap { try? ValueEncoder().encode($0) }
    self.init(code, "\(message): \(error)", value: value, payload: payload)
  }
}
