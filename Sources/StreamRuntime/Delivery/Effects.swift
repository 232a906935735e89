public import CEL
public import StreamCore

/// What a machine says in answer to a signal.
///
/// Answers are carried out in the order given, each with all that follows from it before the next, after the machine
/// has returned. They are valid until then.
public struct Effects {
  /// NB: neither is counted, here and in `Work`: answers are given while an execution is at work, which keeps a stage
  /// that has ended until nothing that is to be done refers to it.
  unowned(unsafe) let execution: Execution
  unowned(unsafe) let stage: Stage

  /// Where expressions are evaluated: one for the whole execution, used by one machine at a time.
  public var activation: Activation { execution.activation }

  init(_ execution: Execution, stage: Stage) {
    self.execution = execution
    self.stage = stage
  }

  /// The present time of the execution.
  public var now: StreamTime { execution.time }

  /// Counts work that takes far longer than a step, such as the opening of a file: see `WorkLimit`.
  package func charge(steps: Int) { execution.allowance &-= steps }

  /// Hands a value downstream.
  ///
  /// Publish all that there is before asking upstream for more: what comes in answer may be the end.
  public func publish(_ value: Value) {
    say(Work(.publish, stage, value: value))
  }

  /// Ends this stream: cancels what still runs upstream, then finishes or fails downstream.
  public func complete(_ completion: Completion) {
    switch completion {
    case .finished: say(Work(.finish, stage))
    case .failure(let failure): say(Work(.fail, stage, failure: failure))
    }
  }

  private func say(_ work: consuming Work) {
    Unmanaged.passUnretained(stage)._withUnsafeGuaranteedRef { $0.unheardCount += 1 }
    execution.stack.push(work)
  }

  public func finish() { complete(.finished) }

  public func fail(_ failure: StreamFailure) { complete(.failure(failure)) }

  /// Subscribes to the upstream of this number, which then feeds a port: the one of the same number, unless another
  /// is given, as where one stream is subscribed to many times.
  public func subscribe(to upstream: Int, on port: Int? = nil) {
    execution.stack.push(Work(.subscribe, stage, number: port ?? upstream, upstream: upstream))
  }

  /// Subscribes to an upstream for a value: the expressions of that stream see these as the variables that the operator
  /// captures, in the order in which it declares them.
  public func subscribe(to upstream: Int, on port: Int, capturing values: [Value]) {
    execution.stack.push(Work(.subscribeInner, stage, number: port, upstream: upstream, value: .list(values)))
  }

  /// Hands a value to the stream on a port, whose source is what this stage feeds.
  public func feed(_ value: Value, to port: Int) {
    execution.stack.push(Work(.feed, stage, number: port, value: value))
  }

  /// Ends what this stage feeds to the stream on a port.
  public func endFeed(_ completion: Completion, to port: Int) {
    let failure: StreamFailure? = if case .failure(let failure) = completion { failure } else { nil }
    execution.stack.push(Work(.endFeed, stage, number: port, failure: failure))
  }

  /// Calls a function of the host. Its answer comes as a value, or a failure, on port 0; nothing tells an end.
  public func call(_ function: String, with argument: Value) {
    execution.stack.push(Work(.call, stage, value: .list([.string(function), argument])))
  }

  /// Tells the host something on the side.
  public func note(_ kind: HookEvent.Kind, name: String, message: Value) {
    let isHook = kind == .hook
    execution.stack.push(Work(.note, stage, number: isHook ? 1 : 0, value: .list([.string(name), message])))
  }

  /// Whether what makes the machine fail is to be left out, where the machine can go on behind it.
  public var skipsErrors: Bool { execution.skipsErrors || stage.failurePolicy == .skip }

  /// Tells the host of data that are wrong and have been left out; the stream goes on. For machines that make values of
  /// data, where `skipsErrors`.
  public func skip(_ failure: StreamFailure) {
    execution.stack.push(Work(.skip, stage, failure: failure))
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

  /// Tells that `Machine.passage` says something else from now on, for other reasons than what the machine was told.
  public func passagesChanged() { execution.endWays() }

  /// A place in the order of work that is due at one instant; what takes its ticket first runs first.
  public func takeTicket() -> Int64 { takeTickets(1) }

  /// This many places, one after the other; gives the first.
  public func takeTickets(_ count: Int) -> Int64 {
    Unmanaged.passUnretained(execution)._withUnsafeGuaranteedRef { $0.takeTickets(count) }
  }

  /// Sets a timer, in place of the one of the same number that may be running. Numbers are small: 0, 1 …
  ///
  /// - Parameter timer: the number of the timer.
  /// - Parameter deadline: the time at which it fires.
  /// - Parameter ticket: from `takeTicket()`, where the work was scheduled earlier than now; else one is taken.
  public func setTimer(_ timer: Int, at deadline: StreamTime, ticket: Int64? = nil) {
    let ticket = ticket ?? takeTicket()
    Unmanaged.passUnretained(execution)._withUnsafeGuaranteedRef { execution in
      Unmanaged.passUnretained(stage)._withUnsafeGuaranteedRef { stage in
        execution.setTimer(timer, of: stage, at: deadline, ticket: ticket)
      }
    }
  }

  /// Stops a timer, if it runs.
  public func cancelTimer(_ timer: Int) {
    execution.cancelTimer(timer, of: stage)
  }
}
