package import StreamCore
package import StreamRuntime

extension StreamFailure {
  /// What an error becomes that code of the host's has thrown: a `StreamFailure` as it is, anything else a failure with
  /// this code, and with an `Encodable` error as its payload.
  ///
  /// - Parameters:
  ///   - message: what failed; the error is told behind it.
  ///   - value: what it was about.
  package init(foreign error: any Error, _ code: DiagnosticCode, _ message: String, value: Value? = nil) {
    if let failure = error as? StreamFailure {
      self = failure
      return
    }
    let payload = (error as? any Encodable).flatMap { try? ValueEncoder().encode($0) }
    self.init(code, "\(message): \(error)", value: value, payload: payload)
  }
}
