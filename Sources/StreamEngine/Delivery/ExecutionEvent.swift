public import StreamCore

/// An event that an execution reports to its host.
///
/// ```swift
/// while let event = execution.next() {
///   switch event {
///   case .value(let value): lines.append("\(value)")
///   case .failure(let failure): lines.append(failure.code)
///   case .finished, .skipped, .call, .noted: break
///   }
/// }
/// ```
///
/// NB: Rare payloads are stored behind a reference, so that an event with a value stays small.
public enum ExecutionEvent: Hashable, Sendable {
  /// The stream published a value.
  case value(Value)
  /// The stream finished; no event follows.
  case finished
  /// The stream failed; no event follows.
  case failure(StreamFailure)
  /// An operator failed for a value, and the value was skipped, as the stream or the host asked.
  case skipped(StreamFailure)
  /// The stream calls a function of the host, which answers with `resolve`.
  indirect case call(Call)
  /// A message from an operator, without effect on the stream.
  indirect case noted(HookEvent)
}

extension ExecutionEvent {
  /// Creates the event that reports a completion.
  package init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    }
  }
}

extension Completion {
  /// Creates the completion that an event reports; nil for any other event.
  package init?(_ event: ExecutionEvent) {
    switch event {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    default: return nil
    }
  }
}
