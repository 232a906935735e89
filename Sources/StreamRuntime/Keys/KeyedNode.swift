internal import CEL
internal import StreamCore

/// An operator that starts an inner stream for each key, as one program with the operators of that stream.
final class KeyedNode<M: Machine>: SegmentNode, @unchecked Sendable {
  let prototype: M
  let groups: KeyedLowering<M.State>
  /// The operators that run for each key.
  let inner: SegmentNode

  /// Nil where the operator, or its inner stream, is another one.
  init?(_ node: PipelineNode, _ prototype: M, over type: CELType) {
    guard let lowering = prototype.keyedLowering, node.upstreams.count == 2,
      let inner = node.upstreams[1] as? SegmentNode, inner.isOpen, inner.inputType == type,
      inner.upstreams.count == 1, inner.upstreams[0] is FeedNode
    else { return nil }
    self.prototype = prototype
    groups = lowering
    self.inner = inner
    super.init(node, lowering.steps, over: type)
  }

  override var isOpen: Bool { false }
  override var steps: [(operator: PipelineNode, step: Lowering)] { super.steps + inner.steps }
  override var readsTime: Bool { step.readsTime || inner.readsTime }
  override var weight: Int { 1 }
  // It runs as its machine, too.
  override var plain: PipelineNode { self }

  override func check(_ state: Value) throws(Diagnostics) { _ = try prototype.decode(state, of: self) }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> Stage {
    KeyedStage(self, downstream: downstream, port: port, frame: frame, execution)
  }
}
