public import StreamCore

/// What an execution tells its host.
///
/// NB: what is rare stands behind a reference, so that a value is handed on with few bytes.
public enum ExecutionEvent: Hashable, Sendable {
  /// The stream published a value.
  case value(Value)
  /// The stream ended well; nothing comes after it.
  case finished
  /// The stream failed; nothing comes after it.
  case failure(StreamFailure)
  /// A value made an operator fail and was left out, as the stream or the host asked.
  case skipped(StreamFailure)
  /// The stream wants a function of the host called; `resolve` answers.
  indirect case call(Call)
  /// An operator tells something on the side.
  indirect case noted(HookEvent)
}

extension ExecutionEvent {
  /// The end of a stream.
  init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    }
  }
}

extension Completion {
  /// What the event says of the end, if it is one.
  init?(_ event: ExecutionEvent) {
    switch event {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    default: return nil
    }
  }
}
