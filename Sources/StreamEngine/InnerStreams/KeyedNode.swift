internal import CEL
internal import StreamCore

/// An operator that starts an inner stream for each key, compiled into one program with the operators of that stream.
final class KeyedNode<M: LoweredMachine>: InnerNode<M>, @unchecked Sendable {
  let groups: KeyedLowering<M.State>
  /// The source of the inner stream.
  let feed: FeedNode

  /// Nil if the operator has no keyed lowering, or its inner stream does not become a program.
  init?(_ node: PipelineNode, _ prototype: M, over type: CELType) {
    guard case .keyed(let groups) = prototype.lowering, node.upstreams.count == 2,
      let stream = InnerChain(of: node.upstreams[1]), !stream.steps.isEmpty,
      let feed = stream.source as? FeedNode, stream.takes(type)
    else { return nil }
    self.groups = groups
    self.feed = feed
    super.init(node, prototype, groups.steps, stream, over: type)
    guard stream.timed != nil else { return }
    // The streams end when timers fire, and neither create stages then nor end before.
    if groups.idle != nil || stream.tail.contains(where: { $0.step.isSummary }) || segment.endsBeforeEntry {
      return nil
    }
  }

  override var readsTime: Bool { groups.idle != nil || super.readsTime }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> SegmentStage {
    KeyedStage(self, downstream: downstream, port: port, frame: frame, execution)
  }
}
