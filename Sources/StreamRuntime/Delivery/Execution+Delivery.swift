internal import StreamCore

extension Execution {
  /// Does one piece of work; what follows from it is on the stack afterwards. Gives what the host is to hear.
  func perform(_ work: Work) -> ExecutionEvent? {
    let stage = work.stage
    guard !stage.isEnded else { return nil }
    let mark = stack.count
    switch work.kind {
    case .publish:
      guard let downstream = stage.downstream else { return .value(work.value) }
      return deliver(work.value, to: downstream, from: stage, mark)
    case .input:
      return deliver(fromHost: work, mark)
    case .finish:
      return complete(stage, .finished)
    case .fail:
      return complete(stage, .failure(work.failure ?? StreamFailure(.streamFailed, "the stream failed")))
    case .subscribe:
      subscribe(stage, to: work.upstream, on: work.number)
    case .request:
      request(work.demand, from: work.number, of: stage)
    case .cancel:
      cancelUpstream(of: stage, on: work.number)
    case .start:
      signal(stage, mark) { answers throws(StreamFailure) in try stage.start(answers) }
    case .demand:
      signal(stage, mark) { answers throws(StreamFailure) in try stage.request(work.demand, answers) }
    case .fire:
      signal(stage, mark) { answers throws(StreamFailure) in try stage.fire(work.number, answers) }
    case .resume:
      signal(stage, mark) { answers throws(StreamFailure) in try stage.resume(answers) }
    }
    return nil
  }

  /// Tells a stage something; if it throws, its stream fails.
  private func signal(_ stage: Stage, _ mark: Int, _ body: (Answers) throws(StreamFailure) -> Void) {
    do throws(StreamFailure) {
      try body(Answers(execution: self, stage: stage))
      stack.arrange(since: mark)
    } catch {
      stack.truncate(to: mark)
      stack.push(Work(.fail, stage, failure: error.located(at: stage.node.pointer)))
    }
  }

  private func deliver(_ value: Value, to stage: Stage, from upstream: Stage, _ mark: Int) -> ExecutionEvent? {
    do throws(StreamFailure) {
      try stage.receive(value, on: upstream.port, Answers(execution: self, stage: stage))
      stack.arrange(since: mark)
      return nil
    } catch {
      stack.truncate(to: mark)
      let failure = error.located(at: stage.node.pointer)
      guard skipsErrors || stage.node.errorPolicy == .skip else {
        stack.push(Work(.fail, stage, failure: failure))
        return nil
      }
      // The value is gone; another one is asked for in its place.
      Answers(execution: self, stage: stage).request(Demand(1), from: upstream.port)
      return .skipped(failure)
    }
  }

  private func deliver(fromHost work: Work, _ mark: Int) -> ExecutionEvent? {
    let stage = work.stage
    signal(stage, mark) { answers throws(StreamFailure) in
      if let failure = work.failure {
        try stage.receive(.failure(failure), on: 0, answers)
      } else if work.number == 1 {
        try stage.receive(.finished, on: 0, answers)
      } else {
        try stage.receive(work.value, on: 0, answers)
      }
    }
    return nil
  }

  /// Ends a stage and tells the next one, or the host.
  private func complete(_ stage: Stage, _ completion: Completion) -> ExecutionEvent? {
    release(stage)
    guard let downstream = stage.downstream else {
      end()
      switch completion {
      case .finished: return .finished
      case .failure(let failure): return .failure(failure)
      }
    }
    downstream.setUpstream(nil, on: stage.port)
    signal(downstream, stack.count) { answers throws(StreamFailure) in
      try downstream.receive(completion, on: stage.port, answers)
    }
    return nil
  }

  private func subscribe(_ stage: Stage, to number: Int, on port: Int) {
    guard stage.node.upstreams.indices.contains(number), stage.upstream(on: port) == nil else { return }
    guard stageCount < Self.stageLimit else {
      stack.push(
        Work(
          .fail, stage,
          failure: StreamFailure(
            .limitExceeded, "more than \(Self.stageLimit) operators and sources are at work at once",
            pointer: stage.node.pointer)))
      return
    }
    let upstream = stage.node.upstreams[number].makeStage(downstream: stage, port: port)
    stageCount += 1
    stage.setUpstream(upstream, on: port)
    stack.push(Work(.start, upstream))
  }

  private func request(_ demand: Demand, from port: Int, of stage: Stage) {
    guard let upstream = stage.upstream(on: port), !stage.isUnlimited(port) else { return }
    if demand.isUnlimited { stage.upstreams[port].isUnlimited = true }
    stack.push(Work(.demand, upstream, demand: demand))
  }

  private func cancelUpstream(of stage: Stage, on port: Int) {
    guard let upstream = stage.upstream(on: port) else { return }
    stage.setUpstream(nil, on: port)
    release(upstream)
  }

  /// Ends a stage and all that is upstream of it, without a word. Iterative: a pipeline may be of any length.
  func release(_ stage: Stage) {
    var doomed = [stage]
    while let next = doomed.popLast() {
      guard !next.isEnded else { continue }
      next.isEnded = true
      stageCount -= 1
      timers.release(next)
      if let input = next as? InputStage { leave(input) }
      for upstream in next.upstreams {
        if let stage = upstream.stage { doomed.append(stage) }
      }
      next.upstreams = []
    }
  }

  /// Ends everything.
  func end() {
    isEnded = true
    if let root { release(root) }
    root = nil
    stack.removeAll()
    timers.removeAll()
    pending.removeAll()
  }
}
