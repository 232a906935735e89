public import StreamEngine
public import StreamKit

extension AnyInputFeed {
  /// Completes the inputs that the feed feeds, as a subject does: `finish()` or `fail(_:)`.
  public func send(completion: Subscribers.Completion<StreamFailure>) {
    switch completion {
    case .finished: finish()
    case .failure(let failure): fail(failure)
    }
  }
}

/// A token cancels as any cancellable, and can be stored with others.
extension StreamToken: Cancellable {}
