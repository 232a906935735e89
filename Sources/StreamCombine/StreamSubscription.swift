internal import StreamEngine
@_spi(Driving) internal import StreamKit

/// The execution of one subscriber.
///
/// It retains the subscriber until the completion or the cancellation.
final class StreamSubscription<Downstream: Subscriber>: TypedExecution<Downstream.Input>, Subscription,
  @unchecked Sendable
where Downstream.Input: Decodable, Downstream.Failure == StreamFailure {
  /// The subscriber. Accessed by the active thread only, which also ends the subscription.
  @exclusivity(unchecked) private var downstream: Downstream?

  init(_ stream: LiveStream, _ keeper: SchedulerAdapter, _ downstream: Downstream) {
    self.downstream = downstream
    super.init(stream, keeper)
  }

  override func handle(_ output: Downstream.Input) -> StreamEngine.Demand {
    downstream.map { StreamEngine.Demand($0.receive(output)) } ?? .none
  }

  override func handle(misfit failure: StreamFailure) { end(.failure(failure)) }

  override func receive(_ completion: Completion) { end(Subscribers.Completion(completion)) }

  private func end(_ completion: Subscribers.Completion<StreamFailure>) {
    let last = downstream
    downstream = nil
    last?.receive(completion: completion)
  }

  override func dispose() { downstream = nil }

  func request(_ demand: Subscribers.Demand) { request(StreamEngine.Demand(demand)) }
}

extension StreamEngine.Demand {
  /// Combine's demand.
  init(_ demand: Subscribers.Demand) {
    if let count = demand.max { self.init(count) } else { self = .unlimited }
  }
}
