internal import CEL
internal import DequeModule
public import StreamCore

/// A running execution, saved between two events: what it takes to go on elsewhere with the same outputs.
public struct Snapshot: Codable, Sendable {
  var time: StreamTime
  var horizon: StreamTime
  var origin: Timestamp
  var skipsErrors: Bool
  var ticket: Int64
  var hasStarted: Bool
  var isEnded: Bool
  /// What stages were started for; those around a frame come before it. The first is the one of the whole.
  var frames: [SavedFrame]
  var stages: [SavedStage]
  var inputs: [SavedInput]
  var work: [SavedWork]
  var pending: [SavedHostEvent]
  var calls: [SavedCall]
  var callCount: Int64
  /// What operators that were cancelled had still to tell.
  var notes: [Note]
  /// The end, which comes after those.
  var heldEnd: Completion?

  /// Whether nothing is half done.
  package var isAtRest: Bool { work.isEmpty && notes.isEmpty && heldEnd == nil }

  /// What some stages were started for.
  struct SavedFrame: Codable, Sendable {
    /// The frame around it, by place in `frames`; none for that of the whole.
    var outer: Int?
    var values: [Value]
    /// Who hears what is fed, by place in `stages`, in order of subscription.
    var feeders: [Int]
    var feedEnd: Completion?
  }

  /// A stage; the list is flat, since a pipeline may be of any length.
  struct SavedStage: Codable, Sendable {
    var name: String
    /// The place of the stage downstream in the list, which comes before; none for the last stage of the stream.
    var downstream: Int?
    /// The port of `downstream` that it feeds.
    var port: Int
    /// Which of `downstream`'s upstreams it is.
    var upstream: Int
    /// Whether it has been asked for everything.
    var isUnlimited: Bool
    /// What it was started for, by place in `frames`.
    var frame: Int
    /// The frame that was made when it was subscribed to, by place in `frames`, if one was.
    var portFrame: Int?
    /// Of the one subscription behind a shared stream: which of those, and its subscribers, by place in `stages`.
    var shared: Int?
    var subscribers: [Int]?
    /// What was asked for while something that it said was still to be heard.
    var deferredDemand: Demand
    var state: Value
    var timers: [SavedTimer]
  }

  struct SavedTimer: Codable, Sendable {
    var timer: Int
    var deadline: StreamTime
    var ticket: Int64
  }

  struct SavedInput: Codable, Sendable {
    var current: Value?
    var completion: Completion?
    /// The subscribed stages, by place in `stages`, in order of subscription.
    var subscribers: [Int]
  }

  struct SavedWork: Codable, Sendable {
    var kind: Work.Kind
    /// The stage, by place in `stages`.
    var stage: Int
    var number: Int
    var upstream: Int
    var demand: Demand
    var value: Value
    var failure: StreamFailure?
  }

  struct SavedHostEvent: Codable, Sendable {
    var time: StreamTime
    var input: Int
    var value: Value?
    var completion: Completion?
    /// Whether it answers the call whose number stands in place of the input's.
    var isResult: Bool
  }

  struct SavedCall: Codable, Sendable {
    var call: Call
    /// Who waits for the answer, by place in `stages`.
    var stage: Int
  }
}

extension Execution {
  /// Saves everything that the execution knows. Leaves the execution as it is.
  public func snapshot() throws -> Snapshot {
    unfold()
    aside?.keepSent()
    var saved: [Snapshot.SavedStage] = []
    var places: [ObjectIdentifier: Int] = [:]
    // Of a segment, the operator that hears upstream.
    var hearers: [ObjectIdentifier: Int] = [:]
    var frames = FrameList()
    _ = frames.place(of: rootFrame)
    // Downstream first: a stage is found in the list before those that feed it.
    var next = hasStarted ? root.map { rootFrame.hubsInOrder + [$0] } ?? [] : []
    var hubs: [(place: Int, hub: HubStage)] = []
    while let stage = next.popLast() {
      places[ObjectIdentifier(stage)] = saved.count
      if let hub = stage as? HubStage { hubs.append((saved.count, hub)) }
      let downstream = stage.downstream.flatMap { downstream in
        hearers[ObjectIdentifier(downstream)] ?? places[ObjectIdentifier(downstream)]
      }
      saved.append(
        Snapshot.SavedStage(
          name: stage.node.name, downstream: downstream,
          port: stage.port, upstream: Self.upstreamNumber(of: stage),
          isUnlimited: stage.downstream?.isUnlimited(stage.port) ?? false,
          frame: frames.place(of: stage.frame),
          portFrame: stage.downstream?.innerFrame(on: stage.port).map { frames.place(of: $0) },
          deferredDemand: stage.deferredDemand, state: try stage.saveState(),
          timers: aside?.timers.armed(of: stage) ?? []))
      if let segment = stage as? SegmentStage {
        saved += try segment.savedOperators(at: saved.count - 1, in: frames.place(of: stage.frame))
        hearers[ObjectIdentifier(stage)] = saved.count - 1
      }
      next += stage.upstreams.compactMap(\.stage).reversed()
      for upstream in stage.upstreams { next += upstream.frame?.hubsInOrder ?? [] }
    }
    for (place, hub) in hubs {
      saved[place].shared = (hub.node as? SharedNode)?.number
      saved[place].subscribers = hub.subscribers.compactMap { places[ObjectIdentifier($0)] }
    }
    var work: [Snapshot.SavedWork] = []
    stack.forEach { item in
      let asks = item.kind == .request || item.kind == .cancel || item.kind == .subscribe
      let id = ObjectIdentifier(item.stage)
      guard let place = (asks ? hearers[id] : nil) ?? places[id] else { return }
      work.append(
        Snapshot.SavedWork(
          kind: item.kind, stage: place, number: item.number, upstream: item.upstream, demand: item.demand,
          value: item.value, failure: item.failure))
    }
    return Snapshot(
      time: time, horizon: aside?.horizon ?? .zero, origin: origin, skipsErrors: skipsErrors,
      ticket: aside?.ticket ?? 0, hasStarted: hasStarted,
      isEnded: isEnded,
      frames: frames.all.map { frame in
        Snapshot.SavedFrame(
          outer: frame.outer.map { frames.place(of: $0) }, values: frame.values,
          feeders: frame.feeders.compactMap { places[ObjectIdentifier($0)] }, feedEnd: frame.feedEnd)
      },
      stages: saved,
      inputs: inputs.all(pipeline.inputs.count).map { input in
        Snapshot.SavedInput(
          current: input.current, completion: input.completion,
          subscribers: input.subscribers.compactMap { places[ObjectIdentifier($0)] })
      },
      work: work,
      pending: (aside?.pending ?? []).map { event in
        switch event.kind {
        case .value(let value), .result(.success(let value)):
          Snapshot.SavedHostEvent(time: event.time, input: event.input, value: value, isResult: event.isResult)
        case .completion(let completion):
          Snapshot.SavedHostEvent(time: event.time, input: event.input, completion: completion, isResult: false)
        case .result(.failure(let failure)):
          Snapshot.SavedHostEvent(
            time: event.time, input: event.input, completion: .failure(failure), isResult: true)
        }
      },
      calls: calls.values.sorted { $0.call.id < $1.call.id }.compactMap { open in
        places[ObjectIdentifier(open.stage)].map { Snapshot.SavedCall(call: open.call, stage: $0) }
      },
      callCount: callCount, notes: Array(lastNotes), heldEnd: heldEnd.flatMap(Completion.init))
  }

  /// An execution of the same pipeline that goes on where the saved one stood.
  public convenience init(_ pipeline: Pipeline, restoring snapshot: Snapshot) throws(Diagnostics) {
    self.init(pipeline, origin: snapshot.origin, skipsErrors: snapshot.skipsErrors)
    guard snapshot.inputs.count == pipeline.inputs.count else {
      throw Diagnostics([Self.mismatch("it has \(snapshot.inputs.count) inputs, not \(pipeline.inputs.count)")])
    }
    time = max(snapshot.time, .zero)
    rare.horizon = max(snapshot.horizon, .zero)
    // What nobody has counted to leaves room to count on.
    rare.ticket = max(0, min(snapshot.ticket, .max / 2))
    hasStarted = snapshot.hasStarted
    let frames = try restoreFrames(snapshot.frames)
    let stages = try restoreStages(snapshot, in: frames)
    for (stage, saved) in zip(stages, snapshot.stages) {
      guard let hub = stage as? HubStage else { continue }
      hub.subscribers = (saved.subscribers ?? []).compactMap { place in
        stages.indices.contains(place) ? stages[place] as? SharedStage : nil
      }
    }
    for (frame, saved) in zip(frames, snapshot.frames) where frame !== pipeline.commonFrame {
      frame.feedEnd = saved.feedEnd
      frame.feeders = saved.feeders.compactMap { place in
        stages.indices.contains(place) ? stages[place] as? FeedStage : nil
      }
    }
    for (index, input) in snapshot.inputs.enumerated() {
      inputs[index].current = input.current
      inputs[index].completion = input.completion
      for place in input.subscribers where stages.indices.contains(place) {
        if let stage = stages[place] as? InputStage { inputs[index].join(stage) }
      }
    }
    for saved in snapshot.work {
      guard stages.indices.contains(saved.stage), Self.isPort(saved.number), saved.upstream >= 0 else {
        throw Diagnostics([Self.mismatch("its work names no stage")])
      }
      if saved.kind.isSaid { stages[saved.stage].unheardCount += 1 }
      stack.push(
        Work(
          saved.kind, stages[saved.stage], number: saved.number, upstream: saved.upstream, demand: saved.demand,
          value: saved.value, failure: saved.failure))
    }
    for event in snapshot.pending where event.isResult || event.input >= 0 && event.input < snapshot.inputs.count {
      let kind: HostEvent.Kind =
        switch event.completion {
        case .failure(let failure) where event.isResult: .result(.failure(failure))
        case let completion? where !event.isResult: .completion(completion)
        default: event.isResult ? .result(.success(event.value ?? .null)) : .value(event.value ?? .null)
        }
      rare.pending.append(HostEvent(time: event.time, input: event.input, kind: kind))
    }
    if snapshot.callCount > 0 { callCount = min(snapshot.callCount, .max / 2) }
    if !snapshot.notes.isEmpty { lastNotes = Deque(snapshot.notes) }
    for saved in snapshot.calls where stages.indices.contains(saved.stage) {
      calls[saved.call.id] = OpenCall(call: saved.call, stage: stages[saved.stage])
      stages[saved.stage].callIDs.append(saved.call.id)
    }
    if let end = snapshot.heldEnd { heldEnd = ExecutionEvent(end) }
    // What has ended has no stages any more.
    if snapshot.isEnded {
      root = nil
      end()
    }
  }

  /// Whether a stage may have a port, or a timer, of this number: ports are used again, so that there are not many more
  /// than stages.
  private static func isPort(_ number: Int) -> Bool { (0...4 * stageLimit).contains(number) }

  private static func upstreamNumber(of stage: Stage) -> Int {
    guard let upstreams = stage.downstream?.node.upstreams else { return 0 }
    if upstreams.indices.contains(stage.port), upstreams[stage.port].isSame(stage.node) { return stage.port }
    return upstreams.firstIndex { $0.isSame(stage.node) } ?? 0
  }

  private func restoreFrames(_ saved: [Snapshot.SavedFrame]) throws(Diagnostics) -> [Frame] {
    var frames = [rootFrame]
    for entry in saved.dropFirst() {
      guard let outer = entry.outer, frames.indices.contains(outer) else {
        throw Diagnostics([Self.mismatch("one of its frames is within none")])
      }
      frames.append(Frame(number: frameCount, outer: frames[outer], values: entry.values))
      frameCount += 1
    }
    return frames
  }

  private func restoreStages(_ snapshot: Snapshot, in frames: [Frame]) throws(Diagnostics) -> [Stage] {
    let saved = snapshot.stages
    let chains = SavedChains(snapshot)
    var hasRoot = false
    var stages: [Stage] = []
    for (index, entry) in saved.enumerated() {
      guard Self.isPort(entry.port), entry.timers.allSatisfy({ Self.isPort($0.timer) }) else {
        throw Diagnostics([Self.mismatch("its '\(entry.name)' has ports that nothing has")])
      }
      // An operator of a segment that stands already.
      if index < stages.count { continue }
      var downstream: Stage?
      var node = pipeline.root
      if let number = entry.shared {
        guard pipeline.shared.indices.contains(number) else {
          throw Diagnostics([Self.mismatch("it shares a stream that the pipeline does not")])
        }
        node = pipeline.shared[number]
        guard frames.indices.contains(entry.frame), frames[entry.frame].hubs[number] == nil else {
          throw Diagnostics([Self.mismatch("it shares a stream twice")])
        }
      } else if let place = entry.downstream {
        guard stages.indices.contains(place), stages[place].node.upstreams.indices.contains(entry.upstream) else {
          throw Diagnostics([Self.mismatch("nothing takes what its '\(entry.name)' publishes")])
        }
        guard stages[place].upstream(on: entry.port) == nil else {
          throw Diagnostics([Self.mismatch("its '\(entry.name)' has the place of another")])
        }
        downstream = stages[place]
        node = stages[place].node.upstreams[entry.upstream]
      }
      guard entry.name == node.name else {
        throw Diagnostics([Self.mismatch("it has '\(entry.name)' where the pipeline has '\(node.name)'")])
      }
      guard frames.indices.contains(entry.frame), frames[entry.frame].depth == node.frameDepth else {
        throw Diagnostics([Self.mismatch("its '\(entry.name)' was started for something else")])
      }
      let stage: Stage
      if entry.shared != nil, let shared = node as? SharedNode {
        let hub = HubStage(shared.sharing, node: node, frame: frames[entry.frame])
        frames[entry.frame].hubs[shared.number] = hub
        stage = hub
      } else {
        let chain = (node as? SegmentNode).flatMap { chains.chain(from: index, of: $0.segment) }
        let form = node is SegmentNode && chain == nil ? node.plain : node
        stage = form.makeStage(downstream: downstream, port: entry.port, frame: frames[entry.frame], self)
        stageCount += 1
        if let chain, let segment = stage as? SegmentStage {
          try segment.restoreOperators(chain, self)
          for _ in chain.entries.dropFirst() { stages.append(stage) }
        }
      }
      stages.append(stage)
      stage.deferredDemand = entry.deferredDemand
      if !(stage is SegmentStage) { try stage.restoreState(entry.state) }
      for timer in entry.timers {
        rare.timers.set(timer.timer, of: stage, at: timer.deadline, ticket: timer.ticket)
      }
      if let downstream {
        let portFrame = entry.portFrame.flatMap { frames.indices.contains($0) ? frames[$0] : nil }
        downstream.setUpstream(stage, on: entry.port, frame: portFrame)
        downstream.setUnlimited(entry.isUnlimited, on: entry.port)
      } else if entry.shared == nil {
        guard !hasRoot else { throw Diagnostics([Self.mismatch("it has two ends")]) }
        hasRoot = true
        root = stage
      }
    }
    return stages
  }

  static func mismatch(_ why: String) -> Diagnostic {
    Diagnostic(.snapshotMismatch, "the snapshot is of another pipeline: \(why)")
  }
}

/// The frames of an execution, those around a frame before it.
private struct FrameList {
  private(set) var all: [Frame] = []
  private var places: [Int: Int] = [:]

  mutating func place(of frame: Frame) -> Int {
    if let place = places[frame.number] { return place }
    if let outer = frame.outer { _ = place(of: outer) }
    all.append(frame)
    places[frame.number] = all.count - 1
    return all.count - 1
  }
}
