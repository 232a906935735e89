public import CEL
public import StreamCore

/// What a machine says in answer to a signal.
///
/// Answers are carried out in the order given, each with all that follows from it before the next, after the machine
/// has returned.
public struct Answers {
  let execution: Execution
  let stage: Stage

  /// The present time of the execution.
  public var now: StreamTime { execution.time }

  /// Where expressions are evaluated: one for the whole execution, used by one machine at a time.
  public var activation: Activation { execution.activation }

  /// Hands a value downstream.
  public func publish(_ value: Value) {
    execution.stack.push(Work(.publish, stage, value: value))
  }

  /// Ends this stream: cancels what still runs upstream, then finishes or fails downstream.
  public func complete(_ completion: Completion) {
    switch completion {
    case .finished: execution.stack.push(Work(.finish, stage))
    case .failure(let failure): execution.stack.push(Work(.fail, stage, failure: failure))
    }
  }

  public func finish() { complete(.finished) }

  public func fail(_ failure: StreamFailure) { complete(.failure(failure)) }

  /// Subscribes to the upstream of this number, which then feeds a port: the one of the same number, unless another
  /// is given, as where one stream is subscribed to many times.
  public func subscribe(to upstream: Int, on port: Int? = nil) {
    execution.stack.push(Work(.subscribe, stage, number: port ?? upstream, upstream: upstream))
  }

  /// Asks the upstream on a port for more values.
  public func request(_ demand: Demand, from port: Int) {
    guard demand.count > 0, !stage.isUnlimited(port) else { return }
    execution.stack.push(Work(.request, stage, number: port, demand: demand))
  }

  /// Cancels the upstream on a port; nothing more comes from there.
  public func cancel(_ port: Int) {
    execution.stack.push(Work(.cancel, stage, number: port))
  }

  /// Asks to be resumed once everything published so far has been delivered: how a pull source publishes value by
  /// value.
  public func resume() {
    execution.stack.push(Work(.resume, stage))
  }

  /// A place in the order of work that is due at one instant; what takes its ticket first runs first.
  public func takeTicket() -> Int64 { execution.takeTickets(1) }

  /// This many places, one after the other; gives the first.
  public func takeTickets(_ count: Int) -> Int64 { execution.takeTickets(count) }

  /// Sets a timer, in place of the one of the same number that may be running. Numbers are small: 0, 1 …
  ///
  /// - Parameter ticket: from `takeTicket()`, where the work was scheduled earlier than now; else one is taken.
  public func setTimer(_ timer: Int, at deadline: StreamTime, ticket: Int64? = nil) {
    execution.setTimer(timer, of: stage, at: deadline, ticket: ticket ?? execution.takeTickets(1))
  }

  /// Stops a timer, if it runs.
  public func cancelTimer(_ timer: Int) {
    execution.cancelTimer(timer, of: stage)
  }
}
