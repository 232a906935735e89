import StreamCombine

// OpenCombine has neither CombineLatest nor Merge, and its subjects reach several subscribers in any order.

/// The values of both, as they come.
func merged<First: Publisher, Second: Publisher>(
  _ first: First, _ second: Second
) -> AnyPublisher<First.Output, First.Failure> where Second.Output == First.Output, Second.Failure == First.Failure {
  [first.eraseToAnyPublisher(), second.eraseToAnyPublisher()].publisher
    .setFailureType(to: First.Failure.self)
    .flatMap { $0 }
    .eraseToAnyPublisher()
}

/// The newest value of both, whenever one has a new one and both have one.
func combinedLatest<First: Publisher, Second: Publisher>(
  _ first: First, _ second: Second
) -> AnyPublisher<(First.Output, Second.Output), First.Failure> where Second.Failure == First.Failure {
  typealias Newest = (first: First.Output?, second: Second.Output?)
  return merged(first.map { (Newest($0, nil)) }, second.map { (Newest(nil, $0)) })
    .scan(Newest(nil, nil)) { newest, next in (next.first ?? newest.first, next.second ?? newest.second) }
    .compactMap { newest in
      guard let first = newest.first, let second = newest.second else { return nil }
      return (first, second)
    }
    .eraseToAnyPublisher()
}

/// The newest value of three.
func combinedLatest<First: Publisher, Second: Publisher, Third: Publisher>(
  _ first: First, _ second: Second, _ third: Third
) -> AnyPublisher<(First.Output, Second.Output, Third.Output), First.Failure>
where Second.Failure == First.Failure, Third.Failure == First.Failure {
  combinedLatest(combinedLatest(first, second), third).map { ($0.0.0, $0.0.1, $0.1) }.eraseToAnyPublisher()
}

/// A subject that reaches its subscribers in the order of their subscription.
final class OrderedSubject<Output>: Publisher {
  typealias Failure = Never

  private var subjects: [PassthroughSubject<Output, Never>] = []

  func receive(subscriber: some Subscriber<Output, Never>) {
    let subject = PassthroughSubject<Output, Never>()
    subjects.append(subject)
    subject.subscribe(subscriber)
  }

  func send(_ value: Output) {
    for subject in subjects { subject.send(value) }
  }
}
