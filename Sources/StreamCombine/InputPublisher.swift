public import StreamEngine
public import StreamKit

extension InputFeed {
  /// A publisher of the values sent to the input, beginning with the current value if the input keeps one. As with
  /// Combine's subjects, a subscriber misses values without demand; a current value is delivered when demand arrives.
  public var publisher: AnyPublisher<Content, StreamFailure> { InputPublisher(feed: self).eraseToAnyPublisher() }
}

/// A publisher of an input's content: a subject for each subscriber.
private struct InputPublisher<Content: Encodable & Sendable>: Publisher {
  typealias Output = Content
  typealias Failure = StreamFailure

  let feed: InputFeed<Content>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Content, S.Failure == StreamFailure {
    if let input = feed as? StreamInput<Content> {
      connect(CurrentValueSubject(input.wrappedValue), to: subscriber)
    } else {
      connect(PassthroughSubject(), to: subscriber)
    }
  }

  private func connect<Relay: Subject & SendableMetatype, S: Subscriber>(_ subject: Relay, to subscriber: S)
  where Relay.Output == Content, Relay.Failure == StreamFailure, S.Input == Content, S.Failure == StreamFailure {
    let relay = SubjectRelay(subject: subject)
    let token = feed.observe {
      relay.subject.send($0)
    } end: { completion in
      switch completion {
      case .finished: relay.subject.send(completion: .finished)
      case .failure(let failure): relay.subject.send(completion: .failure(failure))
      }
    }
    // The subscription keeps the token, and with it the observation.
    subject.handleEvents(receiveCompletion: { _ in token.cancel() }, receiveCancel: { token.cancel() })
      .receive(subscriber: subscriber)
  }
}

/// NB: subjects are sent to from any thread.
private struct SubjectRelay<Relay: Subject>: @unchecked Sendable {
  let subject: Relay
}
