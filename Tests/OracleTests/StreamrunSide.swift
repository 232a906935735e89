import StreamCore
import StreamEngine
import StreamKit

extension PipelineDescription {
  /// The events of the stream for a subscriber.
  func runStreamFile() throws -> HeardHistory {
    let execution = Execution(try StreamModel(json: streamFile).compile())
    var history = HeardHistory()

    func listen() {
      while !history.isOver, let event = execution.next() {
        guard let heard = HeardHistory.HeardEvent(event) else { continue }
        history.handle(heard, at: execution.time.nanoseconds)
      }
    }

    execution.request(initialDemand.map(Demand.init(_:)) ?? .unlimited)
    let happenings = happenings()
    for (index, happening) in happenings.enumerated() where !history.isOver {
      let time = StreamTime(nanoseconds: happening.time)
      switch happening.kind {
      case .input(let number, .value(let value)): execution.send(value, to: number, at: time)
      case .input(let number, .finished): execution.finish(number, at: time)
      case .input(let number, .failure(let payload)):
        execution.fail(number, StreamFailure(payload: .string(payload)), at: time)
      case .demand(let count):
        execution.advance(to: time)
        listen()
        execution.request(Demand(count))
      }
      // Timers of an instant come after all that is sent at it.
      let next = happenings.indices.contains(index + 1) ? happenings[index + 1].time : nil
      if next != happening.time { listen() }
    }
    listen()
    execution.advance(to: StreamTime(nanoseconds: HeardHistory.timeLimit))
    listen()
    return history
  }
}

extension HeardHistory.HeardEvent {
  fileprivate init?(_ event: ExecutionEvent) {
    switch event {
    case .value(let value): self = .value(value)
    case .finished: self = .finished
    case .failure(let failure): self = .failure(OracleFailure(failure))
    case .skipped, .call, .noted: return nil
    }
  }
}

extension OracleFailure {
  fileprivate init(_ failure: StreamFailure) {
    if let payload = failure.payload {
      self = .payload(payload)
    } else {
      self = failure.code == DiagnosticCode.limitExceeded.rawValue ? .full : .expression
    }
  }
}
