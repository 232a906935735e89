internal import CEL
internal import DequeModule
public import StreamCore

extension Execution {
  /// Creates an execution of the same pipeline that continues from a snapshot.
  ///
  /// The snapshot may be untrusted. Everything a run relies on is checked first: the references between stages, frames
  /// and shared streams; the state of every operator and source against its fields; ports, timers, work and calls. A
  /// restored execution never traps, whatever the snapshot contains.
  ///
  /// - Throws: `snapshotMismatch`, or the error of a part that cannot be decoded.
  public convenience init(_ pipeline: Pipeline, restoring snapshot: Snapshot) throws(Diagnostics) {
    try self.init(pipeline, restoring: snapshot.saved)
  }

  convenience init(_ pipeline: Pipeline, restoring snapshot: SavedExecution) throws(Diagnostics) {
    self.init(pipeline, origin: snapshot.origin, skipsErrors: snapshot.skipsErrors)
    _ = try SnapshotCheck(snapshot, of: pipeline)
    time = snapshot.time
    ensureColdState().dueTime = snapshot.dueTime ?? ColdState.beforeStart
    ensureColdState().firesNextTimer = snapshot.firesNextTimer ?? false
    ensureColdState().timerTicket = snapshot.timerTicket
    ensureColdState().ticket = max(0, min(snapshot.ticket, TicketRank.largestRestored))
    hasStarted = snapshot.hasStarted
    isAskedForAll = snapshot.isAskedForAll ?? true
    if let drops = snapshot.drops { ensureColdState().drops = drops }
    if let failure = snapshot.failureOfSource { ensureColdState().failureOfSource = failure }
    let frames = restoreFrames(snapshot.frames)
    let stages = try restoreStages(snapshot, in: frames)
    restoreReferences(snapshot, stages, frames)
    try restoreWork(snapshot, stages)
    restoreHostEvents(snapshot)
    restoreCalls(snapshot, stages)
    if !snapshot.notes.isEmpty { lastNotes = Deque(snapshot.notes) }
    if let held = snapshot.heldEvent { heldEvent = held.event }
    // An execution that has ended has no stages.
    if snapshot.isEnded {
      root = nil
      end()
    }
  }

  private func restoreFrames(_ saved: [SavedExecution.SavedFrame]) -> [Frame] {
    var frames = [rootFrame]
    for entry in saved.dropFirst() {
      frames.append(Frame(number: frameCount, outer: entry.outer.map { frames[$0] }, values: entry.values))
      frameCount += 1
    }
    return frames
  }

  /// Builds the stages, downstream first.
  ///
  /// Stages do not retain their frames. The port that a stage feeds retains the frame that was created for the stage,
  /// or the stage shares the frame of its downstream: `SnapshotCheck` has verified this.
  private func restoreStages(_ snapshot: SavedExecution, in frames: [Frame]) throws(Diagnostics) -> [Stage] {
    let chains = SavedChains(snapshot)
    var stages: [Stage] = []
    for (index, entry) in snapshot.stages.enumerated() {
      // An operator of a segment that is already restored.
      if index < stages.count { continue }
      let downstream = entry.downstream.map { stages[$0] }
      let found = try node(of: entry, downstream, frames)
      let node = found.unprobed
      let stage: Stage
      var feeder: Stage?
      // Whether the operators of a segment have restored their states.
      var hasState = false
      if entry.shared != nil, let shared = node as? SharedNode {
        let hub = MulticastStage(shared.sharing, node: node, frame: frames[entry.frame])
        frames[entry.frame].hubs[shared.number] = hub
        stage = hub
      } else {
        let chain = (node as? SegmentNode).flatMap { $0.isOpen ? chains.chain(from: index, of: $0.segment) : nil }
        let form = node is SegmentNode && chain == nil ? node.plain : node
        let frame = frames[entry.frame]
        (feeder, stage) = try restoreProbes(
          of: found, downstream, port: entry.port, frame, isUnlimited: entry.isUnlimited
        ) { downstream, port in form.makeStage(downstream: downstream, port: port, frame: frame, self) }
        stageCount += 1
        if let chain, let segment = stage as? SegmentStage {
          try segment.restoreOperators(chain, self)
          hasState = true
          for _ in chain.entries.dropFirst() { stages.append(stage) }
        }
      }
      stages.append(stage)
      stage.deferredDemand = entry.deferredDemand
      if !hasState { try stage.restoreState(entry.state) }
      if let downstream {
        downstream.setUpstream(feeder ?? stage, on: entry.port, frame: entry.portFrame.map { frames[$0] })
        downstream.setUnlimited(entry.isUnlimited, on: entry.port)
      } else if entry.shared == nil {
        root = feeder ?? stage
      }
      for timer in entry.timers {
        if let every = timer.every {
          ensureColdState().idleTimers.set(
            timer.timer, of: stage, at: timer.deadline, ticket: timer.ticket, every: Interval(nanoseconds: every),
            firings: timer.firings)
        } else {
          ensureColdState().timers.set(timer.timer, of: stage, at: timer.deadline, ticket: timer.ticket)
        }
      }
    }
    return stages
  }

  /// Returns the node of a saved stage; a fused node if the pipeline is fused.
  private func node(
    of entry: SavedExecution.SavedStage, _ downstream: Stage?, _ frames: [Frame]
  ) throws(Diagnostics) -> PipelineNode {
    let node: PipelineNode
    if let number = entry.shared {
      node = pipeline.shared[number]
    } else if let downstream {
      guard downstream.node.upstreams.indices.contains(entry.upstream), downstream.upstream(on: entry.port) == nil,
        downstream.canBeFed(by: entry.upstream, on: entry.port)
      else {
        throw Diagnostics([Self.mismatch("no operator receives the values of its '\(entry.name)'")])
      }
      node = downstream.node.upstreams[entry.upstream]
    } else {
      node = pipeline.root
    }
    // After its first operators have ended, a segment has another upstream than its last operator alone.
    guard entry.name == node.name, frames[entry.frame].depth == node.frameDepth else {
      throw Diagnostics([Self.mismatch("expected '\(node.name)', found '\(entry.name)'")])
    }
    return node
  }

  private func restoreReferences(_ snapshot: SavedExecution, _ stages: [Stage], _ frames: [Frame]) {
    for (stage, saved) in zip(stages, snapshot.stages) {
      guard let hub = stage as? MulticastStage else { continue }
      hub.subscribers = (saved.subscribers ?? []).compactMap { stages[$0] as? SharedStage }
    }
    for (frame, saved) in zip(frames, snapshot.frames) where frame !== pipeline.commonFrame {
      frame.feedEnd = saved.feedEnd
      for place in saved.feeders { if let stage = stages[place] as? FeedStage { frame.join(stage) } }
      if saved.feeders.isEmpty { frame.unheard = saved.hasOnlyEndedFeeders == true ? nil : saved.unheard ?? [] }
    }
    for (index, input) in snapshot.inputs.enumerated() {
      inputs[index].current = input.current
      inputs[index].completion = input.completion
      for place in input.subscribers { if let stage = stages[place] as? InputStage { inputs[index].join(stage) } }
    }
  }

  private func restoreWork(_ snapshot: SavedExecution, _ stages: [Stage]) throws(Diagnostics) {
    for saved in snapshot.work {
      let stage = stages[saved.stage]
      if saved.kind == .subscribe || saved.kind == .subscribeInner {
        guard stage.canBeFed(by: saved.upstream, on: saved.number) else {
          throw Diagnostics([Self.mismatch("its '\(stage.node.name)' subscribes to an upstream that does not exist")])
        }
      }
      if saved.kind.isSaid { stage.unheardCount += 1 }
      stack.push(
        Work(
          saved.kind, stage, number: saved.number, upstream: saved.upstream, demand: saved.demand,
          value: saved.value, failure: saved.failure))
    }
  }

  private func restoreHostEvents(_ snapshot: SavedExecution) {
    for event in snapshot.pending {
      let kind: HostEvent.Kind =
        switch event.completion {
        case .failure(let failure) where event.isResult: .result(.failure(failure))
        case let completion? where !event.isResult: .completion(completion)
        default: event.isResult ? .result(.success(event.value ?? .null)) : .value(event.value ?? .null)
        }
      ensureColdState().pending.append(HostEvent(time: event.time, input: event.input, kind: kind))
    }
  }

  private func restoreCalls(_ snapshot: SavedExecution, _ stages: [Stage]) {
    // Call numbers are never reused.
    let highest = max(snapshot.callCount, (snapshot.calls.map(\.call.id).max() ?? -1) + 1)
    if highest > 0 { callCount = highest }
    for saved in snapshot.calls {
      calls[saved.call.id] = OpenCall(call: saved.call, stage: stages[saved.stage])
      stages[saved.stage].callIDs.append(saved.call.id)
    }
  }

  /// - Parameter why: The mismatch; follows "the snapshot is damaged or belongs to another pipeline:" in the message.
  static func mismatch(_ why: String) -> Diagnostic {
    Diagnostic(.snapshotMismatch, "the snapshot is damaged or belongs to another pipeline: \(why)")
  }
}
