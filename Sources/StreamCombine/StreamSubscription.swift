internal import StreamCore
@_spi(Driving) internal import StreamKit
internal import StreamRuntime

/// One subscriber's execution.
///
/// It keeps the subscriber until the end or until it is cancelled, and then nothing.
final class StreamSubscription<Downstream: Subscriber>: LiveExecution, Subscription, @unchecked Sendable
where Downstream.Input: Decodable, Downstream.Failure == StreamFailure {
  /// Who hears it. Touched by the thread at work alone, which is the one that ends the subscription too.
  @exclusivity(unchecked) private var downstream: Downstream?
  private let reading = ValueReading<Downstream.Input>()

  init(_ stream: LiveStream, _ keeper: TimeKeeper, _ downstream: Downstream) {
    self.downstream = downstream
    super.init(stream, keeper)
  }

  override func receive(_ value: Value) -> StreamRuntime.Demand {
    guard let downstream else { return .none }
    do throws(StreamFailure) {
      return StreamRuntime.Demand(downstream.receive(try reading.read(value)))
    } catch {
      // The stream goes on no further; its subscriber hears why.
      self.downstream = nil
      downstream.receive(completion: .failure(error))
      cancel()
      return .none
    }
  }

  override func receive(_ completion: Completion) {
    guard let downstream else { return }
    self.downstream = nil
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let failure): downstream.receive(completion: .failure(failure))
    }
  }

  override func dispose() { downstream = nil }

  func request(_ demand: Subscribers.Demand) { request(StreamRuntime.Demand(demand)) }
}

extension StreamRuntime.Demand {
  /// Combine's demand.
  init(_ demand: Subscribers.Demand) {
    if let count = demand.max { self.init(count) } else { self = .unlimited }
  }
}
