public import StreamKit

extension Publisher {
  /// Assigns every value to a property of an object, without retaining the object. The subscription ends when the
  /// object is released.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - target: The object, held weakly.
  ///   - onFailure: Called if the publisher fails. Default: writes the failure to standard error.
  /// - Returns: A cancellable that cancels the subscription when it is canceled or released.
  public func assign<Target: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Target, Output>, onWeak target: Target,
    onFailure: @escaping (Failure) -> Void = UnhandledFailure.report
  ) -> AnyCancellable {
    sink(onWeak: target, onFailure: onFailure) { target, value in target[keyPath: keyPath] = value }
  }

  /// Passes every value to a closure together with an object, without retaining the object. The subscription ends when
  /// the object is released.
  public func sink<Target: AnyObject>(
    onWeak target: Target, onFailure: @escaping (Failure) -> Void = UnhandledFailure.report,
    receiveValue: @escaping (Target, Output) -> Void
  ) -> AnyCancellable {
    let subscriber = WeakSink<Target, Output, Failure>(target, onFailure, receiveValue)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// A sink that lives no longer than its target.
private final class WeakSink<Target: AnyObject, Input, Failure: Error>: Subscriber, Cancellable {
  private weak var target: Target?
  private let receiveFailure: (Failure) -> Void
  private let receiveValue: (Target, Input) -> Void
  private let subscription = SubscriptionSlot()

  init(
    _ target: Target, _ receiveFailure: @escaping (Failure) -> Void, _ receiveValue: @escaping (Target, Input) -> Void
  ) {
    self.target = target
    self.receiveFailure = receiveFailure
    self.receiveValue = receiveValue
  }

  func receive(subscription: any Subscription) {
    guard self.subscription.fill(subscription) else { return subscription.cancel() }
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if let target { receiveValue(target, input) } else { cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    subscription.empty()
    if case .failure(let failure) = completion { receiveFailure(failure) }
  }

  func cancel() { subscription.empty()?.cancel() }
}
