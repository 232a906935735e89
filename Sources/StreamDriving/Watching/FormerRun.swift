internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// The version of a run before a swap on trial.
struct FormerRun {
  /// Something that a file has sent to the stream.
  enum Message {
    case value(Value, input: String)
    case end(input: String)
  }

  let stream: PreparedStream
  var state: FormerVersion<Message>

  /// Returns this version as if there had been no swap, after a failure of the new one; nil if it fails as well, so that
  /// the new one is not to blame.
  func restored(after failure: StreamFailure) -> Execution? {
    guard state.trial.suspect() else { return nil }
    let execution = try? restored()
    state.trial.endSuspicion(execution == nil ? nil : failure)
    return execution
  }

  /// Returns this version with the message at which the new one failed still to be processed; nil if it fails at it.
  private func restored() throws(Diagnostics) -> Execution? {
    let outcome = try state.restored(isCurrentSilent: true, deliver: Self.deliver)
    if case .failure = outcome.completion { return nil }
    return try state.restored(deliver: Self.deliver).execution
  }

  private static func deliver(_ message: Message, _ time: StreamTime, _ execution: Execution) {
    switch message {
    case .value(let value, let name):
      if let input = execution.pipeline.input(named: name) { execution.send(value, to: input, at: time) }
    case .end(let name):
      if let input = execution.pipeline.input(named: name) { execution.finish(input, at: time) }
    }
  }
}
