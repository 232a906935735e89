internal import StreamCore

// Matches between the two versions.
extension SnapshotSwap {
  /// Returns the old stage, among those with the same key, that continues as a node; nil if none can.
  func partner(_ node: PipelineNode, _ available: [Int]) -> Int? {
    available.first { place in
      let before = old.nodes[place]
      return before.name == node.name
        && (before.upstreams.count == node.upstreams.count || node.isOfOutputs && before.isOfOutputs)
        && depth(of: snapshot.stages[place].frame) == node.frameDepth
        && (before.sharedNumber == nil) == (node.sharedNumber == nil) && hasHub(place, node)
        && node.takes(snapshot.stages[place].state, of: pipeline)
    }
  }

  /// Whether the shared stream that a stage has subscribed to can continue as a node.
  func hasHub(_ place: Int, _ node: PipelineNode) -> Bool {
    guard let number = node.sharedNumber else { return true }
    guard let hub = hubs.hub(of: place) else { return true }
    return sharedNumbers[hub] == number
  }

  /// Whether the upstream of a feeder's line has ended: the last stage subscribes at its start, but has no feeder.
  func hasEnded(above feeder: Int) -> Bool {
    guard let last = old.line(from: feeder).last else { return false }
    let node = old.nodes[last]
    guard !node.upstreams.isEmpty, node.sharedNumber == nil, !plan.isSource(node), !old.isAboutToSubscribe(last)
    else { return false }
    return StartProbe(node, of: oldPipeline, like: snapshot, demand: .none)?.joins == true
  }

  /// Returns the index among the upstreams of the new node that continues an upstream of the old one; nil if none does.
  ///
  /// Outputs have names, and may be others in each version. All other operators have the same upstreams.
  func upstream(_ upstream: Int, ofOld node: PipelineNode) -> Int? {
    guard node.isOfOutputs else { return upstream }
    return pipeline.outputs.firstIndex(of: oldPipeline.outputs[upstream])
  }

  func depth(of frame: Int) -> Int { depths.indices.contains(frame) ? depths[frame] : 0 }

  func ancestor(of frame: Int, at depth: Int) -> Int {
    var frame = frame
    while self.depth(of: frame) > depth, let outer = snapshot.frames[frame].outer { frame = outer }
    return frame
  }

  mutating func note(_ obstacle: SwapObstacle?, from feeder: Int?) {
    guard let obstacle else { return }
    for place in old.line(from: feeder) { obstacles[place] = obstacle }
  }
}

extension PipelineNode {
  /// Whether the node is a shared stream that stays connected without subscribers.
  var goesOnUnused: Bool { (self as? SharedNode)?.sharing.staysConnected == true }

  /// Whether the single upstream subscription of a shared stream can restore a saved state.
  func takesShared(_ state: Value, of pipeline: Pipeline) -> Bool {
    guard let shared = self as? SharedNode else { return false }
    let frame = Frame(number: 0, outer: nil, values: [])
    let hub = MulticastStage(shared.sharing, node: shared, frame: frame)
    return withExtendedLifetime((frame, hub)) {
      do throws(Diagnostics) {
        try hub.restoreState(state)
        return true
      } catch {
        return false
      }
    }
  }
}
