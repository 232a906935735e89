internal import CEL
internal import StreamCore

/// An operator that starts an inner stream for each key, compiled into one program with the operators of that stream.
final class KeyedNode<M: Machine>: SegmentNode, @unchecked Sendable {
  let prototype: M
  let groups: KeyedLowering<M.State>
  /// The inner operators in the program.
  let inner: SegmentNode
  /// The source of the inner stream.
  let feed: FeedNode
  /// The operators after `inner`, the last one first. They receive at most one value, at the end of `inner`.
  let tail: [SegmentNode]

  /// Nil if the operator has no keyed lowering, or its inner stream does not become a program.
  init?(_ node: PipelineNode, _ prototype: M, over type: CELType) {
    guard let groups = prototype.keyedLowering, node.upstreams.count == 2 else { return nil }
    var tail: [SegmentNode] = []
    var next = node.upstreams[1] as? SegmentNode
    while let segment = next, segment.upstreams[0] is SegmentNode {
      tail.append(segment)
      next = segment.upstreams[0] as? SegmentNode
    }
    guard let inner = next, let feed = inner.upstreams[0] as? FeedNode,
      inner.inputType == type || inner.inputType == .dyn,
      tail.allSatisfy(\.isOpen) && inner.isOpen, tail.isEmpty || inner.step.isSummary
    else { return nil }
    self.prototype = prototype
    self.groups = groups
    self.inner = inner
    self.feed = feed
    self.tail = tail
    super.init(node, groups.steps, over: type)
  }

  override var isOpen: Bool { false }
  override var steps: [(operator: PipelineNode, step: Lowering)] { super.steps + inner.steps }
  override var readsTime: Bool {
    groups.idle != nil || step.readsTime || inner.readsTime || tail.contains { $0.readsTime }
  }
  override var weight: Int { 1 }
  // Its stage can also run the machine.
  override var plain: PipelineNode { self }

  /// Number of operators and sources of an inner stream.
  var streamWeight: Int { tail.reduce(inner.weight + 1) { $0 + $1.weight } }

  override func check(_ state: Value) throws(Diagnostics) { _ = try prototype.decode(state, of: self) }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> SegmentStage {
    KeyedStage(self, downstream: downstream, port: port, frame: frame, execution)
  }
}
