internal import StreamEngine
@_spi(Driving) internal import StreamKit

/// An execution that sends its events to two closures. It keeps them until it ends or is canceled.
final class SinkSubscription<Output: Decodable>: TypedExecution<Output>, Cancellable, @unchecked Sendable {
  // Accessed by the active thread only, which also ends the subscription.
  @exclusivity(unchecked) private var receiveValue: ((Output) -> Void)?
  @exclusivity(unchecked) private var receiveCompletion: ((Subscribers.Completion<StreamFailure>) -> Void)?

  init(
    _ stream: LiveStream, _ keeper: SchedulerAdapter,
    _ receiveCompletion: @escaping (Subscribers.Completion<StreamFailure>) -> Void,
    _ receiveValue: @escaping (Output) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
    super.init(stream, keeper)
  }

  override func handle(_ output: Output) -> StreamEngine.Demand {
    receiveValue?(output)
    return .none
  }

  override func handle(misfit failure: StreamFailure) { end(.failure(failure)) }

  override func receive(_ completion: Completion) { end(Subscribers.Completion(completion)) }

  override func dispose() {
    receiveValue = nil
    receiveCompletion = nil
  }

  private func end(_ completion: Subscribers.Completion<StreamFailure>) {
    let receive = receiveCompletion
    dispose()
    receive?(completion)
  }
}

extension Subscribers.Completion<StreamFailure> {
  init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure)
    }
  }
}
