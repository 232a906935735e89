public import StreamCore

/// A call that was reported to the host and waits for its result.
struct OpenCall {
  let call: Call
  /// NB: Not retained: the call is canceled when its stage ends.
  unowned(unsafe) let stage: Stage
}

extension Execution {
  /// The calls without a result, in the order they were made. After a restore, the calls to be made again.
  public var openCalls: [Call] { calls.values.map(\.call).sorted { $0.id < $1.id } }

  /// Delivers the result of a call. The result of a call that is already resolved or canceled is ignored.
  public func resolve(_ call: Int64, with result: Result<Value, StreamFailure>, at time: StreamTime) {
    guard calls[call] != nil else { return }
    enqueue(.result(result), to: Int(call), at: time)
  }

  /// Returns the calls canceled since the last use of this method, so that the host can stop them.
  public func takeCanceledCalls() -> [Int64] {
    guard let coldState else { return [] }
    defer { coldState.canceledCalls = [] }
    return coldState.canceledCalls
  }

  /// Registers a call of a host function by a stage, and returns the event that reports it.
  func makeCall(_ function: String, with argument: Value, for stage: Stage) -> ExecutionEvent {
    let call = Call(id: callCount, function: function, argument: argument, pointer: stage.node.pointer)
    callCount += 1
    calls[call.id] = OpenCall(call: call, stage: stage)
    stage.callIDs.append(call.id)
    return .call(call)
  }

  /// Cancels the calls of a stage that has ended.
  func takeBackCalls(of stage: Stage) {
    for id in stage.callIDs where calls.removeValue(forKey: id) != nil { canceledCalls.append(id) }
    stage.callIDs = []
  }

  /// Delivers a result to the stage that waits for it.
  func deliver(_ result: Result<Value, StreamFailure>, toCall id: Int64) {
    guard let open = calls.removeValue(forKey: id), !open.stage.isEnded else { return }
    open.stage.callIDs.removeAll { $0 == id }
    switch result {
    case .success(let value): stack.push(Work(.input, open.stage, value: value))
    case .failure(let failure): stack.push(Work(.input, open.stage, number: 1, failure: failure))
    }
  }
}
