@_spi(Driving) internal import StreamKit
public import StreamRuntime

extension StreamPublisher {
  /// Hands every value to a closure, and the end to another: what every publisher's `sink` does, with fewer objects in
  /// between.
  ///
  /// - Returns: what cancels the subscription when it is cancelled or released.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<StreamFailure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    switch stream {
    case .success(let stream):
      let subscriber = ClosureSubscriber(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      let subscription = StreamSubscription(stream, keeper, subscriber)
      subscription.request(StreamRuntime.Demand.unlimited)
      subscription.begin()
      return AnyCancellable(subscription)
    case .failure(let failure):
      receiveCompletion(.failure(failure))
      return AnyCancellable {}
    }
  }
}

/// Two closures that hear a publisher. Who subscribes it asks for the values.
private struct ClosureSubscriber<Input: Decodable>: Subscriber {
  let receiveCompletion: (Subscribers.Completion<StreamFailure>) -> Void
  let receiveValue: (Input) -> Void

  var combineIdentifier: CombineIdentifier { CombineIdentifier() }

  func receive(subscription: any Subscription) {}

  func receive(_ input: Input) -> Subscribers.Demand {
    receiveValue(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<StreamFailure>) { receiveCompletion(completion) }
}
