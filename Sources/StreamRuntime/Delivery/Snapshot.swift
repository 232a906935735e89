internal import CEL
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
  var stages: [SavedStage]
  var inputs: [SavedInput]
  var work: [SavedWork]
  var pending: [SavedHostEvent]

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
  }
}

extension Execution {
  /// Saves everything that the execution knows. Leaves the execution as it is.
  public func snapshot() throws -> Snapshot {
    var saved: [Snapshot.SavedStage] = []
    var places: [ObjectIdentifier: Int] = [:]
    // Downstream first: a stage is found in the list before those that feed it.
    var next = root.map { [$0] } ?? []
    while let stage = next.popLast() {
      places[ObjectIdentifier(stage)] = saved.count
      saved.append(
        Snapshot.SavedStage(
          name: stage.node.name, downstream: stage.downstream.flatMap { places[ObjectIdentifier($0)] },
          port: stage.port, upstream: Self.upstreamNumber(of: stage), isUnlimited: stage.downstream?.isUnlimited(stage.port) ?? false,
          state: try stage.saveState(),
          timers: stage.timers.enumerated().compactMap { number, slot in
            slot.isArmed ? Snapshot.SavedTimer(timer: number, deadline: slot.deadline, ticket: slot.ticket) : nil
          }))
      next += stage.upstreams.compactMap(\.stage).reversed()
    }
    return Snapshot(
      time: time, horizon: horizon, origin: origin, skipsErrors: skipsErrors, ticket: ticket, hasStarted: hasStarted,
      isEnded: isEnded, stages: saved,
      inputs: inputs.map { input in
        Snapshot.SavedInput(
          current: input.current, completion: input.completion,
          subscribers: input.subscribers.compactMap { places[ObjectIdentifier($0)] })
      },
      work: stack.items.compactMap { work in
        guard let place = places[ObjectIdentifier(work.stage)] else { return nil }
        return Snapshot.SavedWork(
          kind: work.kind, stage: place, number: work.number, upstream: work.upstream, demand: work.demand, value: work.value,
          failure: work.failure)
      },
      pending: pending.map { event in
        switch event.kind {
        case .value(let value): Snapshot.SavedHostEvent(time: event.time, input: event.input, value: value)
        case .completion(let completion):
          Snapshot.SavedHostEvent(time: event.time, input: event.input, completion: completion)
        }
      })
  }

  /// An execution of the same pipeline that goes on where the saved one stood.
  public convenience init(_ pipeline: Pipeline, restoring snapshot: Snapshot) throws(Diagnostics) {
    self.init(pipeline, origin: snapshot.origin, skipsErrors: snapshot.skipsErrors)
    guard snapshot.inputs.count == pipeline.inputs.count else {
      throw Diagnostics([Self.mismatch("it has \(snapshot.inputs.count) inputs, not \(pipeline.inputs.count)")])
    }
    time = snapshot.time
    horizon = snapshot.horizon
    ticket = snapshot.ticket
    hasStarted = snapshot.hasStarted
    activation.now = Timestamp(seconds: origin.seconds, nanoseconds: Int64(origin.nanoseconds) &+ time.nanoseconds)
    let stages = try restoreStages(snapshot.stages)
    for (index, input) in snapshot.inputs.enumerated() {
      inputs[index].current = input.current
      inputs[index].completion = input.completion
      inputs[index].subscribers = input.subscribers.compactMap { place in
        stages.indices.contains(place) ? stages[place] as? InputStage : nil
      }
    }
    var work: [Work] = []
    for saved in snapshot.work {
      guard stages.indices.contains(saved.stage) else { throw Diagnostics([Self.mismatch("its work names no stage")]) }
      work.append(
        Work(
          saved.kind, stages[saved.stage], number: saved.number, upstream: saved.upstream, demand: saved.demand, value: saved.value,
          failure: saved.failure))
    }
    stack.restore(work)
    for event in snapshot.pending where inputs.indices.contains(event.input) {
      let kind: HostEvent.Kind = event.completion.map { .completion($0) } ?? .value(event.value ?? .null)
      pending.append(HostEvent(time: event.time, input: event.input, kind: kind))
    }
    if snapshot.isEnded { end() }
  }

  private static func upstreamNumber(of stage: Stage) -> Int {
    guard let upstreams = stage.downstream?.node.upstreams else { return 0 }
    if upstreams.indices.contains(stage.port), upstreams[stage.port] === stage.node { return stage.port }
    return upstreams.firstIndex { $0 === stage.node } ?? 0
  }

  private func restoreStages(_ saved: [Snapshot.SavedStage]) throws(Diagnostics) -> [Stage] {
    var stages: [Stage] = []
    for entry in saved {
      var downstream: Stage?
      var node = pipeline.root
      if let place = entry.downstream {
        guard stages.indices.contains(place), stages[place].node.upstreams.indices.contains(entry.upstream) else {
          throw Diagnostics([Self.mismatch("nothing takes what its '\(entry.name)' publishes")])
        }
        downstream = stages[place]
        node = stages[place].node.upstreams[entry.upstream]
      }
      guard entry.name == node.name else {
        throw Diagnostics([Self.mismatch("it has '\(entry.name)' where the pipeline has '\(node.name)'")])
      }
      let stage = node.makeStage(downstream: downstream, port: entry.port)
      stages.append(stage)
      stageCount += 1
      try stage.restoreState(entry.state)
      for timer in entry.timers {
        timers.set(timer.timer, of: stage, at: timer.deadline, ticket: timer.ticket)
      }
      if let downstream {
        downstream.setUpstream(stage, on: entry.port)
        downstream.upstreams[entry.port].isUnlimited = entry.isUnlimited
      } else {
        root = stage
      }
    }
    return stages
  }

  private static func mismatch(_ why: String) -> Diagnostic {
    Diagnostic(.snapshotMismatch, "the snapshot is of another pipeline: \(why)")
  }
}
