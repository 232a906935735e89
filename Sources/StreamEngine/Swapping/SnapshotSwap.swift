internal import CEL
package import StreamCore

/// Transfers the snapshot of a running stream to another version of its pipeline.
///
/// Traverses the new pipeline from the host to the sources. A stage that was running and is unchanged according to the
/// plan continues with its state, its timers and its calls; stages between such stages are started, and receive the
/// demand that the stages downstream still have. The pending work of stages that continue is kept.
struct SnapshotSwap {
  let old: OldStages
  let snapshot: SavedExecution
  let oldPipeline: Pipeline
  let pipeline: Pipeline
  let plan: SwapPlan
  /// The key of each old stage, by index.
  let oldKeys: [NodeKey?]
  /// The nesting depth of each frame.
  let depths: [Int]

  private(set) var stages: [SavedExecution.SavedStage] = []
  private(set) var nodes: [PipelineNode] = []
  /// The shared streams of the snapshot.
  private(set) var hubs: SwapHubs
  /// The number of each shared stream in the new pipeline, by index in the old list; only of streams that can continue.
  private(set) var sharedNumbers: [Int: Int] = [:]
  /// The new index of each old stage that continues, by old index.
  private(set) var places: [Int: Int] = [:]
  /// The new stage in the position of each old feeder, by old index: it publishes the old stage's undelivered events.
  private(set) var heirs: [Int: Int] = [:]
  var obstacles: [Int: SwapObstacle] = [:]
  private(set) var edges: [SwapEdge] = []
  /// The work that precedes the saved work: starts, then requests, then completions of streams that had ended.
  var starts: [SavedExecution.SavedWork] = []
  var requests: [SavedExecution.SavedWork] = []
  var endings: [SavedExecution.SavedWork] = []

  private init(
    _ snapshot: SavedExecution, from oldPipeline: Pipeline, to pipeline: Pipeline, _ plan: SwapPlan
  ) throws(Diagnostics) {
    self.snapshot = snapshot
    self.oldPipeline = oldPipeline
    self.pipeline = pipeline
    self.plan = plan
    old = try OldStages(snapshot, of: oldPipeline)
    oldKeys = old.nodes.map(plan.oldKey)
    var depths: [Int] = []
    for frame in snapshot.frames {
      depths.append(frame.outer.map { depths.indices.contains($0) ? depths[$0] + 1 : 0 } ?? 0)
    }
    self.depths = depths
    hubs = SwapHubs(snapshot)
    sharedNumbers = sharedNumbersOfHubs()
  }

  /// Swaps a saved stream.
  ///
  /// - Parameter demand: The unsatisfied demand of the host; nil to derive it from the snapshot.
  static func swap(
    _ snapshot: SavedExecution, from oldPipeline: Pipeline, to pipeline: Pipeline, demand: Demand?, _ plan: SwapPlan
  ) throws(Diagnostics) -> SwapResult {
    var swap = try SnapshotSwap(snapshot, from: oldPipeline, to: pipeline, plan)
    let result = swap.run(demand)
    do throws(Diagnostics) {
      _ = try Execution(pipeline, restoring: result.saved)
      return result
    } catch {
      // If the result cannot be restored, the whole stream starts again.
      swap = try SnapshotSwap(snapshot, from: oldPipeline, to: pipeline, plan.keepingNothing)
      return swap.run(demand)
    }
  }

  mutating func run(_ demand: Demand?) -> SwapResult {
    if snapshot.hasStarted, !snapshot.isEnded { connectAll(demand) }
    var result = snapshot
    result.stages = stages
    result.inputs = inputs()
    result.frames = snapshot.frames.map { frame in
      var frame = frame
      frame.feeders = frame.feeders.compactMap { places[$0] }
      return frame
    }
    result.work = work()
    result.pending = pending()
    result.calls = snapshot.calls.compactMap { call in
      places[call.stage].map { SavedExecution.SavedCall(call: call.call, stage: $0) }
    }
    let waiting = Set(result.calls.map(\.call.id))
    return SwapResult(
      saved: result, fates: fates(),
      canceledCalls: snapshot.calls.map(\.call.id).filter { !waiting.contains($0) })
  }

  mutating func connectAll(_ demand: Demand?) {
    guard let root = old.root else { return }
    edges.append(
      SwapEdge(
        downstream: nil, port: 0, node: pipeline.root.plain, upstream: 0, feeder: root,
        demand: demand ?? old.owed(root) ?? Demand(1), frame: 0, portFrame: nil))
    connectEdges()
    // A shared stream continues if one of its subscribers does. Shared streams may be nested.
    while let hub = hubs.next() {
      guard goesOn(hub) else { continue }
      takeUpShared(hub)
      connectEdges()
    }
    for place in places.keys where snapshot.stages[place].shared != nil {
      guard let now = places[place] else { continue }
      stages[now].subscribers = (snapshot.stages[place].subscribers ?? []).compactMap { places[$0] }
    }
  }

  mutating func connectEdges() {
    while let edge = edges.popLast() { connect(edge) }
  }

  // MARK: Stages

  mutating func connect(_ edge: SwapEdge) {
    let line = SwapLine(
      edge, in: old, plan, key: { oldKeys[$0] }, partner: partner,
      probe: { StartProbe($0, of: pipeline, like: snapshot, demand: $1) })
    var (downstream, port, upstream, portFrame) = (edge.downstream, edge.port, edge.upstream, edge.portFrame)
    var frame = edge.frame
    var feeder = Optional(edge.feeder)
    for step in line.steps {
      let place = stages.count
      if let feeder { heirs[feeder] = place }
      feeder = step.kept.flatMap { old.main($0)?.place }
      if let kept = step.kept {
        takeUp(step, kept, downstream, port, upstream, portFrame)
        frame = snapshot.stages[kept].frame
        let main = old.main(kept)
        (port, upstream) = (main?.port ?? 0, 0)
        portFrame = main.flatMap { snapshot.stages[$0.place].portFrame }
      } else if let probe = step.probe {
        frame = ancestor(of: portFrame ?? frame, at: step.node.frameDepth)
        begin(
          step.node, downstream, port, upstream, frame, portFrame, state: probe.begun ?? probe.fresh,
          isUnlimited: step.demand.isUnlimited)
        if probe.begun == nil { start(place, asking: step.demand) }
        (port, upstream, portFrame) = (0, 0, nil)
      }
      downstream = place
    }
    note(line.obstacle, from: line.feeder)
    let node = line.steps.last.map { $0.node.upstreams.first?.plain } ?? edge.node
    guard let feeder = line.feeder, let node, line.steps.last?.node.sharedNumber == nil,
      line.steps.last?.kept == nil || line.steps.last?.node.isOfOutputs == false
    else { return }
    heirs[feeder] = stages.count
    beginLine(
      node, downstream, port, upstream, frame, portFrame, asking: line.demand, hasEnded: hasEnded(above: feeder))
  }

  /// Adds a stage that continues.
  mutating func takeUp(
    _ step: SwapLine.Step, _ kept: Int, _ downstream: Int?, _ port: Int, _ upstream: Int, _ portFrame: Int?
  ) {
    let place = stages.count
    var entry = snapshot.stages[kept]
    entry.downstream = downstream
    entry.port = port
    entry.upstream = upstream
    entry.portFrame = portFrame
    entry.isUnlimited = step.isUnlimited
    append(entry, step.node)
    places[kept] = place
    hubs.noteSubscriber(kept)
    if step.more > .none { ask(place, for: step.more) }
    if step.node.isOfOutputs {
      for feeder in old.upstreams[kept] { follow(feeder, of: place) }
      // It subscribes to new outputs, and forgets those that are gone.
      starts.append(Self.work(.start, place))
      return
    }
    let main = old.main(kept)?.place
    for feeder in old.upstreams[kept] where feeder.place != main { follow(feeder, of: place) }
  }

  /// Adds the edge of a stage that continues, to be connected later.
  mutating func follow(_ feeder: OldStages.Feeder, of place: Int) {
    guard let upstream = upstream(feeder.upstream, ofOld: nodes[place]),
      nodes[place].upstreams.indices.contains(upstream)
    else { return }
    edges.append(
      SwapEdge(
        downstream: place, port: feeder.port, node: nodes[place].upstreams[upstream].plain,
        upstream: upstream, feeder: feeder.place, demand: old.owed(feeder.place) ?? Demand(1),
        frame: stages[place].frame, portFrame: snapshot.stages[feeder.place].portFrame))
  }

  /// Adds the single upstream subscription of a shared stream that continues.
  mutating func takeUpShared(_ hub: Int) {
    guard let number = sharedNumbers[hub] else { return }
    let place = stages.count
    var entry = snapshot.stages[hub]
    entry.shared = number
    append(entry, pipeline.shared[number])
    places[hub] = place
    hubs.noteTaken(hub)
    for feeder in old.upstreams[hub] { follow(feeder, of: place) }
  }

  /// Whether a shared stream continues: one of its subscribers does, or it needs none, or it had none when it was
  /// saved. A stream without subscribers may be about to be reset, which is its own work.
  private func goesOn(_ hub: Int) -> Bool {
    guard let number = sharedNumbers[hub], hubs.isInUse(hub) else { return false }
    return hubs.hasSubscriber(hub) || pipeline.shared[number].goesOnUnused
      || (snapshot.stages[hub].subscribers ?? []).isEmpty
  }

  private func sharedNumbersOfHubs() -> [Int: Int] {
    var numbers: [NodeKey: [Int]] = [:]
    for (number, node) in pipeline.shared.enumerated() {
      if let key = plan.newKey(node) { numbers[key, default: []].append(number) }
    }
    var found: [Int: Int] = [:]
    for (hub, entry) in snapshot.stages.enumerated() where entry.shared != nil {
      guard let key = oldKeys[hub] else { continue }
      found[hub] = numbers[key]?.first { number in
        let node = pipeline.shared[number]
        return depth(of: entry.frame) == node.frameDepth && node.takesShared(entry.state, of: pipeline)
      }
    }
    return found
  }

  /// Replaces old stages by new ones. Stages whose start only subscribes and requests are added as already
  /// started, so that they can be part of a fused segment; the first other stage is started by its own work.
  mutating func beginLine(
    _ first: PipelineNode, _ downstream: Int?, _ firstPort: Int, _ firstUpstream: Int, _ firstFrame: Int,
    _ firstPortFrame: Int?, asking firstDemand: Demand, hasEnded: Bool
  ) {
    var (node, downstream, port, upstream) = (first, downstream, firstPort, firstUpstream)
    var (frame, portFrame, demand) = (firstFrame, firstPortFrame, firstDemand)
    while true {
      let place = stages.count
      frame = ancestor(of: portFrame ?? frame, at: node.frameDepth)
      let probe = StartProbe(node, of: pipeline, like: snapshot, demand: demand)
      let next = node.sharedNumber == nil && !hasEnded ? node.upstreams.first?.plain : nil
      let begun = next == nil || plan.isSource(node) ? nil : probe?.begun
      begin(
        node, downstream, port, upstream, frame, portFrame, state: begun ?? probe?.fresh ?? .null,
        isUnlimited: demand.isUnlimited)
      guard begun != nil, let next, let probe else {
        if hasEnded { end(place) } else { start(place, asking: demand) }
        return
      }
      (node, downstream, port, upstream, portFrame, demand) = (next, place, 0, 0, nil, probe.demand)
    }
  }

  mutating func begin(
    _ node: PipelineNode, _ downstream: Int?, _ port: Int, _ upstream: Int, _ frame: Int, _ portFrame: Int?,
    state: Value, isUnlimited: Bool
  ) {
    append(
      SavedExecution.SavedStage(
        name: node.name, downstream: downstream, port: port, upstream: upstream, isUnlimited: isUnlimited,
        frame: frame, portFrame: portFrame, deferredDemand: .none, state: state, timers: []),
      node)
  }

  private mutating func append(_ entry: SavedExecution.SavedStage, _ node: PipelineNode) {
    stages.append(entry)
    nodes.append(node)
    if let frame = entry.portFrame { hubs.noteUse(of: frame) }
  }
}

extension SwapPlan {
  /// The plan in which no part continues.
  var keepingNothing: SwapPlan {
    SwapPlan(oldKey: oldKey, newKey: { _ in nil }, isSource: isSource, convert: convert)
  }
}

extension Snapshot {
  /// Returns the snapshot from which another version of the stream continues, and the fates of this version's parts.
  ///
  /// - Parameters:
  ///   - old: The pipeline of this snapshot.
  ///   - demand: The unsatisfied demand of the host; nil to derive it from the snapshot.
  /// - Throws: `snapshotMismatch` if the snapshot is not of that pipeline.
  package func swapped(
    from old: Pipeline, to new: Pipeline, demand: Demand? = nil, _ plan: SwapPlan
  ) throws(Diagnostics) -> SwapResult {
    try SnapshotSwap.swap(saved, from: old, to: new, demand: demand, plan)
  }
}
