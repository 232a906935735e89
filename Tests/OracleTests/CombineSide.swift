import StreamCombine
import StreamCore

extension PipelineDescription {
  /// The events of the publishers for a subscriber, with these differences applied.
  func runPublishers(deciding decisions: Set<DecidedDifference> = []) -> HeardHistory {
    let scheduler = VirtualScheduler()
    let builder = PublisherBuilder(self, scheduler, decisions)
    let listener = Listener(scheduler, initialDemand: initialDemand)
    for happening in happenings() {
      scheduler.schedule(after: VirtualInstant(nanoseconds: happening.time)) {
        switch happening.kind {
        case .input(let number, .value(let value)): builder.subjects[number].send(value)
        case .input(let number, .finished): builder.subjects[number].send(completion: .finished)
        case .input(let number, .failure(let payload)):
          builder.subjects[number].send(completion: .failure(OracleFailure.payload(.string(payload))))
        case .demand(let count): listener.request(count)
        }
      }
    }
    builder.publisher(for: stream, Formula.Variables()).subscribe(listener)
    scheduler.run(through: VirtualInstant(nanoseconds: HeardHistory.timeLimit)) { !listener.history.isOver }
    listener.cancel()
    scheduler.clear()
    return listener.history
  }
}

/// A subscriber that requests the given demand and records its events.
private final class Listener: Subscriber {
  private(set) var history = HeardHistory()
  private let scheduler: VirtualScheduler
  private let initialDemand: Int?
  private var subscription: (any Subscription)?

  init(_ scheduler: VirtualScheduler, initialDemand: Int?) {
    self.scheduler = scheduler
    self.initialDemand = initialDemand
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    guard let initialDemand else { return subscription.request(.unlimited) }
    request(initialDemand)
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    handle(.value(value))
    return .none
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    switch completion {
    case .finished: handle(.finished)
    case .failure(let error): handle(.failure(error as? OracleFailure ?? .expression))
    }
  }

  func request(_ count: Int) {
    guard count > 0 else { return }
    subscription?.request(.max(count))
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }

  private func handle(_ event: HeardHistory.HeardEvent) {
    let wasOver = history.isOver
    history.handle(event, at: scheduler.now.nanoseconds)
    if history.isOver, !wasOver { cancel() }
  }
}
