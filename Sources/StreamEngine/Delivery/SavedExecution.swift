internal import CEL
internal import DequeModule
internal import StreamCore

/// The complete state of a running execution: the contents of a `Snapshot`.
struct SavedExecution: Codable, Sendable {
  var time: StreamTime
  /// Nil before the timers of the first instant have fired.
  var dueTime: StreamTime?
  /// Whether the next timer is to fire; nil if not.
  var firesNextTimer: Bool?
  /// The ticket of the timer that has caused the work; nil for an event of the host, and without work.
  var timerTicket: Int64?
  var origin: Timestamp
  var skipsErrors: Bool
  var ticket: Int64
  var hasStarted: Bool
  var isEnded: Bool
  /// The frames of the stages, each after the frame around it. The first one is the root frame.
  var frames: [SavedFrame]
  var stages: [SavedStage]
  var inputs: [SavedInput]
  var work: [SavedWork]
  var pending: [SavedHostEvent]
  var calls: [SavedCall]
  var callCount: Int64
  /// Notes of operators that were canceled, not yet delivered.
  var notes: [HookEvent]
  /// The event that is delivered after the notes.
  var heldEvent: HeldEvent?
  /// Whether the host has requested all values; nil in older snapshots, whose hosts have.
  var isAskedForAll: Bool?
  /// The values that have been dropped; nil if there are none.
  var drops: [Execution.DroppedValues]?
  /// The latest failure of an expression of a source, which may wait in an operator such as `delay`; nil if there is
  /// none.
  var failureOfSource: StreamFailure?
  /// The values that wait for their time before they reach the stream; nil if there are none.
  var waiting: Value?

  /// Whether no work is pending.
  var isAtRest: Bool { work.isEmpty && notes.isEmpty && heldEvent == nil }

  /// An event of the stream, in the form of a snapshot.
  enum HeldEvent: Codable, Sendable {
    case value(Value)
    case completion(Completion)
    case skipped(StreamFailure)
    case call(Call)
    case noted(HookEvent)

    init(_ event: ExecutionEvent) {
      switch event {
      case .value(let value): self = .value(value)
      case .finished: self = .completion(.finished)
      case .failure(let failure): self = .completion(.failure(failure))
      case .skipped(let failure): self = .skipped(failure)
      case .call(let call): self = .call(call)
      case .noted(let note): self = .noted(note)
      }
    }

    var event: ExecutionEvent {
      switch self {
      case .value(let value): .value(value)
      case .completion(let completion): ExecutionEvent(completion)
      case .skipped(let failure): .skipped(failure)
      case .call(let call): .call(call)
      case .noted(let note): .noted(note)
      }
    }
  }

  /// A frame, with the values that its stages were started for.
  struct SavedFrame: Codable, Sendable {
    /// The frame around it, as index in `frames`; nil for the root frame.
    var outer: Int?
    var values: [Value]
    /// The stages that receive the feed, as indices in `stages`, in order of subscription.
    var feeders: [Int]
    var feedEnd: Completion?
    /// The values that wait for the first subscription to the feed; nil if there are none.
    var unheard: [Value]?
    /// True if there were subscriptions to the feed and all of them have ended, nil otherwise.
    var hasOnlyEndedFeeders: Bool?
  }

  /// A stage. The list of stages is flat, since a pipeline may have any length.
  struct SavedStage: Codable, Sendable {
    var name: String
    /// The index of the stage downstream, which precedes this one; nil for the last stage of the stream.
    var downstream: Int?
    /// The port of `downstream` that it feeds.
    var port: Int
    /// Its index among the upstreams of `downstream`.
    var upstream: Int
    /// Whether all its values have been requested.
    var isUnlimited: Bool
    /// Its frame, as index in `frames`.
    var frame: Int
    /// The frame created for its subscription, as index in `frames`; nil if none was created.
    var portFrame: Int?
    /// The number of the shared stream that this stage is, and its subscribers, as indices in `stages`; nil for others.
    var shared: Int?
    var subscribers: [Int]?
    /// Demand that arrived while one of its events was still undelivered.
    var deferredDemand: Demand
    var state: Value
    var timers: [SavedTimer]
  }

  struct SavedTimer: Codable, Sendable {
    var timer: Int
    var deadline: StreamTime
    var ticket: Int64
    /// Nanoseconds between the times of an idle timer; nil for other timers.
    var every: Int64?
    /// The last firings of an idle timer that keeps them.
    var firings: IdleFirings?
  }

  struct SavedInput: Codable, Sendable {
    var current: Value?
    var completion: Completion?
    /// The subscribed stages, as indices in `stages`, in order of subscription.
    var subscribers: [Int]
  }

  struct SavedWork: Codable, Sendable {
    var kind: Work.Kind
    /// The stage, as index in `stages`.
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
    /// Whether it is the result of a call; `input` is then the number of the call.
    var isResult: Bool
  }

  struct SavedCall: Codable, Sendable {
    var call: Call
    /// The stage that waits for the result, as index in `stages`.
    var stage: Int
  }
}

extension Execution {
  /// Returns a snapshot of the execution, which continues unchanged.
  public func snapshot() throws -> Snapshot { Snapshot(saved: try save().execution) }

  /// Returns the saved execution, and the nodes of its stages in their order.
  func save() throws -> (execution: SavedExecution, nodes: [PipelineNode]) {
    var saved: [SavedExecution.SavedStage] = []
    var nodes: [PipelineNode] = []
    var places: [ObjectIdentifier: Int] = [:]
    // The index of the first operator of each segment, which receives the upstream values.
    var receivers: [ObjectIdentifier: Int] = [:]
    var frames = FrameList()
    _ = frames.place(of: rootFrame)
    // Downstream first: a stage precedes the stages that feed it.
    var next = hasStarted ? root.map { rootFrame.hubsInOrder + [$0] } ?? [] : []
    var hubs: [(place: Int, hub: MulticastStage)] = []
    while let feeder = next.popLast() {
      // A snapshot has no probes: a value that waits in one is saved as an undelivered value of its operator.
      let stage = feeder.unprobed
      stage.prepareToSave(self)
      var probe = feeder
      while probe !== stage, let behind = probe.upstream(on: 0) {
        places[ObjectIdentifier(probe)] = saved.count
        probe = behind
      }
      places[ObjectIdentifier(stage)] = saved.count
      if let hub = stage as? MulticastStage { hubs.append((saved.count, hub)) }
      let downstream = feeder.downstream.flatMap { downstream in
        receivers[ObjectIdentifier(downstream)] ?? places[ObjectIdentifier(downstream)]
      }
      saved.append(
        SavedExecution.SavedStage(
          name: stage.node.name, downstream: downstream,
          port: feeder.port, upstream: Self.upstreamNumber(of: feeder),
          isUnlimited: feeder.downstream?.isUnlimited(feeder.port) ?? false,
          frame: frames.place(of: stage.frame),
          portFrame: feeder.downstream?.innerFrame(on: feeder.port).map { frames.place(of: $0) },
          deferredDemand: stage.deferredDemand, state: try stage.saveState(),
          timers: timers(of: stage)))
      nodes.append(stage.node)
      if stage.isSegment, let segment = stage as? SegmentStage {
        saved += try segment.savedOperators(at: saved.count - 1, in: frames.place(of: stage.frame))
        nodes += segment.savedNodes
        receivers[ObjectIdentifier(stage)] = saved.count - 1
      }
      next += stage.upstreams.compactMap(\.stage).reversed()
      for upstream in stage.upstreams { next += upstream.frame?.hubsInOrder ?? [] }
    }
    for (place, hub) in hubs {
      saved[place].shared = (hub.node as? SharedNode)?.number
      saved[place].subscribers = hub.subscribers.compactMap { places[ObjectIdentifier($0)] }
    }
    var work: [SavedExecution.SavedWork] = []
    stack.forEach { item in
      let asks = item.kind == .request || item.kind == .cancel || item.kind == .subscribe
      let id = ObjectIdentifier(item.stage)
      guard let place = (asks ? receivers[id] : nil) ?? places[id] else { return }
      work.append(
        SavedExecution.SavedWork(
          kind: item.kind, stage: place, number: item.number, upstream: item.upstream, demand: item.demand,
          value: item.value, failure: item.failure))
    }
    let execution = SavedExecution(
      time: time, dueTime: coldState.flatMap { $0.dueTime < .zero ? nil : $0.dueTime },
      firesNextTimer: coldState?.firesNextTimer == true ? true : nil,
      timerTicket: stack.count > 0 ? coldState?.timerTicket : nil,
      origin: origin, skipsErrors: skipsErrors,
      ticket: coldState?.ticket ?? 0, hasStarted: hasStarted,
      isEnded: isEnded,
      frames: frames.all.map { frame in
        SavedExecution.SavedFrame(
          outer: frame.outer.map { frames.place(of: $0) }, values: frame.values,
          feeders: frame.feeders.compactMap { places[ObjectIdentifier($0)] }, feedEnd: frame.feedEnd,
          unheard: frame.unheard?.isEmpty == false ? frame.unheard : nil,
          hasOnlyEndedFeeders: frame.unheard == nil && frame.feeders.allSatisfy(\.isEnded) ? true : nil)
      },
      stages: saved,
      inputs: inputs.all(pipeline.inputs.count).map { input in
        SavedExecution.SavedInput(
          current: input.current, completion: input.completion,
          subscribers: input.subscribers.compactMap { places[ObjectIdentifier($0)] })
      },
      work: work,
      pending: (coldState?.pending ?? []).map { event in
        switch event.kind {
        case .value(let value), .result(.success(let value)):
          SavedExecution.SavedHostEvent(time: event.time, input: event.input, value: value, isResult: event.isResult)
        case .completion(let completion):
          SavedExecution.SavedHostEvent(time: event.time, input: event.input, completion: completion, isResult: false)
        case .result(.failure(let failure)):
          SavedExecution.SavedHostEvent(
            time: event.time, input: event.input, completion: .failure(failure), isResult: true)
        }
      },
      calls: calls.values.sorted { $0.call.id < $1.call.id }.compactMap { open in
        places[ObjectIdentifier(open.stage)].map { SavedExecution.SavedCall(call: open.call, stage: $0) }
      },
      callCount: callCount, notes: lastNotes.isEmpty ? [] : Array(lastNotes),
      heldEvent: heldEvent.map(SavedExecution.HeldEvent.init),
      isAskedForAll: isAskedForAll,
      drops: drops.isEmpty ? nil : drops, failureOfSource: coldState?.failureOfSource)
    return (execution, nodes)
  }

  private static func upstreamNumber(of stage: Stage) -> Int {
    guard let upstreams = stage.downstream?.node.upstreams else { return 0 }
    if upstreams.indices.contains(stage.port), upstreams[stage.port].isSame(stage.node) { return stage.port }
    return upstreams.firstIndex { $0.isSame(stage.node) } ?? 0
  }
}

/// The frames of an execution; each frame follows the frames around it.
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
