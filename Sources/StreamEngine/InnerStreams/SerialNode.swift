internal import CEL
internal import StreamCore

/// An operator whose inner streams run one after another, compiled into one program with the operators of these
/// streams.
final class SerialNode<M: LoweredMachine>: InnerNode<M>, @unchecked Sendable {
  let serial: SerialLowering<M.State>
  /// The source of an inner stream, with the steps that compute its only value; nil if the operator feeds the stream.
  private let source: (operator: PipelineNode, step: Steps)?
  /// The number of that source among the operators of the program.
  static var sourceNumber: Int { 1 }

  /// Nil if the operator has no serial lowering, or its inner streams do not become a program.
  init?(_ node: PipelineNode, _ prototype: M, over type: CELType) {
    guard case .serial(let lowering) = prototype.lowering, node.upstreams.count == 2,
      let stream = InnerChain(of: node.upstreams[1]), stream.timed == nil,
      !stream.tail.contains(where: { $0.step.isSummary })
    else { return nil }
    if lowering.slots.value != nil {
      guard stream.tail.isEmpty, let step = stream.source.onlyValue, stream.source.upstreams.isEmpty else { return nil }
      source = (stream.source, step)
    } else {
      guard stream.source is FeedNode, stream.segment != nil, stream.takes(type) else { return nil }
      source = nil
    }
    let (length, slots) = (lowering.length, lowering.slots)
    let inner = (source.map { [$0.step] } ?? []) + stream.steps.map(\.step)
    let outer = inner.flatMap(\.captures).filter { $0.slot < slots.value ?? slots.number }
    let step = Steps(write: { $0.startStreams(ofLength: length, capturing: slots, outer: outer) })
    serial = lowering
    super.init(node, prototype, step, stream, over: type)
  }

  override var steps: [(operator: PipelineNode, step: Steps)] {
    let all = super.steps
    return source.map { [all[0], $0] + all.dropFirst() } ?? all
  }

  override var readsTime: Bool { super.readsTime || source?.step.readsTime == true }

  override func makeStage(downstream: Stage?, port: Int, frame: Frame, _ execution: Execution) -> SegmentStage {
    SerialStage(self, downstream: downstream, port: port, frame: frame, execution)
  }
}
