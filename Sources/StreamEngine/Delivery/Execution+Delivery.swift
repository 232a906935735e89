internal import StreamCore

extension Execution {
  /// Returns the effects for a signal to a stage, whose frame is loaded.
  @inline(__always)
  func effects(for stage: Stage) -> Effects {
    if stage.frameNumber != loadedFrame { load(stage.frame) }
    return Effects(self, stage: stage)
  }

  /// Loads the variables of a frame and of its outer frames, which may have been overwritten since.
  private func load(_ frame: Frame) {
    frame.load(into: activation)
    loadedFrame = frame.number
  }

  /// Performs one item of work and pushes the work that follows from it. Returns the event for the host, if any.
  func perform(_ work: consuming Work) -> ExecutionEvent? {
    let stage = work.stage
    guard !stage.isEnded else { return nil }
    endRoutes()
    if work.kind.isSaid { noteHeard(stage) }
    let mark = stack.count
    switch work.kind {
    case .publish:
      if isWatched, !stage.isHidden { coldState?.publicationWatcher?(stage.node, .value(work.value)) }
      guard let downstream = stage.downstreamReference else { return .value(work.value) }
      var event: ExecutionEvent?
      carry(work.value, to: downstream, on: stage.port, mark, &event)
      return event
    case .input:
      handle(fromHost: work, stage, mark)
      return proceed(from: stage, mark)
    case .finish:
      return complete(stage, .finished)
    case .fail:
      return complete(stage, .failure(work.failure ?? StreamFailure(.streamFailed, "the stream failed")))
    case .subscribe:
      subscribe(stage, to: work.upstream, on: work.number, capturing: nil)
    case .subscribeInner:
      guard case .list(let values) = work.value else { return nil }
      subscribe(stage, to: work.upstream, on: work.number, capturing: values.elements)
    case .feed:
      feed(work.value, to: work.number, of: stage, mark)
    case .endFeed:
      guard let frame = stage.innerFrame(on: work.number) else { return nil }
      for feeder in frame.runningFeeders() {
        stack.push(Work(.input, feeder, number: 1, failure: work.failure))
      }
      frame.feedEnd = work.failure.map { .failure($0) } ?? .finished
      stack.arrange(since: mark)
    case .call:
      guard case .list(let parts) = work.value, case .string(let function)? = parts.first, parts.count == 2 else {
        return nil
      }
      return makeCall(function, with: parts[1], for: stage)
    case .note:
      guard case .list(let parts) = work.value, case .string(let name)? = parts.first, parts.count == 2 else {
        return nil
      }
      let kind: HookEvent.Kind = work.number == 1 ? .hook : .line
      return .noted(HookEvent(kind, name: name, message: parts[1], pointer: stage.node.pointer))
    case .skip:
      return work.failure.map { .skipped($0.located(at: stage.node.pointer)) }
    case .request:
      request(work.demand, from: work.number, of: stage)
    case .cancel:
      cancelUpstream(of: stage, on: work.number)
    case .start:
      signal(stage, mark) { effects throws(StreamFailure) in try stage.start(effects) }
    case .demand:
      let demand = work.demand
      guard stage.unheardCount == 0 else {
        stage.deferredDemand += demand
        return nil
      }
      signal(stage, mark) { effects throws(StreamFailure) in try stage.request(demand, effects) }
    case .fire:
      var event: ExecutionEvent?
      fire(work.number, of: .passUnretained(stage), &event)
      return event
    case .resume:
      if !isWatched, let downstream = stage.downstream, downstream.isSegment, downstream.isUnlimited(stage.port) {
        let segment = unsafeDowncast(downstream, to: SegmentStage.self)
        if let values = segment.restOfRows ?? stage.upcoming({ segment.rowFields }) {
          return hand(values, of: stage, to: segment)
        }
      }
      signal(stage, mark) { effects throws(StreamFailure) in try stage.resume(effects) }
    }
    return nil
  }

  private func proceed(from stage: Stage, _ mark: Int) -> ExecutionEvent? {
    var event: ExecutionEvent?
    proceed(from: stage, mark, &event)
    return event
  }

  /// Delivers a due timer to its stage.
  func fire(_ timer: Int, of reference: Unmanaged<Stage>, _ event: inout ExecutionEvent?) {
    endRoutes()
    guard !reference._withUnsafeGuaranteedRef({ $0.isEnded }) else { return }
    let mark = stack.count
    do throws(StreamFailure) {
      try reference.use { stage throws(StreamFailure) in try stage.fire(timer, effects(for: stage)) }
      if stack.count > mark { carryOn(.null, from: reference, .nothing, mark, &event) }
    } catch {
      stack.truncate(to: mark)
      fail(reference.takeUnretainedValue(), with: error)
    }
  }

  /// Pushes the failure that a stage has thrown. The failure of a source for a value names the value, and the operator
  /// that started the source may skip it.
  private func fail(_ stage: Stage, with error: StreamFailure) {
    var failure = error.located(at: stage.node.pointer)
    if stage.node.isSource {
      failure = failure.located(for: stage.frame.startingValue)
      ensureColdState().failureOfSource = failure
    }
    fail(stage, failure)
  }

  /// Accounts for a signal of the stage that is about to be delivered. After the last such signal, pushes the demand
  /// that was deferred meanwhile.
  @inline(__always)
  func noteHeard(_ stage: Stage) {
    stage.unheardCount -= 1
    if stage.unheardCount == 0, stage.deferredDemand > .none {
      stack.push(Work(.demand, stage, demand: stage.deferredDemand))
      stage.deferredDemand = .none
    }
  }

  /// Fails a stage that has set a timer for an instant that time never reaches.
  func endTime(of stage: Stage, timer: Int) {
    guard !stage.isEnded else { return }
    endRoutes()
    let node = stage.node(ofTimer: timer)
    fail(
      stage,
      StreamFailure(
        .timeEnded, "'\(node.name)' set a timer more than 292 years after the start, which is the limit",
        pointer: node.pointer))
  }

  /// Pushes the failure of a stage that did not request it as an effect.
  private func fail(_ stage: Stage, _ failure: StreamFailure) {
    stage.unheardCount += 1
    stack.push(Work(.fail, stage, failure: failure))
  }

  /// Sends a signal to a stage; if the stage throws, its stream fails.
  private func signal(_ stage: Stage, _ mark: Int, _ body: (Effects) throws(StreamFailure) -> Void) {
    do throws(StreamFailure) {
      try body(effects(for: stage))
      stack.arrange(since: mark)
    } catch {
      stack.truncate(to: mark)
      fail(stage, with: error)
    }
  }

  /// Skips a value that made a stage fail, or fails the stage. Returns the event for the host, if any.
  func refuse(_ error: StreamFailure, at stage: Stage, from port: Int, _ mark: Int) -> ExecutionEvent? {
    stack.truncate(to: mark)
    let failure = error.located(at: stage.node.pointer)
    guard stage.skipsFailures(self) else {
      stage.prepareToFail(effects(for: stage))
      fail(stage, failure)
      return nil
    }
    signal(stage, mark) { effects throws(StreamFailure) in try stage.skip(.value, on: port, effects) }
    return .skipped(failure)
  }

  private func handle(fromHost work: consuming Work, _ stage: Stage, _ mark: Int) {
    let (value, failure, isEnd) = (work.value, work.failure, work.number == 1)
    signal(stage, mark) { effects throws(StreamFailure) in
      if let failure {
        try stage.receive(.failure(failure), on: 0, effects)
      } else if isEnd {
        try stage.receive(.finished, on: 0, effects)
      } else {
        try stage.receive(value, on: 0, effects)
      }
    }
  }

  /// Ends a stage and passes its completion to the next stage, or returns it for the host.
  private func complete(_ stage: Stage, _ completion: Completion) -> ExecutionEvent? {
    if let hub = stage as? MulticastStage { return end(hub, completion) }
    if let coldState, !stage.isHidden { coldState.publicationWatcher?(stage.node, ExecutionEvent(completion)) }
    release(stage, isCancelled: false)
    guard let downstream = stage.downstream else {
      end()
      return ExecutionEvent(completion)
    }
    if downstream.isProbe {
      unsafeDowncast(downstream, to: ProbeStage.self).note(completion, self)
      return complete(downstream, completion)
    }
    let skipped = skippedFailure(completion, from: stage, to: downstream)
    forget(stage.port, of: downstream)
    signal(downstream, stack.count) { effects throws(StreamFailure) in
      if skipped == nil {
        try downstream.receive(completion, on: stage.port, effects)
      } else {
        try downstream.skip(.stream, on: stage.port, effects)
      }
    }
    return skipped.map(ExecutionEvent.skipped)
  }

  /// Returns the failure of a source that an operator has started for a value, if the operator skips such values.
  private func skippedFailure(
    _ completion: Completion, from stage: Stage, to downstream: Stage
  ) -> StreamFailure? {
    guard case .failure(let failure) = completion, let source = coldState?.failureOfSource, failure == source else {
      return nil
    }
    // A source within a group or a window was started for none of its values.
    guard let value = downstream.innerFrame(on: stage.port)?.startingValue, downstream.skipsFailures(self) else {
      return nil
    }
    return failure.located(for: value)
  }

  /// Ends a shared stream for a reason internal to the engine, and completes its subscribers.
  private func end(_ hub: MulticastStage, _ completion: Completion) -> ExecutionEvent? {
    signal(hub, stack.count) { effects throws(StreamFailure) in hub.receive(completion, on: 0, effects) }
    return nil
  }

  /// Sends a value to the running subscribers of the source that a stage feeds for the stream on a port.
  private func feed(_ value: Value, to port: Int, of stage: Stage, _ mark: Int) {
    guard let frame = stage.innerFrame(on: port) else { return }
    let feeders = frame.runningFeeders()
    for feeder in feeders { stack.push(Work(.input, feeder, value: value)) }
    stack.arrange(since: mark)
    // With more demand the stream would have subscribed by now, after the values of a `prepend` for instance.
    guard feeders.isEmpty, let count = frame.unheard?.count, let stream = stage.upstream(on: port) else { return }
    guard waitsForDemand(stream) else { return noteDrop(by: stage.node, .early) }
    guard count < Backlog.defaultLimit else {
      return fail(
        stage,
        StreamFailure(
          .limitExceeded, "\(count) values wait for a stream that does not subscribe to them",
          pointer: stage.node.pointer, value: value))
    }
    frame.unheard?.append(value)
  }

  /// Whether one of the sources of a stream that have not ended would have ended with more demand.
  ///
  /// An operator whose upstreams have all ended counts as a source.
  private func waitsForDemand(_ last: Stage) -> Bool {
    var stages = [last]
    while let stage = stages.popLast() {
      let shared = (stage as? SharedStage).flatMap { $0.frame.hubs[$0.number] }
      let upstreams = (shared ?? stage).upstreams.compactMap(\.stage)
      if upstreams.isEmpty, stage.endsWithDemand, timers(of: stage).isEmpty, stage.callIDs.isEmpty { return true }
      stages += upstreams
    }
    return false
  }

  private func subscribe(_ stage: Stage, to number: Int, on port: Int, capturing values: [Value]?) {
    let upstreams = stage.node.upstreams
    guard upstreams.indices.contains(number), stage.upstream(on: port) == nil else { return }
    guard stageCount < Self.stageLimit else {
      fail(
        stage,
        StreamFailure(
          .limitExceeded, "more than \(Self.stageLimit) operators and sources are active at once",
          pointer: stage.node.pointer))
      return
    }
    let node = upstreams[number]
    var inner: Frame?
    if let values {
      inner = Frame(number: frameCount, outer: stage.frame, values: values)
      frameCount += 1
    }
    let frame = (inner ?? stage.frame).ancestor(at: node.frameDepth)
    // Near the limit, operators are not fused, so that exactly the operator beyond the limit fails.
    let fits = stageCount + node.weight <= Self.stageLimit
    let upstream = (fits ? node : node.plain).makeStage(downstream: stage, port: port, frame: frame, self)
    stageCount += 1
    stage.setUpstream(upstream, on: port, frame: inner)
    stack.push(Work(.start, upstream.unprobed))
    upstream.reportStart(self)
  }

  private func request(_ demand: Demand, from port: Int, of stage: Stage) {
    guard let upstream = stage.upstream(on: port), !stage.isUnlimited(port) else { return }
    if demand.isUnlimited { stage.setUnlimited(true, on: port) }
    // The request passes by probes.
    if upstream.isProbe { return request(demand, from: 0, of: upstream) }
    stack.push(Work(.demand, upstream, demand: demand))
  }

  func cancelUpstream(of stage: Stage, on port: Int) {
    guard let upstream = stage.upstream(on: port) else { return }
    // NB: Release the upstream first: it reads its frame, which the port retains.
    release(upstream)
    forget(port, of: stage)
  }

  /// Removes the upstream of a port, and ends the streams shared within the frame that was created for the port.
  private func forget(_ port: Int, of stage: Stage) {
    let frame = stage.innerFrame(on: port)
    stage.setUpstream(nil, on: port)
    if let frame, !frame.hubs.isEmpty { release(nil, dropHubs(of: frame)) }
  }

  /// Ends the shared streams of a frame and returns their upstreams.
  private func dropHubs(of frame: Frame) -> [Stage] {
    let hubs = frame.hubs.values
    frame.hubs = [:]
    var sources: [Stage] = []
    for hub in hubs {
      hub.isEnded = true
      ended.append(hub)
      sources += hub.upstreams.compactMap(\.stage)
      hub.removeUpstreams()
    }
    return sources
  }

  /// Ends a stage and everything upstream of it without a completion. Iterative: a pipeline may be of any length.
  ///
  /// - Parameter isCancelled: Whether the stage is canceled; the stages upstream of it always are.
  func release(_ stage: Stage, isCancelled: Bool = true) { release(stage, [], areCanceled: isCancelled) }

  /// - Parameters:
  ///   - first: The stage to release first; the others follow from the last to the first.
  ///   - areCanceled: Whether the first stage is canceled; the stages upstream of it always are.
  private func release(_ first: Stage?, _ others: [Stage], areCanceled: Bool = true) {
    endRoutes()
    var doomed = others
    var areCanceled = areCanceled
    // Retains the frames until all stages are released: a stage reads its frame, which an earlier stage retained.
    var frames: [Frame] = []
    // NB: The single upstream of the previous stage, which needs no array.
    var following = first
    while let next = following ?? doomed.popLast() {
      following = nil
      guard !next.isEnded else { continue }
      let isCancelled = areCanceled
      if isCancelled {
        let notes = next.cancellationNotes()
        if !notes.isEmpty { lastNotes += notes }
      }
      areCanceled = true
      next.isEnded = true
      if !next.callIDs.isEmpty { takeBackCalls(of: next) }
      // With the execution, all work ends that may refer to the stage.
      if !isEnded { ended.append(next) }
      releaseTimers(of: next)
      next.reportEnd(self, isCancelled: isCancelled)
      if let source = next.leave(self) { doomed.append(source) }
      if next.coldState == nil {
        following = next.upstream(on: 0)
      } else {
        for upstream in next.upstreams {
          if let stage = upstream.stage { doomed.append(stage) }
          if let frame = upstream.frame {
            frames.append(frame)
            if !frame.hubs.isEmpty { doomed += dropHubs(of: frame) }
          }
        }
      }
      next.removeUpstreams()
    }
  }

  /// Discards the ended stages to which nothing on the stack refers.
  func sweepEnded() {
    defer { endedLimit = max(Self.leastEndedLimit, 2 * ended.count, stack.count) }
    guard stack.count > 0 else { return ended.removeAll() }
    var referred: Set<ObjectIdentifier> = []
    stack.forEach { work in referred.insert(ObjectIdentifier(work.stage)) }
    ended.removeAll { !referred.contains(ObjectIdentifier($0)) }
  }

  /// Ends the execution; discards its stages, work, timers and pending host events.
  func end() {
    isEnded = true
    endRoutes()
    if hasStarted, let root { release(root) }
    root = nil
    if let frame = coldState?.rootFrame, !frame.hubs.isEmpty { release(nil, dropHubs(of: frame)) }
    stack.removeAll()
    ended.removeAll()
    guard let coldState else { return }
    coldState.timers.removeAll()
    coldState.idleTimers.removeAll()
    coldState.pending.removeAll()
  }
}
